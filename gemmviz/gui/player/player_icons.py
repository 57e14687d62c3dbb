"""The two icons of the player's own: to the first and to the last frame."""

from __future__ import annotations

from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen

from gemmviz.gui.looks.icons import SIZES, icon_pixmap
from gemmviz.gui.looks.theme import Theme

_GRID, _STROKE = 16, 1.5
_BAR, _INSET = 3.75, 3.5


def end_icon(theme: Theme, *, last: bool) -> QIcon:
    """A chevron that points at a bar: to the first frame, or to the last."""
    made = QIcon()
    for mode, colour in ((QIcon.Mode.Normal, theme.text), (QIcon.Mode.Disabled, theme.faint)):
        for size in SIZES:
            pixmap = icon_pixmap("chevron-right" if last else "chevron-left", colour, size, 1.0)
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(size / _GRID, size / _GRID)
            painter.setPen(QPen(QColor(colour), _STROKE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            x = _GRID - _BAR if last else _BAR
            painter.drawLine(QLineF(x, _INSET, x, _GRID - _INSET))
            painter.end()
            made.addPixmap(pixmap, mode)
    return made
