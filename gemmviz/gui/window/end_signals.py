"""Hears the signals that ask a process to end, at once and without asking now and then whether one came."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

PATIENCE_S = 1.7
"""How long the window may take to end after a signal; then the process ends whatever is going on."""

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""Those of them that the system has: Ctrl+C, a polite end, the terminal or the session closes, Ctrl+Break."""


class EndSignals(QObject):
    """Turns signals of the system into one Qt signal in the window's thread, also within a dialog's own loop.

    Python's C handler writes the number to a socket (`signal.set_wakeup_fd`). A thread waits for it, and not a
    QSocketNotifier, because that would be as stuck as the window may be: where the process is still there after
    `patience_s`, the thread ends it with 128 + the number. A signal that the caller ignores stays ignored (nohup).
    """

    heard = Signal(int)
    """The number of the signal; comes once."""

    def __init__(
        self, parent: QObject | None = None, patience_s: float = PATIENCE_S, leave: Callable[[int], object] = os._exit
    ) -> None:
        super().__init__(parent)
        self._ours, self._theirs = socket.socketpair()
        self._theirs.setblocking(False)
        self._numbers = {getattr(signal, name) for name in SIGNALS if hasattr(signal, name)}
        self._patience_s, self._leave = patience_s, leave
        signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        for number in self._numbers:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, _do_nothing)
        threading.Thread(target=self._listen, name="end signals", daemon=True).start()

    def _listen(self) -> None:
        while (number := self._ours.recv(1)) and number[0] not in self._numbers:
            pass
        if not number:
            return
        self.heard.emit(number[0])
        time.sleep(self._patience_s)
        self._leave(128 + number[0])


def _do_nothing(*_: object) -> None:
    """Python's own part of hearing a signal; the thread has heard it already."""
