"""Keys that a widget uses itself, kept from being shortcuts of the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

Action = Callable[[], object]
Keys = Mapping[tuple[Qt.Key, bool], Action]
"""What a key does, by the key and whether Shift is held."""


def action_of(keys: Keys, event: QKeyEvent) -> Action | None:
    """What a key that is pressed does; None for nothing."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if held & ~Qt.KeyboardModifier.ShiftModifier:
        return None
    has_shift = held == Qt.KeyboardModifier.ShiftModifier
    return next((act for (key, shift), act in keys.items() if (key, shift) == (event.key(), has_shift)), None)


def letters_of_window(widget: QWidget, keys: Keys) -> None:
    """Let the letters among the keys work wherever the focus is in the window, while the widget is in sight."""
    for (key, has_shift), act in keys.items():
        if _is_letter(key):
            shift = Qt.KeyboardModifier.ShiftModifier if has_shift else Qt.KeyboardModifier.NoModifier
            QShortcut(QKeySequence(shift | key), widget, act)


def _is_letter(key: int) -> bool:
    return bool(Qt.Key.Key_A <= key <= Qt.Key.Key_Z)


def _is_wanted_elsewhere(key: int) -> bool:
    """Whether a key has a shortcut that works within the widget too: `letters_of_window`, the steps of a lesson."""
    return _is_letter(key) or key in (Qt.Key.Key_Left, Qt.Key.Key_Right)


class OwnKeys(QObject):
    """Takes the keys of the watched widget's property `keys` while it has the focus.

    It is no `event` of the widget's own: deleting a stage waits for its other thread, and from a method of Python that
    thread would wait for this one.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) or not isinstance(event, QKeyEvent):
            return False
        act = action_of(getattr(watched, "keys", {}), event)
        if act is None:
            return False
        is_override = kind == QEvent.Type.ShortcutOverride
        if (
            is_override
            and _is_wanted_elsewhere(event.key())
            and isinstance(watched, QWidget)
            and not watched.hasFocus()
        ):
            return False
        event.accept()
        if kind == QEvent.Type.KeyPress:
            act()
        return True
