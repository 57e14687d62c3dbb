"""What the worker says, and how often."""

from __future__ import annotations

import threading
import time

import pytest

from gemmviz.engine.event_sender import EventSender
from gemmviz.engine.messages import Event, Finished, Progressed


class Hearer:
    """Keeps what is sent; may wait for a number of events."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._came = threading.Semaphore(0)

    def send(self, event: Event) -> None:
        self.events.append(event)
        self._came.release()

    def wait_for(self, count: int) -> list[Event]:
        for _ in range(count):
            assert self._came.acquire(timeout=10.0), self.events
        return self.events


@pytest.fixture
def hearer() -> Hearer:
    return Hearer()


def progress(fraction: float, job: int = 0, kernel: str = "tiled") -> Progressed:
    return Progressed(1, job, 9, kernel, "words", fraction)


def test_that_another_job_or_kernel_is_told_at_once(hearer: Hearer) -> None:
    event_sender = EventSender(hearer.send, interval_s=1000.0)
    told = [progress(0.0, 0, ""), progress(0.0), progress(0.0, 1), progress(0.0, 1, "naive")]
    for event in told:
        event_sender.tell(event)
    assert hearer.events == told


def test_that_of_much_progress_the_latest_is_told_when_it_is_due(hearer: Hearer) -> None:
    event_sender = EventSender(hearer.send, interval_s=0.05)
    begin = time.monotonic()
    for step in range(100):
        event_sender.tell(progress(step / 100))
    first, *_, last = hearer.wait_for(2)
    assert (first, last) == (progress(0.0), progress(0.99))
    assert time.monotonic() - begin >= 0.05


def test_that_progress_that_waits_is_forgotten_once_there_is_more_to_say(hearer: Hearer) -> None:
    event_sender = EventSender(hearer.send, interval_s=0.5)
    event_sender.tell(progress(0.0))
    event_sender.tell(progress(0.5))
    event_sender.send(Finished(1))
    event_sender.tell(progress(0.0, 1))
    event_sender.tell(progress(0.1, 1))
    events = hearer.wait_for(4)
    assert events == [progress(0.0), Finished(1), progress(0.0, 1), progress(0.1, 1)]
