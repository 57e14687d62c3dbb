"""What stands in the middle of a page without figures: what to do, and the button that does it, or why it cannot."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.gui.looks.fonts import LARGE, words
from gemmviz.gui.widgets.allowed import refusal_of
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

_WIDEST = 560
"""Pixels of the widest line."""


class EmptyNotice(QWidget):
    """Words and below them a button, which triggers what was offered; while that cannot be done, it is grey, and the
    reason stands below it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._action: QAction | None = None
        self._is_wanted = True
        self.words = PlainLabel(wordWrap=True)
        self.words.setFont(words(LARGE - 1.0))
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = named(QPushButton(), "emptyPageButton", "Do what brings figures to this page", role="secondary")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._on_clicked)
        self.button.hide()
        self.why = named(PlainLabel(wordWrap=True), "emptyPageWhy", role="muted")
        self.why.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.why.hide()
        for part in (self.button, self.why):
            only_on_screen(part)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addStretch(1)
        column.addWidget(self.words)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.why)
        column.addStretch(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = max(0, (self.width() - _WIDEST) // 2)
        self.setContentsMargins(side, 0, side, 0)

    def offer(self, action: QAction) -> None:
        """Have a button that does this, with its words."""
        self._action = action
        action.changed.connect(self._follow)
        self._follow()

    def show_button(self, wanted: bool) -> None:
        """Whether the button helps now: not while what it starts is going on."""
        self._is_wanted = wanted
        self._follow()

    @Slot()
    def _follow(self) -> None:
        action = self._action
        refusal = refusal_of(action) if action is not None else ""
        is_there = self._is_wanted and action is not None and (action.isEnabled() or bool(refusal))
        self.button.setVisible(is_there)
        self.why.setVisible(is_there and bool(refusal))
        self.why.setText(refusal if refusal.endswith(".") or not refusal else f"{refusal}.")
        if action is not None:
            self.button.setEnabled(action.isEnabled())
            self.button.setText(action.text().replace("&", "").removesuffix("…"))
            self.button.setToolTip(plain_text(action.statusTip()))
            self.button.setAccessibleName(self.button.text())

    @Slot()
    def _on_clicked(self) -> None:
        if self._action is not None:
            self._action.trigger()
