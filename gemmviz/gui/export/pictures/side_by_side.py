"""Pictures side by side as one image, each under its name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QWidget

from gemmviz.domain.visible_text import visible
from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.widget_image import check_size, render_image, set_density

MARGIN, HEAD = 16, 28


def named_pictures(whole: QWidget, named: Sequence[tuple[QWidget, str]], theme: Theme, scale: float) -> QImage:
    """What `whole` shows, below the names of its parts, each at the left edge of its own; `scale` times as large.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    width, height = check_size(whole.width(), whole.height() + HEAD, scale)
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(theme.canvas))
    painter = QPainter(image)
    picture = render_image(whole, scale)
    painter.drawImage(QPoint(0, height - picture.height()), picture)
    painter.scale(scale, scale)
    font = words(NORMAL, QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    for part, name in named:
        room = QRectF(part.mapTo(whole, QPoint()).x() + MARGIN, 0, part.width() - 2 * MARGIN, HEAD)
        said = QFontMetricsF(font).elidedText(visible(name), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), said)
    painter.end()
    set_density(image, scale)
    return image
