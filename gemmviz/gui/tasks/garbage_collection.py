"""Collects garbage in the window's thread alone. Python collects in whichever thread allocates; a widget that is part
of a cycle would then be destroyed in a thread that is not its own, which ends the program.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 250
"""Between two looks. A look reads three counts."""
WHOLE_EVERY = 40
"""Looks between two collections of all objects, which take longest."""


class GarbageCollection(QObject):
    """Takes the place of Python's own collection as long as it lives, by the same counts and thresholds."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._looks = 0
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Collect the oldest generation whose count exceeds its threshold."""
        self._looks += 1
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [number for number in range(3) if counts[number] > thresholds[number]]
        if not due:
            return
        oldest = due[-1]
        if oldest == 2:
            if self._looks < WHOLE_EVERY:
                oldest = 1
            else:
                self._looks = 0
        gc.collect(oldest)

    def stop(self) -> None:
        """Give the collection back to Python."""
        self._timer.stop()
        gc.enable()
