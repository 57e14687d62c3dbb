"""Writing on the picture, as values: what stands where, so that it can be seen to before it is painted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from gemmviz.domain.unbroken_text import words_of
from gemmviz.domain.visible_text import make_visible, visible
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box

_PLATE = 5.0


class LineSide(Enum):
    """Where a line of writing stands in the room it is given."""

    LEFT = 0.0
    MIDDLE = 0.5
    RIGHT = 1.0


@dataclass(frozen=True, slots=True)
class TextItem:
    """A line of writing in a colour (#rrggbb); `box` is as wide and as high as its letters.

    With a `plate`, the canvas shows behind it instead of what it stands on.
    """

    text: str
    box: Box
    face: Face
    colour: str
    plate: bool = False

    def __post_init__(self) -> None:
        make_visible(self, "text")


def text_in(
    looks: Looks, text: str, room: Box, face: Face, colour: str, side: LineSide = LineSide.LEFT, *, plate: bool = False
) -> TextItem:
    """A line in a room, half-way down it; small figures get smaller, then all is cut, where the room is too narrow."""
    text = visible(text)
    if face is Face.FIGURES and looks.width(text, face) > room.width + 0.5:
        face = Face.TINY
    said = looks.fitted(text, face, room.width + 0.5)
    width, height = looks.width(said, face), looks.metrics[face].height()
    x = room.x + (room.width - width) * side.value
    return TextItem(said, Box(x, room.middle_y - height / 2, width, height), face, colour, plate)


def wrapped(looks: Looks, text: str, width: float, face: Face) -> list[str]:
    """Lines of words that fit a width; an index or a number with its unit is one word."""
    return lines_that_fit(filter(None, words_of(text.replace("\n", " "))), lambda line: looks.width(line, face), width)


def lines_that_fit(
    words: Iterable[str], measure: Callable[[str], float], width: float, most: int = sys.maxsize
) -> list[str]:
    """Lines of words, at least one; a word that is too wide by itself, and all that is left for the last of `most`
    lines, are wider than that.
    """
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(lines) < most and measure(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def draw_text_items(painter: QPainter, items: Iterable[TextItem], looks: Looks) -> None:
    """Write them."""
    for said in items:
        if not said.text:
            continue
        if said.plate:
            back = QColor(looks.theme.canvas)
            back.setAlphaF(0.88)
            painter.fillRect(QRectF(*_around(said.box)), back)
        painter.setFont(looks.faces[said.face])
        painter.setPen(QColor(said.colour))
        text = said.text.upper() if said.face is Face.HEAD else said.text  # an SVG knows nothing of a font's capitals
        painter.drawText(QPointF(said.box.x, round(said.box.y + looks.metrics[said.face].ascent())), text)


def _around(box: Box) -> tuple[float, float, float, float]:
    return box.x - _PLATE, box.y, box.width + 2 * _PLATE, box.height
