"""Work that waits until the window has had its turn."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def deferred(owner: QObject, show: Callable[[], None]) -> QTimer:
    """A timer that, once started, calls `show` when the window has had its turn; started twice it calls once.

    So a recording that arrives, and is shown in many places, does not hold the window up.
    """
    timer = QTimer(owner, singleShot=True, interval=0)
    timer.timeout.connect(show)
    return timer
