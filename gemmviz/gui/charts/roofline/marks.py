"""The marks of a roofline and the arrows between them, painted: a run's main mark, and where its ideal bytes are."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gemmviz.explain.figures.figure import Form, Look
from gemmviz.explain.figures.roofline.roofline import RooflinePoint
from gemmviz.gui.charts.looks import STYLES
from gemmviz.gui.charts.plot.legend import paint_mark
from gemmviz.gui.charts.roofline.labels import Place
from gemmviz.gui.charts.roofline.plane_text import IDEAL
from gemmviz.gui.looks.theme import Theme

_HEAD, _OFF_MARK = 7.0, 8.0
"""How long an arrow's head is, and how far the arrow keeps off the mark at its end."""
_CROWDED, _FEWEST_CROWDED = 8.0, 4
"""Pixels between marks that cover each other, and how many of them make a plane crowded."""
_RING, _NEAR_RING, _RING_WIDTH = 5.0, 3.0, 2.0
"""Pixels between a mark and the ring around it, of many marks one that leaves the arrows their heads, and how thick
that is.
"""
_PART = 0.6
"""The part of their size that marks of a crowded plane keep."""


def part_of_size(places: Sequence[Place]) -> float:
    """How large all marks are drawn, as a part of their size: smaller where many at these places cover another one."""
    distinct = list(dict.fromkeys(places))
    covering = 0
    for place in distinct:
        covering += any(other is not place and math.dist(place, other) < _CROWDED for other in distinct)
        if covering >= _FEWEST_CROWDED:
            return _PART
    return 1.0


def paint_main(painter: QPainter, point: RooflinePoint, at: QPointF, part: float, theme: Theme) -> None:
    """The mark at the bytes that a run moves, or at its ideal ones where no recording tells them."""
    look = Look.QUIET if point.is_quiet else point.look
    if point.is_new or point.is_spoken_of:
        off_mark = _RING if point.is_new else _NEAR_RING
        _paint_ring(painter, at, part * STYLES[look].size / 2 + off_mark, theme)
    paint_mark(painter, look, Form.DOTS, at, theme, part * STYLES[look].size, look if point.is_quiet else point.inside)


def _paint_ring(painter: QPainter, at: QPointF, radius: float, theme: Theme) -> None:
    """What lets the mark of a newest run, or one that a text is about, stand out: the ground and the bar of a row,
    around it.
    """
    ground = QColor(theme.selected)
    painter.setBrush(ground)
    painter.setPen(QPen(QColor(theme.accent), _RING_WIDTH))
    painter.drawEllipse(at, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_arrow(painter: QPainter, point: RooflinePoint, start: QPointF, end: QPointF, theme: Theme) -> None:
    """From a small mark at the ideal bytes to those that are moved, dashed where these are an estimate."""
    length = end.x() - start.x()
    colour = QColor(STYLES[point.look].colour(theme))
    if abs(length) >= 2 * _OFF_MARK + _HEAD:
        way = math.copysign(1.0, length)
        tip = QPointF(end.x() - way * _OFF_MARK, end.y())
        painter.setPen(QPen(colour, 1.0, Qt.PenStyle.DashLine if point.is_estimate else Qt.PenStyle.SolidLine))
        painter.drawLine(QPointF(start.x() + way * IDEAL, start.y()), tip)
        painter.setPen(QPen(colour, 1.4))
        for up in (-_HEAD / 2, _HEAD / 2):
            painter.drawLine(tip, QPointF(tip.x() - way * _HEAD, tip.y() + up))
    paint_mark(painter, point.look, Form.DOTS, start, theme, 2 * IDEAL, Look.AT_IDEAL)
