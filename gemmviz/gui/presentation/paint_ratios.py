"""Paints below two presented pictures how many times fewer the whole block of one needs, as large as a counter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.explain.block.totals_ratios import totals_ratios
from gemmviz.gui.looks.fonts import words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.places.box import Box

RATIOS_HEIGHT = 42.0
"""Units of the line."""
_LARGE, _WORDS, _APART, _CLOSE = 28, 17, 26.0, 9.0
_SIDES = "left", "right"
COUNTING, ALIKE = "counting…", "Both blocks load equally many values from global memory."


def ratio_words(totals: Sequence[TotalsSoFar | None], titles: Sequence[str]) -> list[tuple[str, bool]]:
    """The parts of the line of totals of whole blocks, and which of them are large: "tiled, whole block:", "16× fewer",
    "values loaded from global memory". A picture without a title is called left or right.
    """
    if len(totals) != 2 or (first := totals[0]) is None or (second := totals[1]) is None:
        return [(COUNTING, False)]
    found: list[tuple[str, bool]] = []
    ratios = sorted(totals_ratios(first, second), key=lambda each: each.place)  # stable: the most telling first
    for place, of_place in groupby(ratios, key=lambda each: each.place):
        found.append((f"{titles[place] or _SIDES[place]}, whole block:", False))
        for each in of_place:
            found += [(each.times, True), (each.words, False)]
    return found or [(ALIKE, False)] * bool(first.loads)


def paint_ratios(
    painter: QPainter, room: Box, totals: Sequence[TotalsSoFar | None], titles: Sequence[str], theme: Theme
) -> None:
    """Paint the line into a room, in units; figures that have no more room are left out."""
    x, baseline = room.x, room.bottom - 12.0
    parts = ratio_words(totals, titles)
    for place, (said, is_large) in enumerate(parts):
        font = words(weight=QFont.Weight.DemiBold if is_large else QFont.Weight.Normal)
        font.setPixelSize(_LARGE if is_large else _WORDS)
        width = QFontMetricsF(font).horizontalAdvance(said)
        behind = parts[place + 1][0] if is_large else ""
        if x + width + (_CLOSE + _width_of(behind) if behind else 0.0) > room.right + 1:
            break
        painter.setFont(font)
        painter.setPen(QColor(theme.accent if is_large else theme.text))
        painter.drawText(QPointF(x, baseline), said)
        x += width + (_CLOSE if is_large or said.endswith(":") else _APART)


def _width_of(said: str) -> float:
    font = words()
    font.setPixelSize(_WORDS)
    return QFontMetricsF(font).horizontalAdvance(said)
