"""Lines that fill whole pixels of the screen or file they are painted on, so that all lines of a grid are as wide."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPaintEngine, QPainter

_DRAWINGS = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf, QPaintEngine.Type.Picture)
"""What has no pixels."""
PRINTED_DENSITY = 2.0
"""Pixels of a screen that a unit of 1/96 inch on paper counts as: what a small screen is too coarse for can be read in
print.
"""


def pixels_of_unit(painter: QPainter) -> float:
    """Pixels that a unit is painted with; on a page of a PDF PRINTED_DENSITY times as many, since print is finer."""
    scale = float(painter.worldTransform().m11())
    return scale * PRINTED_DENSITY if painter.paintEngine().type() is QPaintEngine.Type.Pdf else scale


class DevicePixels:
    """Strips across or down, at places in units of a painter, `thick` units wide or the nearest whole number of pixels.

    On an engine without pixels, or where units are turned, strips stay as they are.
    """

    def __init__(self, painter: QPainter, thick: float) -> None:
        at = painter.deviceTransform()
        is_plain = at.m12() == at.m21() == 0.0
        self._has_pixels = is_plain and painter.paintEngine().type() not in _DRAWINGS
        self._thick = thick
        self._across, self._down = (at.m11(), at.dx()), (at.m22(), at.dy())

    def columns(self, places: Iterable[float], top: float, height: float) -> list[QRectF]:
        """Strips down, around places across."""
        return [QRectF(begin, top, wide, height) for begin, wide in self._strips(places, *self._across)]

    def rows(self, places: Iterable[float], left: float, width: float) -> list[QRectF]:
        """Strips across, around places down."""
        return [QRectF(left, begin, width, wide) for begin, wide in self._strips(places, *self._down)]

    def _strips(self, places: Iterable[float], scale: float, offset: float) -> list[tuple[float, float]]:
        if not self._has_pixels:
            return [(place - self._thick / 2, self._thick) for place in places]
        pixels = max(round(self._thick * scale), 1)
        begins = (floor(place * scale + offset + 0.5) - pixels // 2 for place in places)
        return [((begin - offset) / scale, pixels / scale) for begin in begins]
