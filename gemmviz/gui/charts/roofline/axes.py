"""The axes of the roofline: lines and words at round values, and where a value lies on a logarithmic axis."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from gemmviz.explain.figures.figure import Axis
from gemmviz.explain.figures.roofline.roofline import Roofline
from gemmviz.explain.figures.ticks import ticks_of
from gemmviz.gui.charts.plot.fonts import Fonts
from gemmviz.gui.charts.plot.grid_line import paint_grid_line
from gemmviz.gui.looks.theme import Theme

LEFT, TOP = 72.0, 26.0
"""Pixels left of the plane for the words of its axis, and above it."""
_FLAGS = int(Qt.TextFlag.TextDontClip)


def part_of(axis: Axis, value: float) -> float:
    """Where a value lies on a logarithmic axis, from 0 to 1."""
    return math.log(value / axis.low) / math.log(axis.high / axis.low)


def paint_axes(painter: QPainter, shown: Roofline, area: QRectF, fonts: Fonts, theme: Theme) -> None:
    """Lines across the plane and their values beside it, and above it what goes up."""
    fine = QColor(theme.grid)
    fine.setAlphaF(0.5)
    for axis, is_x in ((shown.x, True), (shown.y, False)):
        most = int((area.width() if is_x else area.height()) / (56 if is_x else 30))
        for tick in ticks_of(axis, axis.low, axis.high, most):
            colour = QColor(theme.grid) if tick.words else fine
            part = part_of(axis, tick.value)
            if is_x:
                x = area.left() + part * area.width()
                paint_grid_line(painter, colour, QPointF(x, area.top()), QPointF(x, area.bottom()))
                place = QRectF(x - 60, area.bottom() + 4, 120, 16)
                align = Qt.AlignmentFlag.AlignCenter
            else:
                y = area.bottom() - part * area.height()
                paint_grid_line(painter, colour, QPointF(area.left(), y), QPointF(area.right(), y))
                place = QRectF(0, y - 9, LEFT - 10, 18)
                align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.setFont(fonts.tick)
            painter.setPen(QColor(theme.muted))
            painter.drawText(place, int(align) | _FLAGS, tick.words)
    painter.setFont(fonts.note)
    painter.setPen(QColor(theme.muted))
    painter.drawText(QRectF(0, -2, 200, TOP - 8), int(Qt.AlignmentFlag.AlignLeft) | _FLAGS, shown.y.words)
