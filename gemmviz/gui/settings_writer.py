"""Writes settings while the window goes on: on a thread, at most once a second, and always the newest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from gemmviz.gui.settings import Settings

INTERVAL_S = 1.0
"""From one write to the next."""


class SettingsWriter:
    """Writes through `save`, which returns a sentence where it failed and "" where not. The thread lasts no longer than
    there is something to write. What it cannot write is told by `write_now`, at the end of the window.
    """

    def __init__(self, save: Callable[[Settings], str], interval_s: float = INTERVAL_S) -> None:
        self._save, self._interval_s = save, interval_s
        self._writing, self._state = threading.Lock(), threading.Lock()
        self._next: Settings | None = None
        self._is_running = False

    def write_soon(self, settings: Settings) -> None:
        """Write these in place of those that wait; returns at once."""
        with self._state:
            self._next = settings
            if self._is_running:
                return
            self._is_running = True
        threading.Thread(target=self._run, name="settings", daemon=True).start()

    def write_now(self, settings: Settings) -> str:
        """Write these, and nothing that waited; what `save` returns."""
        with self._writing:
            with self._state:
                self._next = None
            return self._save(settings)

    def _run(self) -> None:
        while self._write_next():
            time.sleep(self._interval_s)

    def _write_next(self) -> bool:
        """Write what waits; False where nothing does, and the thread ends."""
        with self._writing:
            with self._state:
                settings, self._next = self._next, None
                self._is_running = settings is not None
            if settings is not None:
                self._save(settings)
        return settings is not None
