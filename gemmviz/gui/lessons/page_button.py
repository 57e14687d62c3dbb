"""A button of the page of a lesson."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy

from gemmviz.gui.widgets.named import named


def page_button(words: str, name: str, tip: str, role: str) -> QPushButton:
    """A button that has the focus after Tab only, since after a click the lesson still has the keys."""
    button = named(QPushButton(words), name, tip, words, role)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button
