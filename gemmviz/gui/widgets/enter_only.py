"""For buttons that Space must not press: Cancel, which would lose what a person waits for who wants to play."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton

LEAVES_PLAY_KEYS = "leavesPlayKeys"
"""The property of a widget that has no use for the keys of the player."""


class EnterOnly(QObject):
    """Enter or a click press the button; Space goes on to what is around it."""

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__(button)
        self._button = button
        button.setProperty(LEAVES_PLAY_KEYS, True)
        button.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.ShortcutOverride:
            return False
        if event.key() == Qt.Key.Key_Space:
            event.ignore()
            return True
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self._button.click()
            return True
        return False
