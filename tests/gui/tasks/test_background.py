"""Work beside the window: off its thread, delivered on it, forgotten when nobody waits any more."""

from __future__ import annotations

import gc
import threading
import weakref

from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from gemmviz.gui.tasks.background import Background


def unwanted(value: object) -> None:
    raise AssertionError(f"delivered {value!r}")


def test_that_work_is_done_elsewhere_and_delivered_here(qtbot: QtBot) -> None:
    background = Background()
    threads: list[int] = []
    results: list[tuple[int, int]] = []
    with qtbot.waitSignal(background.idle):
        background.start(
            lambda: threads.append(threading.get_ident()) or 42,
            lambda result: results.append((result, threading.get_ident())),
            unwanted,
        )
    assert results == [(42, threading.get_ident())]
    assert threads != [threading.get_ident()]
    assert background.waiting == 0


def test_that_an_exception_is_delivered_as_such(qtbot: QtBot) -> None:
    background = Background()
    faults: list[Exception] = []
    with qtbot.waitSignal(background.idle):
        background.start(lambda: 1 // 0, unwanted, faults.append)
    assert [type(fault) for fault in faults] == [ZeroDivisionError]


def test_that_none_is_a_result(qtbot: QtBot) -> None:
    background = Background()
    results: list[object] = []
    with qtbot.waitSignal(background.idle):
        background.start(lambda: None, results.append, unwanted)
    assert results == [None]


def test_that_a_cancelled_task_is_not_delivered_and_one_in_the_queue_never_runs(qtbot: QtBot) -> None:
    background = Background(threads=1)
    begun, go_on = threading.Event(), threading.Event()
    ran: list[str] = []
    results: list[str] = []

    def first() -> None:
        begun.set()
        go_on.wait(10)
        ran.append("first")

    running = background.start(first, unwanted, unwanted)
    queued = background.start(lambda: ran.append("second"), unwanted, unwanted)
    assert begun.wait(10)
    assert background.cancel(queued)
    assert background.cancel(running)
    assert not background.cancel(running)
    go_on.set()
    with qtbot.waitSignal(background.idle):
        background.start(lambda: "third", results.append, unwanted)
    assert (ran, results) == (["first"], ["third"])


def test_that_cancelling_everything_leaves_nobody_waiting(qtbot: QtBot) -> None:
    background = Background(threads=1)
    go_on = threading.Event()
    for _ in range(5):
        background.start(lambda: go_on.wait(10), unwanted, unwanted)
    with qtbot.waitSignal(background.idle):
        background.cancel_all()
    go_on.set()
    assert background.waiting == 0


def test_that_a_window_that_is_gone_gets_nothing(qtbot: QtBot) -> None:
    background = Background()
    go_on = threading.Event()
    background.start(lambda: go_on.wait(10), unwanted, unwanted)
    go_on.set()
    background.deleteLater()
    QCoreApplication.sendPostedEvents(background, QEvent.Type.DeferredDelete)
    other = Background()
    with qtbot.waitSignal(other.idle):  # by then all that was posted has been handled
        other.start(lambda: None, lambda _: None, unwanted)


def test_that_nothing_is_kept_after_delivery(qtbot: QtBot) -> None:
    class Big:
        pass

    background = Background()
    kept: list[weakref.ref[Big]] = []

    def make() -> Big:
        made = Big()
        kept.append(weakref.ref(made))
        return made

    for _ in range(20):
        with qtbot.waitSignal(background.idle):
            background.start(make, lambda _: None, unwanted)
    QCoreApplication.processEvents()
    gc.collect()
    assert len(kept) == 20
    assert [ref for ref in kept if ref() is not None] == []
