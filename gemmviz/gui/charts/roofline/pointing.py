"""Which runs of a roofline are meant where the mouse is at words: at a name, at a number, or at either in the list of
names. Lengths are pixels. No Qt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gemmviz.gui.charts.roofline.labels import Box, Place
from gemmviz.gui.charts.roofline.names import WidthOf, names_of
from gemmviz.gui.charts.roofline.plane_text import BETWEEN, LISTED, Written

_PIECES = re.compile(rf"(\(\d+\) |{re.escape(BETWEEN)}|; |{re.escape(LISTED)}|also: )")


@dataclass(frozen=True, slots=True)
class ListedLine:
    """A line of names: its words, where they begin and end and where their middle is."""

    words: str
    left: float
    middle: float


def names_at(
    place: Place, written: Written, lines: Sequence[ListedLine], height: float, width_of: WidthOf
) -> tuple[str, ...]:
    """The names of the runs that words at a place stand for, () where there are none. Lines are `height` apart."""
    for label, at in written.names:
        if _is_within(place, label.box_at(*at)):
            of_number = _named(label.words, written)
            return of_number or tuple(names_of(label))
    for line in lines:
        if abs(place[1] - line.middle) > height / 2:
            continue
        for words, start, end in _pieces(line, width_of):
            if start <= place[0] < end:
                return _named(words.strip(), written) or ((words,) if words in written.left_out else ())
    return ()


def _named(number: str, written: Written) -> tuple[str, ...]:
    """The names of a number; () for other words."""
    return tuple(name for name in written.left_out if written.keys.get(name) == number)


def _pieces(line: ListedLine, width_of: WidthOf) -> Iterator[tuple[str, float, float]]:
    """The names and numbers of a line, and what lies between them, each with where it begins and ends."""
    left, said = line.left, ""
    for piece in filter(None, _PIECES.split(line.words)):
        said += piece
        right = line.left + width_of(said)
        yield piece.removesuffix(","), left, right
        left = right


def _is_within(place: Place, box: Box) -> bool:
    return box[0] <= place[0] <= box[2] and box[1] <= place[1] <= box[3]
