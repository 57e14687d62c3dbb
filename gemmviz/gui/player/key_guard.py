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

from gemmviz.gui.widgets.enter_only import LEAVES_PLAY_KEYS

_TYPING = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)
_KEYS: dict[Qt.Key, tuple[type[QWidget], ...]] = {
    Qt.Key.Key_Space: (QAbstractButton, QComboBox, QAbstractItemView, *_TYPING),
    Qt.Key.Key_Home: (QComboBox, QAbstractItemView, QAbstractSlider, *_TYPING),
    Qt.Key.Key_End: (QComboBox, QAbstractItemView, QAbstractSlider, *_TYPING),
    Qt.Key.Key_Comma: _TYPING,
    Qt.Key.Key_Period: _TYPING,
    **dict.fromkeys((Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_P, Qt.Key.Key_S), (QAbstractItemView, *_TYPING)),
}
"""Who uses which key itself. No name in any list begins with a comma or a full stop: there they step. Of the letters
those that change a request: a list finds what begins with them.
"""


_PLAYING = (Qt.Key.Key_Space, Qt.Key.Key_Comma, Qt.Key.Key_Period)


class PlayKeys(QObject):
    """Leaves Space, comma and full stop to the player while a field of whole numbers has the focus."""

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        field.setProperty(LEAVES_PLAY_KEYS, True)
        field.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _plays(event):
            event.ignore()
            return True
        return False


class KeyGuard(QObject):
    """An event filter for a window (or a part of one) whose actions have such keys as shortcuts.

    Without it Space would play the animation while a button has the focus, and no button could be pressed with it. A
    button that is the chosen one of several has no use for Space.
    """

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_plain(event):
            focus = QApplication.focusWidget()
            if focus is None or (focus.property(LEAVES_PLAY_KEYS) and _plays(event)):
                return False
            if isinstance(focus, _KEYS.get(Qt.Key(event.key()), ())) and not _is_chosen(focus):
                event.accept()
                return True
        return False


def _is_chosen(widget: QWidget) -> bool:
    """Whether it is the chosen button of an exclusive group, which no key can press."""
    if not isinstance(widget, QAbstractButton) or not widget.isChecked():
        return False
    group = widget.group()
    return widget.autoExclusive() or (group is not None and group.exclusive())


def _plays(event: QKeyEvent) -> bool:
    return event.key() in _PLAYING and _is_plain(event)


def _is_plain(event: QKeyEvent) -> bool:
    return event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
