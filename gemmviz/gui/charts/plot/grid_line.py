"""Paints lines of a grid that are equally thick at every scale."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter


def paint_grid_line(painter: QPainter, colour: QColor, start: QPointF, end: QPointF) -> None:
    """A level or upright line to the right or down, one unit wide rounded to whole pixels of the device, which it
    covers wholly. A pen's line of 1.14 pixels covers one pixel here and two there.
    """
    device = painter.deviceTransform()
    width = max(1, round(device.m11()))
    first, last = (device.map(point).toPoint() for point in (start, end))
    area = QRectF(first.x(), first.y(), last.x() - first.x() + width, last.y() - first.y() + width)
    painter.fillRect(device.inverted()[0].mapRect(area), colour)
