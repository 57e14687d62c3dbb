"""Draws the figures left of A: bars in grooves, and what is written beside them."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from gemmviz.gui.memory_view.paint.cells import rect
from gemmviz.gui.memory_view.paint.looks import Looks
from gemmviz.gui.memory_view.text.figures import Figures
from gemmviz.gui.memory_view.text.text_item import draw_text_items


def draw_figures(painter: QPainter, figures: Figures, looks: Looks) -> None:
    """Loads from global memory, the slow one, are dark; those from shared memory pale."""
    theme = looks.theme
    for bar in figures.bars:
        box = bar.box
        painter.fillRect(rect(box), QColor(theme.field))
        if bar.share > 0:
            filled = QRectF(box.x, box.y, max(box.width * bar.share, 2.0), box.height)
            painter.fillRect(filled, QColor(theme.text if bar.is_far else theme.reference))
        painter.setPen(QPen(QColor(theme.outline), 1.0))
        painter.drawRect(rect(box))
    draw_text_items(painter, figures.words, looks)
