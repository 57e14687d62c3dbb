"""Keys that a widget uses itself, kept from being shortcuts of the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent


class OwnKeys(QObject):
    """Takes the keys for which the watched widget's method `does` returns something, while it has the focus.

    It is no `event` of the widget's own: deleting a stage waits for its other thread, and from a method of Python that
    thread would wait for this one.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        does = getattr(watched, "does", None)
        if not (is_override and isinstance(event, QKeyEvent) and callable(does)) or does(event) is None:
            return False
        event.accept()
        return True
