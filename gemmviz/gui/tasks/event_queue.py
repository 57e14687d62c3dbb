"""Hands things on one at a time, so that many which arrive together do not hold the window up."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject, QTimer, Signal, Slot


class EventQueue(QObject):
    """A queue that lets the window paint and listen between any two of its things."""

    handed = Signal(object)
    """The next thing; they come in the order in which they were added."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[object] = deque()
        self._is_closed = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._hand_on)

    def __len__(self) -> int:
        return len(self._waiting)

    @Slot(object)
    def add(self, thing: object) -> None:
        """Hand this on when its turn comes: not now, though perhaps as soon as the caller returns."""
        if not self._is_closed:
            self._waiting.append(thing)
            self._timer.start()

    def hand_on_all(self) -> None:
        """Hand everything on at once."""
        self._timer.stop()
        while self._waiting:
            self.handed.emit(self._waiting.popleft())

    def close(self) -> None:
        """Drop what waits and whatever is added from now on."""
        self._timer.stop()
        self._waiting.clear()
        self._is_closed = True

    @Slot()
    def _hand_on(self) -> None:
        thing = self._waiting.popleft()
        if self._waiting:
            self._timer.start()
        self.handed.emit(thing)
