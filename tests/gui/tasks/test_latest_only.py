"""Only the newest question counts."""

from __future__ import annotations

import gc
import threading
import weakref

from pytestqt.qtbot import QtBot

from gemmviz.gui.tasks.latest_only import LatestOnly


def unwanted(value: object) -> None:
    raise AssertionError(f"delivered {value!r}")


def test_that_only_the_newest_is_delivered(qtbot: QtBot) -> None:
    newest, begun, go_on = LatestOnly(), threading.Event(), threading.Event()
    ran: list[str] = []
    results: list[str] = []

    def first() -> None:
        begun.set()
        assert go_on.wait(10)
        ran.append("first")

    newest.start(first, unwanted, unwanted)
    assert begun.wait(10)
    newest.start(lambda: ran.append("second"), unwanted, unwanted)
    newest.start(lambda: "third", results.append, unwanted)
    go_on.set()
    qtbot.waitUntil(lambda: bool(results))
    assert (ran, results) == (["first"], ["third"])


def test_that_a_fault_is_delivered_as_such(qtbot: QtBot) -> None:
    newest, faults = LatestOnly(), []
    newest.start(lambda: 1 // 0, unwanted, faults.append)
    qtbot.waitUntil(lambda: bool(faults))
    assert isinstance(faults[0], ZeroDivisionError)


def test_that_nothing_is_held_that_is_done_or_forgotten(qtbot: QtBot) -> None:
    class Large:
        def answer(self) -> int:
            return 42

    newest, large, results = LatestOnly(), Large(), []
    gone = weakref.ref(large)
    newest.start(large.answer, results.append, unwanted)
    qtbot.waitUntil(lambda: bool(results))
    newest.start(large.answer, unwanted, unwanted)
    newest.forget()
    del large
    qtbot.waitUntil(lambda: gc.collect() >= 0 and gone() is None)
