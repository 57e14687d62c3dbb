"""The worker's voice: events in order, and of progress no more than a person can read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from gemmviz.engine.messages import Event, Progressed

INTERVAL_S = 1.0 / 30.0
"""Between two words of progress."""


class EventSender:
    """Sends events. Of progress within a job at most one event per interval is sent, and the latest always is."""

    def __init__(self, send: Callable[[Event], None], interval_s: float = INTERVAL_S) -> None:
        self._send = send
        self._interval_s = interval_s
        self._changed = threading.Condition()
        self._waiting: Progressed | None = None
        self._job = (0, 0, "")
        self._sent_s = 0.0
        threading.Thread(target=self._catch_up, name="progress", daemon=True).start()

    def tell(self, progress: Progressed) -> None:
        """Send progress now or soon; at once where another job begins, so that a crash can name the job."""
        with self._changed:
            if _job(progress) != self._job or self._due_s() <= 0.0:
                self._send_progress(progress)
            else:
                self._waiting = progress
                self._changed.notify()

    def send(self, event: Event) -> None:
        """Send an event now; progress that is still waiting is out of date."""
        with self._changed:
            self._waiting = None
            self._send(event)

    def _due_s(self) -> float:
        return self._sent_s + self._interval_s - time.monotonic()

    def _send_progress(self, progress: Progressed) -> None:
        self._waiting = None
        self._job = _job(progress)
        self._sent_s = time.monotonic()
        self._send(progress)

    def _catch_up(self) -> None:
        with self._changed:
            while True:
                self._changed.wait_for(lambda: self._waiting is not None)
                while (wait_s := self._due_s()) > 0.0:
                    self._changed.wait(wait_s)
                if self._waiting is not None:
                    self._send_progress(self._waiting)


def _job(progress: Progressed) -> tuple[int, int, str]:
    return progress.id, progress.job, progress.kernel
