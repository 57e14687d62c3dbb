"""Settings are written as they change: the newest, seldom, and without holding anything up."""

from __future__ import annotations

import threading
import time

from gemmviz.gui.looks.theme import ThemeChoice
from gemmviz.gui.settings import Settings
from gemmviz.gui.settings_writer import SettingsWriter

OLD, NEW, LAST = (Settings(theme=choice) for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK, ThemeChoice.AUTO))
PATIENCE_S = 30.0


class SlowDisk:
    """Each write waits until it is let go."""

    def __init__(self) -> None:
        self.written: list[Settings] = []
        self.begun, self.let_go = threading.Semaphore(0), threading.Semaphore(0)

    def save(self, settings: Settings) -> str:
        self.begun.release()
        assert self.let_go.acquire(timeout=PATIENCE_S)
        self.written.append(settings)
        return "full" if settings is LAST else ""


def test_that_a_slow_disk_holds_nobody_up_and_gets_only_the_newest() -> None:
    disk = SlowDisk()
    writer = SettingsWriter(disk.save, interval_s=0.0)
    writer.write_soon(OLD)
    assert disk.begun.acquire(timeout=PATIENCE_S)
    for settings in (OLD, LAST, NEW):
        writer.write_soon(settings)  # returns, though the first is not written
    assert disk.written == []
    disk.let_go.release(2)
    assert disk.begun.acquire(timeout=PATIENCE_S), "the newest of those that waited"
    disk.let_go.release()
    assert writer.write_now(LAST) == "full"
    assert disk.written == [OLD, NEW, LAST]


def test_that_two_writes_are_an_interval_apart() -> None:
    times: list[float] = []
    is_first, is_second = threading.Event(), threading.Event()

    def save(_: Settings) -> str:
        times.append(time.monotonic())
        (is_second if len(times) > 1 else is_first).set()
        return ""

    writer = SettingsWriter(save, interval_s=0.2)
    writer.write_soon(OLD)
    assert is_first.wait(PATIENCE_S)
    writer.write_soon(NEW)
    assert is_second.wait(PATIENCE_S)
    assert times[1] - times[0] >= 0.2


def test_that_nothing_older_is_written_after_the_last_word() -> None:
    written: list[Settings] = []
    writer = SettingsWriter(lambda settings: written.append(settings) or "", interval_s=0.05)
    writer.write_soon(OLD)
    writer.write_soon(NEW)
    assert writer.write_now(LAST) == ""
    time.sleep(0.2)
    assert written[-1] is LAST
    writer.write_soon(OLD)
    deadline = time.monotonic() + PATIENCE_S
    while written[-1] is not OLD and time.monotonic() < deadline:
        time.sleep(0.01)
    assert written[-1] is OLD, "and it goes on after that"
