"""Draws the foot: swatches as the things themselves are drawn, the ramp of the heat."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gemmviz.gui.looks.theme import blend
from gemmviz.gui.memory_view.foot import FOOT, Foot, Sign
from gemmviz.gui.memory_view.heat_maps import LEVELS, HeatMap
from gemmviz.gui.memory_view.inscription import draw_inscriptions
from gemmviz.gui.memory_view.looks import FAINT, PALE, ZERO, Looks
from gemmviz.gui.memory_view.paint_cells import dashed, rect
from gemmviz.gui.memory_view.paint_signs import draw_stale, draw_unused, draw_unwritten, draw_zeros
from gemmviz.gui.memory_view.scene import Scene


def draw_foot(painter: QPainter, scene: Scene, looks: Looks, foot: Foot) -> None:
    """The strip, what explains the colours in it, and the words."""
    back = QColor(looks.theme.canvas)
    back.setAlphaF(0.92)
    window = scene.window
    painter.fillRect(QRectF(0, window.bottom - FOOT, window.width, FOOT), back)
    for sign, box in foot.swatches:
        _draw_swatch(painter, looks, sign, rect(box))
    heat = scene.picture.heat if scene.picture is not None else None
    if foot.ramp is not None and heat is not None:
        _draw_ramp(painter, looks, heat, rect(foot.ramp))
    draw_inscriptions(painter, foot.words, looks)


def _draw_ramp(painter: QPainter, looks: Looks, heat: HeatMap, box: QRectF) -> None:
    """All colours from little to much; the one there is, if all figures are the same."""
    pixels = int(box.width())
    for place in range(pixels):
        level = 1 + round(place * (LEVELS - 1) / (pixels - 1)) if heat.high > heat.low else LEVELS
        painter.fillRect(QRectF(box.x() + place, box.y(), 1.0, box.height()), QColor.fromRgb(int(looks.heat[level])))
    painter.setPen(QPen(QColor(looks.theme.faint), 1.0))
    for mark in heat.marks:
        x = round(box.x() + heat.place(mark) * (pixels - 1)) + 0.5
        painter.drawLine(QRectF(x, box.y() - 3, 0, 3).topLeft(), QRectF(x, box.y() - 1, 0, 0).topLeft())


def _draw_swatch(painter: QPainter, looks: Looks, sign: Sign, box: QRectF) -> None:
    theme, colour = looks.theme, looks.theme.a
    grounds = {
        Sign.NOW: colour, Sign.BEFORE: blend(theme.field, colour, PALE), Sign.STALE: blend(theme.field, colour, FAINT),
        Sign.ZERO: blend(theme.field, theme.reference, ZERO), Sign.UNWRITTEN: theme.field, Sign.UNUSED: theme.field,
    }  # fmt: skip
    if sign in grounds:
        painter.fillRect(box, QColor(grounds[sign]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    match sign:
        case Sign.TO_COME:
            painter.setPen(dashed(QColor(colour), 1.0))
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        case Sign.THREAD:
            painter.setPen(QPen(QColor(theme.text), 1.4))
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        case Sign.STALE:
            draw_stale(painter, [box], theme)
        case Sign.ZERO:
            draw_zeros(painter, [box], theme)
        case Sign.UNWRITTEN:
            draw_unwritten(painter, [box], theme)
        case Sign.UNUSED:
            draw_unused(painter, [box], theme)
