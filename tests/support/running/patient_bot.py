"""A qtbot whose waiting is a guard against what never comes, not a promise of speed.

pytest-qt waits for five seconds unless told otherwise. What comes at once on a quiet machine may take longer than that
while others have the cores, and is no worse. Promises of speed are tested by tests/support/running/pace.py.
"""

from __future__ import annotations

from typing import Any

from pytestqt.qtbot import QtBot

PATIENCE_MS = 90_000
"""The shortest time after which something is said never to come."""


class PatientBot(QtBot):
    """Waits for PATIENCE_MS where a test names no time; one that does makes a promise."""

    def waitUntil(self, callback: Any, *, timeout: int = PATIENCE_MS) -> None:  # noqa: N802 - pytest-qt's names
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:  # noqa: N802
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:  # noqa: N802
        return super().waitSignals(signals, timeout=timeout, **more)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:  # noqa: N802
        return super().waitExposed(widget, timeout=timeout)
