"""A slide of words alone: what a page says while it has nothing to show."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.gui.export.pictures.chart_picture import HEAD, Size, blank
from gemmviz.gui.looks.fonts import words as font_of_words
from gemmviz.gui.looks.projector import projector_theme
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.presentation.slide import MARGIN, TITLE_UNITS, SlideText, paint_title, plan_slide

_WIDEST = 700.0
"""Units of the longest line."""


def words_image(size: Size, theme: Theme, title: str, words: str) -> QImage:
    """Words in the middle of a slide, in type as large as its title.

    Raises:
        MemoryError: it does not fit in memory.
    """
    theme, plan, image = projector_theme(theme), plan_slide(*size), blank(size, projector_theme(theme))
    width = min(_WIDEST, plan.width - 2 * MARGIN)
    font = font_of_words()
    font.setPixelSize(TITLE_UNITS[0])
    with QPainter(image) as painter:
        painter.scale(plan.scale, plan.scale)
        head = Box(MARGIN, 0.0, plan.width - 2 * MARGIN, HEAD)
        paint_title(painter, head, SlideText(title), TITLE_UNITS[0], theme)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        room = QRectF((plan.width - width) / 2, HEAD, width, plan.height - 2 * HEAD)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
    return image
