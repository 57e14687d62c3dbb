"""The line above the text that says what is wrong first, and leads there."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from gemmviz.domain.visible_text import visible
from gemmviz.gui.widgets.plain_text import plain_text

AIR = 20
"""Pixels that a button keeps around its icon and its text."""


class FaultButton(QPushButton):
    """Shows as much of its words as there is room for; the tooltip has them all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""

    def show_words(self, words: str) -> None:
        """Say this."""
        self._whole = visible(words)
        self.setAccessibleName(self._whole)
        self.setToolTip(plain_text(f"{words}\nGo to the line. F8 in the text goes to the next one"))
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - self.iconSize().width() - AIR
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, max(room, 1))
        self.setText(shown.replace("&", "&&"))
