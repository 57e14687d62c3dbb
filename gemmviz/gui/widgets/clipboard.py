"""Putting things on the clipboard."""

from __future__ import annotations

import atexit
import sys
from functools import cache

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication


def put_on_clipboard(data: QMimeData) -> None:
    """Offer `data` to other programs, in all its forms."""
    _clear_at_exit()
    QGuiApplication.clipboard().setMimeData(data)


@cache
def _clear_at_exit() -> None:
    """WORKAROUND: what Python made and the clipboard still holds is deleted after Python has ended, which crashes
    PySide6 6.11 on Linux. Elsewhere the system keeps a copy.
    """
    if sys.platform == "linux":
        atexit.register(_clear)


def _clear() -> None:
    if QGuiApplication.instance() is None:
        return
    is_alone = QGuiApplication.platformName() == "offscreen"  # whose clipboard nobody else can own
    if is_alone or QGuiApplication.clipboard().ownsClipboard():
        QGuiApplication.clipboard().clear()
