"""Labels: one that shows text as it is, and one for markup of our own. No other module makes a QLabel."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from gemmviz.domain.visible_text import visible_lines


class PlainLabel(QLabel):
    """Shows text as it is: tags are text, hidden characters are written out. Takes QLabel's properties by name."""

    def __init__(self, text: str = "", parent: QWidget | None = None, **properties: Any) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText, **properties)
        if text:
            self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(visible_lines(text))


class RichLabel(QLabel):
    """Shows HTML that the program made; whatever comes from a file is escaped in it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.RichText)
