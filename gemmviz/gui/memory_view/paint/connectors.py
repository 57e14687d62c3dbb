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
BACK, SIDE, LEAST = 7.0, 3.5, 4.0
"""Length and half the width of an arrow's head, and of the shortest line that has one."""


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
        points = [QPointF(*point) for point in lead.points]
        line = QLineF(points[-2], points[-1])
        if line.length() < LEAST:
            continue
        along = QPointF(line.dx() / line.length(), line.dy() / line.length())
        across, back = QPointF(-along.y(), along.x()), min(BACK, line.length())
        neck = points[-1] - along * back
        painter.setPen(QPen(colour, 1.4))
        painter.setBrush(colour)
        painter.drawPolyline([*points[:-1], neck])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon([points[-1], neck + across * SIDE, neck - across * SIDE])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
