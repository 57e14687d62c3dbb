"""Draws bands and leads: quietly, so that they guide and do not cover."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from gemmviz.gui.memory_view.connectors import bands, leads
from gemmviz.gui.memory_view.paint.cells import rect
from gemmviz.gui.memory_view.paint.looks import Looks
from gemmviz.gui.memory_view.scene import Scene

BAND = 0.13
"""How much of its colour a band shows."""
BACK, SIDE = 7.0, 3.5
"""Length and half the width of an arrow's head."""


def draw_bands(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The row and the column that meet in the block."""
    for band in bands(scene):
        colour = looks.colour(band.matrix)
        colour.setAlphaF(BAND)
        painter.fillRect(rect(band.box), colour)


def draw_leads(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """Where the tiles of this frame go, with a head where they arrive."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for lead in leads(scene):
        colour = looks.colour(lead.matrix)
        start, end = QPointF(*lead.start), QPointF(*lead.end)
        painter.setPen(QPen(colour, 1.4))
        painter.setBrush(colour)
        line = QLineF(start, end)
        if line.length() < BACK:
            continue
        along = QPointF((end.x() - start.x()) / line.length(), (end.y() - start.y()) / line.length())
        across = QPointF(-along.y(), along.x())
        neck = end - along * BACK
        painter.drawLine(start, neck)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon([end, neck + across * SIDE, neck - across * SIDE])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
