"""The refusal in the experiment panel, with its sign."""

from __future__ import annotations

import re

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.domain.visible_text import visible
from gemmviz.gui.experiment.controls.marks import draw_note, draw_warning
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.wrapped_text import wrapped

_MOST_LINES, _PAD = 9, 6
_EQUATION = re.compile(r" ([<>!]?=|[<>]) ")
"""A sign that shall not begin a line."""


class RefusalLabel(PlainLabel):
    """Why something cannot run, behind a warning triangle, or a calm note in its place; hidden while there is nothing
    to refuse.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setObjectName("refusalLabel")
        self.setAccessibleName("Why this cannot run")
        self.setFont(words(SMALL))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self._theme = theme
        self._is_calm = False
        self.hide()

    def show_refusal(self, refusal: str, note: str = "") -> None:
        """A sentence, or "" to hide. `note` is shown in its place; the tooltip keeps the refusal."""
        self._is_calm = bool(note)
        self.setText(visible(note or refusal))
        self.setToolTip(plain_text(refusal))
        self.setAccessibleDescription(refusal)
        self.setVisible(bool(refusal))
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        lines = len(self._lines())
        return QSize(200, lines * self._line_height() + 2 * _PAD)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._theme.accent if self._is_calm else self._theme.hazard
        ground = QColor(colour)
        ground.setAlpha(26)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(self.rect(), 6, 6)
        (draw_note if self._is_calm else draw_warning)(painter, QRectF(10, _PAD + 1, 14, 14), colour)
        painter.setPen(QColor(self._theme.text if self._is_calm else colour))
        painter.setFont(self.font())
        for row, line in enumerate(self._lines()):
            area = QRect(32, _PAD + row * self._line_height(), self._text_width(), self._line_height())
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, line)
        painter.end()

    def _fit(self) -> None:
        self.setFixedHeight(self.sizeHint().height())

    def _lines(self) -> list[str]:
        unbroken = _EQUATION.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", self.text())
        return wrapped(unbroken, self.font(), self._text_width(), _MOST_LINES)

    def _text_width(self) -> int:
        return max(40, self.width() - 40)

    def _line_height(self) -> int:
        return QFontMetrics(self.font()).height()
