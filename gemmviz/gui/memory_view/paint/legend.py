"""Draws the legend: swatches as the things themselves are drawn, the ramp of the heat."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from gemmviz.explain.block.heat_maps import LEVELS, HeatMap
from gemmviz.gui.looks.theme import blend
from gemmviz.gui.memory_view.paint.cells import dashed, rect
from gemmviz.gui.memory_view.paint.looks import FAINT, FULL, RESTING, ZERO, Looks, begun, pale
from gemmviz.gui.memory_view.paint.matrices import MAKING
from gemmviz.gui.memory_view.paint.signs import draw_stale, draw_unused, draw_unwritten, draw_zeros
from gemmviz.gui.memory_view.places.legend import PictureLegend, Swatch
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.signs import Sign
from gemmviz.gui.memory_view.text.text_item import draw_text_items

OF_OTHER_FRAMES = 0.7
"""How strongly the legend shows colours that are not in this frame but in others; their words stay readable."""


def draw_legend(painter: QPainter, scene: Scene, looks: Looks, legend: PictureLegend) -> None:
    """The strip, what explains the colours in it, and the words."""
    back = QColor(looks.theme.canvas)
    back.setAlphaF(0.92)
    window = scene.window
    painter.fillRect(QRectF(0, legend.top, window.width, window.bottom - legend.top), back)
    for swatch in legend.swatches:
        _draw_swatch(painter, looks, swatch)
    painter.save()
    painter.setOpacity(OF_OTHER_FRAMES)
    for swatch in legend.faint:
        _draw_swatch(painter, looks, swatch)
    painter.restore()
    draw_text_items(painter, legend.faint_words, looks)
    heat = scene.picture.heat if scene.picture is not None else None
    if legend.ramp is not None and heat is not None:
        _draw_ramp(painter, looks, heat, rect(legend.ramp))
    draw_text_items(painter, legend.words, looks)


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


def _draw_swatch(painter: QPainter, looks: Looks, swatch: Swatch) -> None:
    """A stripe for each matrix in whose colour the sign is painted, and the sign itself over it."""
    theme, sign, box = looks.theme, swatch.sign, rect(swatch.box)
    stripes = _stripes(looks, swatch)
    parts = {
        Sign.NOW: 1.0,
        Sign.BEFORE: pale(theme),
        Sign.STALE: FAINT,
        Sign.HELD: RESTING,
        Sign.COMPUTED: RESTING,
        Sign.SUM: (begun(theme) + FULL) / 2,
        Sign.BLOCK: MAKING,
    }
    if sign in parts:
        for stripe, colour in stripes:
            painter.fillRect(stripe, QColor(blend(theme.field, colour, parts[sign])))
    elif sign in (Sign.ZERO, Sign.UNWRITTEN, Sign.UNUSED):
        painter.fillRect(box, QColor(blend(theme.field, theme.reference, ZERO) if sign is Sign.ZERO else theme.field))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inner = box.adjusted(0.5, 0.5, -0.5, -0.5)
    match sign:
        case Sign.TO_COME:
            for stripe, colour in stripes:
                painter.setPen(dashed(QColor(colour), 1.0))
                painter.drawRect(stripe.adjusted(0.5, 0.5, -1.5, -0.5))
        case Sign.THREAD | Sign.CHOSEN:
            painter.setPen(QPen(QColor(theme.text), 1.4 if sign is Sign.THREAD else 2.0))
            painter.drawRect(inner)
        case Sign.SPOT:
            painter.setPen(QPen(QColor(theme.spot), 2.0))
            painter.drawRect(inner.adjusted(0.5, 0.5, -0.5, -0.5))
        case Sign.PATH:
            painter.setPen(QPen(QColor(theme.muted), 1.0, Qt.PenStyle.DotLine))
            painter.drawRect(inner)
        case Sign.BLOCK | Sign.BLOCKS:
            painter.setPen(QPen(QColor(theme.c), 2.0 if sign is Sign.BLOCK else 1.0))
            painter.drawRect(inner)
        case Sign.HAZARD:
            painter.fillRect(box, QBrush(QColor(theme.hazard), Qt.BrushStyle.BDiagPattern))
            painter.setPen(QPen(QColor(theme.hazard), 1.4))
            painter.drawRect(inner)
        case Sign.STALE:
            draw_stale(painter, [box], theme)
        case Sign.ZERO:
            draw_zeros(painter, [box], theme)
        case Sign.UNWRITTEN:
            draw_unwritten(painter, [box], theme)
        case Sign.UNUSED:
            draw_unused(painter, [box], theme)


def _stripes(looks: Looks, swatch: Swatch) -> list[tuple[QRectF, str]]:
    """The stripes of a swatch from the left, each with its colour."""
    box, names = rect(swatch.box), swatch.names
    width = box.width() / max(len(names), 1)
    return [
        (QRectF(box.x() + place * width, box.y(), width, box.height()), looks.colour(name).name())
        for place, name in enumerate(names)
    ]
