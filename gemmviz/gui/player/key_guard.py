"""Leaves plain keys to the control that has the focus and uses them itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

_TYPING = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)
_KEYS: dict[Qt.Key, tuple[type[QWidget], ...]] = {
    Qt.Key.Key_Space: (QAbstractButton, QComboBox, QAbstractItemView, *_TYPING),
    Qt.Key.Key_Home: (QComboBox, QAbstractItemView, QAbstractSlider, *_TYPING),
    Qt.Key.Key_End: (QComboBox, QAbstractItemView, QAbstractSlider, *_TYPING),
    Qt.Key.Key_Comma: _TYPING,
    Qt.Key.Key_Period: _TYPING,
}
"""Who uses which key itself. No name in any list begins with a comma or a full stop: there they step."""


class KeyGuard(QObject):
    """An event filter for a window (or a part of one) whose actions have such keys as shortcuts.

    Without it Space would play the animation while a button has the focus, and no button could be pressed with it.
    """

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_plain(event):
            focus = QApplication.focusWidget()
            if focus is not None and isinstance(focus, _KEYS.get(Qt.Key(event.key()), ())):
                event.accept()
                return True
        return False


def _is_plain(event: QKeyEvent) -> bool:
    return event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
