"""Paints below two presented pictures what part of something the whole block of one needs, as large as a counter, and
bank conflicts so far; in a film what both have needed so far, and the result at its end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from gemmviz.domain.figures import count
from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.explain.block.totals_ratios import EXCESS, LOADS, total_of, totals_ratios
from gemmviz.gui.looks.fonts import words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.presentation.slide import SlideText

RATIOS_HEIGHT = 42.0
"""Units of the line."""
_LARGE, _APART, _CLOSE = 28, 26.0, 9.0
_WORDS = 17, 15, 13
"""Sizes of type: of the words the largest in which the figures fit that are never left out."""
_NAMES = range(600, 119, -20)
"""Units of a name that is shortened, the most first."""
_SIDES = "left", "right"
WIDEST_DIGIT = "0"
COUNTING, ALIKE = "counting…", "Both blocks load equally many values from global memory."
SO_FAR = "so far"


class RatioPart(NamedTuple):
    """A part of the line: a figure is large, a fault has the colour of hazards; some are close to the next. The `names`
    in its words may be shortened. It has room for `digits`.
    """

    words: str
    is_large: bool = False
    is_fault: bool = False
    is_close: bool = False
    names: tuple[str, ...] = ()
    digits: str = ""


def ratio_words(
    totals: Sequence[TotalsSoFar | None], texts: Sequence[SlideText], so_far: Sequence[TotalsSoFar | None] = ()
) -> list[RatioPart]:
    """The parts of the line of totals of whole blocks: "tiled, whole block:", "a sixteenth", "of the values loaded from
    global memory". A picture without a title is called left or right.

    A figure of a faulty kernel stands behind its fault, and one that depends on the form of the code behind both forms:
    "tiled as written", "(race)", "against naive as compiled, whole block:". Excess wavefronts `so_far`, which no
    picture counts itself, follow where they differ in the end.
    """
    if len(totals) != 2 or (first := totals[0]) is None or (second := totals[1]) is None:
        return [RatioPart(COUNTING)]
    found: list[RatioPart] = []
    names = _names_of(texts)
    ratios = sorted(totals_ratios(first, second), key=lambda each: each.place)  # stable: the most telling first
    for place, of_place in groupby(ratios, key=lambda each: each.place):
        against = (names[1 - place],) if texts[place].form and not found else ()
        found += _lower_in(names[place], texts[place].fault, *against)
        for each in of_place:
            found += [RatioPart(each.part, is_large=True, is_close=True), RatioPart(each.words)]
    counted = [one for one in so_far if one is not None]
    if len(counted) == len(totals) and any(each.name == EXCESS for each in ratios):
        found += [
            RatioPart(f"{SO_FAR}:", is_close=True),
            *_counts([RatioPart(side) for side in _SIDES], EXCESS, counted, (first, second)),
        ]
    return found or [RatioPart(ALIKE)] * bool(first.loads)


def so_far_words(
    counted: Sequence[TotalsSoFar], totals: Sequence[TotalsSoFar], texts: Sequence[SlideText]
) -> list[RatioPart]:
    """The parts of the line before the end of a film: "Values loaded from global memory so far:", "tiled", "1 024".

    Of the figures in which the `totals` of the whole blocks differ in the end the most telling one is `counted`.
    """
    name = next((each.name for each in totals_ratios(*totals)), LOADS)
    return [
        RatioPart(f"{name.capitalize()} {SO_FAR}:", is_close=True),
        *_counts(_names_of(texts), name, counted, totals),
    ]


def _counts(
    named: Sequence[RatioPart], name: str, counted: Sequence[TotalsSoFar], totals: Sequence[TotalsSoFar]
) -> list[RatioPart]:
    """A figure of both blocks, each behind what its picture is called, with room for what it is in the end."""
    shown = zip(named, counted, totals, strict=True)
    return [
        part
        for who, one, end in shown
        for part in (who._replace(is_close=True), _figure(total_of(name, one), total_of(name, end)))
    ]


def _figure(number: int, end: int) -> RatioPart:
    return RatioPart(count(number), is_large=True, digits=re.sub(r"\d", WIDEST_DIGIT, count(end)))


def _lower_in(name: RatioPart, fault: str, *against: RatioPart) -> list[RatioPart]:
    """Whose figures follow."""
    words = "".join((*(f" against {other.words}" for other in against), ", whole block:"))
    others = tuple(each for other in against for each in other.names)
    if not fault:
        return [RatioPart(f"{name.words}{words}", is_close=True, names=(*name.names, *others))]
    comma = "," * words.startswith(",")
    mark = RatioPart(f"({fault}){comma}", is_fault=True, is_close=True)
    return [name._replace(is_close=True), mark, RatioPart(words.lstrip(" ,"), is_close=True, names=others)]


def _names_of(texts: Sequence[SlideText]) -> list[RatioPart]:
    """The names of both pictures, each with the form of its code where that tells it from the other one."""
    found = []
    for text, side in zip(texts, _SIDES, strict=True):
        name = text.title or side
        form = f" {text.form}" if text.form and text.form not in name else ""
        found.append(RatioPart(f"{name}{form}", names=(name,)))
    return found


def paint_ratios(painter: QPainter, room: Box, parts: Sequence[RatioPart], theme: Theme) -> None:
    """Paint the line into a room, in units. Where it has no room, long names are shortened, and then the last figures
    are left out, but neither the first one nor that of the other block.
    """
    x, baseline = room.x, room.bottom - 12.0
    size, parts = fitting_parts(parts, room.width)
    for place, part in enumerate(parts):
        has_words = part.is_large and part.is_close
        behind = _advance(parts[place + 1], size) - _APART if has_words else -_gap(part)
        if x + _advance(part, size) + behind > room.right + 1:
            break
        painter.setFont(_type(part, size))
        painter.setPen(QColor(theme.accent if part.is_large else theme.hazard if part.is_fault else theme.text))
        painter.drawText(QPointF(x, baseline), part.words)
        x += _advance(part, size)


def fitting_parts(parts: Sequence[RatioPart], width: float) -> tuple[int, list[RatioPart]]:
    """The size of type of the words, and the parts with names that are as long as the width, in units, allows."""
    large = [place for place, part in enumerate(parts) if part.is_large]
    is_pair = len(large) > 1 and not any(parts[place].is_close for place in large)  # a figure of both blocks
    needed = parts[: large[is_pair] + 2] if large else parts
    size = next((size for size in _WORDS if _fits(needed, size, width)), _WORDS[-1])
    for wanted in (parts, needed):
        for most in (None, *_NAMES):
            if _fits([_shortened(part, size, most) for part in wanted], size, width):
                return size, [_shortened(part, size, most) for part in parts]
    if any(part.digits for part in parts):  # figures that move are better than none
        return fitting_parts([part._replace(digits="") for part in parts], width)
    return size, [_shortened(part, size, _NAMES[-1]) for part in parts]


def _fits(parts: Sequence[RatioPart], size: int, width: float) -> bool:
    return sum(_advance(part, size) for part in parts) <= width + _APART


def _shortened(part: RatioPart, size: int, most: int | None) -> RatioPart:
    """A part whose names are at most so many units wide, all of them with None: the middle goes."""
    words, metrics = part.words, QFontMetricsF(_type(part, size))
    for name in part.names if most is not None else ():
        words = words.replace(name, metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, float(most or 0)), 1)
    return part._replace(words=words)


def _gap(part: RatioPart) -> float:
    return _CLOSE if part.is_close else _APART


def _advance(part: RatioPart, size: int) -> float:
    """Units from where a part begins to where the next one does."""
    measure = QFontMetricsF(_type(part, size)).horizontalAdvance
    return max(measure(part.words), measure(part.digits)) + _gap(part)


def _type(part: RatioPart, size: int) -> QFont:
    font = words(weight=QFont.Weight.DemiBold if part.is_large or part.is_fault else QFont.Weight.Normal)
    font.setPixelSize(_LARGE if part.is_large else size)
    return font
