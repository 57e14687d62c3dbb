"""A button of the page of a lesson."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy

from gemmviz.gui.widgets.named import named


class PageButton(QPushButton):
    """One that can be put away for good: a picture of the page has no buttons."""

    _is_away = False

    def put_away(self) -> None:
        """Take no room any more, whoever shows it."""
        self._is_away = True
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(False)
        self.setSizePolicy(policy)
        self.hide()

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible and not self._is_away)


def page_button(words: str, name: str, tip: str, role: str) -> PageButton:
    """A button that has the focus after Tab only, since after a click the lesson still has the keys."""
    button = named(PageButton(words), name, tip, words, role)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button
