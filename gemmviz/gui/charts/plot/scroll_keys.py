"""The keys that scroll the rows of a plot."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollBar


def scroll_by_key(bar: QScrollBar, key: int, step: int) -> bool:
    """Scroll by `step` pixels, by a page or to an end; whether the key is one of these."""
    moves = {
        Qt.Key.Key_Up: -step,
        Qt.Key.Key_Down: step,
        Qt.Key.Key_PageUp: -bar.pageStep(),
        Qt.Key.Key_PageDown: bar.pageStep(),
        Qt.Key.Key_Home: -bar.maximum(),
        Qt.Key.Key_End: bar.maximum(),
    }
    if key not in moves:
        return False
    bar.setValue(bar.value() + moves[Qt.Key(key)])
    return True
