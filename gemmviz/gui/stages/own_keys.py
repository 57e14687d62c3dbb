"""Keys that a widget uses itself, kept from being shortcuts of the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent

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
        event.accept()
        if kind == QEvent.Type.KeyPress:
            act()
        return True
