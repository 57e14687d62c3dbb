"""Frames made beside the window."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from pace import limit_s
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.frame_facts import FrameFacts
from gemmviz.gui.player.frame_server import LOOK_AHEAD, FrameServer
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.values import Frame


@pytest.fixture(scope="module")
def tiled(recorded: Callable[..., TraceRun]) -> TraceRun:
    return recorded("tiled", "16x16x16", ((0, 0, 0), (1, 1, 0)), TILE=4)


@pytest.fixture(scope="module")
def naive(recorded: Callable[..., TraceRun]) -> TraceRun:
    return recorded("naive", "17x33x5")


@pytest.fixture
def server(qtbot: QtBot) -> Iterator[FrameServer]:  # noqa: ARG001 - results come through the event loop
    server = FrameServer()
    yield server
    server.close()


class Ready:
    """What a server delivers, in order."""

    def __init__(self, server: FrameServer) -> None:
        self.frames: list[Frame] = []
        self.failures: list[str] = []
        server.frame_ready.connect(lambda _, frame: self.frames.append(frame))
        server.failed.connect(self.failures.append)

    @property
    def indices(self) -> list[int]:
        return [frame.index for frame in self.frames]


def opened(qtbot: QtBot, server: FrameServer, *what: object) -> FrameFacts:
    with qtbot.waitSignal(server.opened) as told:
        server.open(*what)  # type: ignore[arg-type]
    facts = told.args[0]
    assert isinstance(facts, FrameFacts)
    return facts


class Gate:
    """Lets the making of what a server has open wait, and counts it. Another server's frames pass it by."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, server: FrameServer) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.made: list[int] = []
        self.threads: set[int] = set()
        make, watched = Frames.frame, server._frames

        def frame(frames: Frames, index: int) -> Frame:
            if frames is not watched:
                return make(frames, index)
            self.made.append(index)
            self.threads.add(threading.get_ident())
            self.begun.set()
            assert self.go_on.wait(10)
            return make(frames, index)

        monkeypatch.setattr(Frames, "frame", frame)


def test_that_opening_tells_what_there_is(qtbot: QtBot, server: FrameServer, tiled: TraceRun, naive: TraceRun) -> None:
    facts = opened(qtbot, server, tiled, 1, FrameMode.PHASE)
    assert (facts.trace.block, facts.mode, facts.count) == ((1, 1, 0), FrameMode.PHASE, 9)
    assert facts.marks.barriers.tolist() == list(range(8))
    assert server.facts is facts
    assert opened(qtbot, server, naive).mode is FrameMode.STEP  # the natural mode of a kernel without barriers


def test_that_a_frame_comes_as_it_is_made_elsewhere(
    qtbot: QtBot, server: FrameServer, tiled: TraceRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    gate = Gate(monkeypatch, server)
    gate.go_on.set()
    with qtbot.waitSignal(server.frame_ready) as told:
        server.request(4)
    index, frame = told.args
    monkeypatch.undo()
    assert index == frame.index == 4
    assert frame.caption == Frames(facts.trace, FrameMode.PHASE).frame(4).caption
    assert threading.get_ident() not in gate.threads


def test_that_the_next_frames_are_made_in_advance_and_come_at_once(
    qtbot: QtBot, server: FrameServer, tiled: TraceRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    gate = Gate(monkeypatch, server)
    gate.go_on.set()
    ready = Ready(server)
    server.request(3)
    qtbot.waitUntil(lambda: len(gate.made) == 1 + LOOK_AHEAD)
    assert gate.made == [3, 4, 5]
    assert ready.indices == [3]  # those made in advance are not told
    qtbot.waitUntil(lambda: 5 in server._cache)
    gate.go_on.clear()
    server.request(4)
    assert ready.indices == [3, 4]
    gate.go_on.set()
    server.request(2)
    qtbot.waitUntil(lambda: {0, 1} <= set(gate.made))  # backwards after a step back
    qtbot.waitUntil(lambda: ready.indices == [3, 4, 2])


def test_that_of_waiting_requests_only_the_newest_is_made(
    qtbot: QtBot, server: FrameServer, tiled: TraceRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(qtbot, server, tiled, 0, FrameMode.REQUEST)
    gate = Gate(monkeypatch, server)
    ready = Ready(server)
    server.request(10)
    assert gate.begun.wait(10)
    for index in (11, 12, 13, 40):
        server.request(index)
    gate.go_on.set()
    qtbot.waitUntil(lambda: 40 in ready.indices)
    assert ready.indices == [10, 40]
    assert gate.made[:2] == [10, 40]


def test_that_a_frame_is_never_told_after_a_newer_one(
    qtbot: QtBot, server: FrameServer, tiled: TraceRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    ready = Ready(server)
    with qtbot.waitSignal(server.frame_ready):
        server.request(0)
    qtbot.waitUntil(lambda: 2 in server._cache)
    gate = Gate(monkeypatch, server)
    server.request(8)
    assert gate.begun.wait(10)
    server.request(0)  # it is kept, and so is told at once
    gate.go_on.set()
    qtbot.waitUntil(lambda: 8 in server._cache)
    assert ready.indices == [0, 0]


def test_that_nothing_of_what_was_open_before_is_told(
    qtbot: QtBot, server: FrameServer, tiled: TraceRun, naive: TraceRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    gate = Gate(monkeypatch, server)
    ready, answers = Ready(server), []
    server.request(5)
    server.ask("length", len, answers.append)
    assert gate.begun.wait(10)
    with qtbot.waitSignal(server.opened):
        server.open(naive, 0, FrameMode.PHASE)
        gate.go_on.set()
    with qtbot.waitSignal(server.frame_ready):
        server.request(0)
    assert [frame.count for frame in ready.frames] == [1]
    assert answers == []


def test_that_questions_are_answered_where_frames_are_made(qtbot: QtBot, server: FrameServer, tiled: TraceRun) -> None:
    answers: list[tuple[int, int]] = []
    server.ask("too soon", lambda _: (0, 0), answers.append)
    opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    server.ask("length", lambda frames: (len(frames), threading.get_ident()), answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    assert answers[0][0] == 9
    assert answers[0][1] != threading.get_ident()


def test_that_of_questions_on_one_topic_only_the_newest_is_put(
    qtbot: QtBot, server: FrameServer, tiled: TraceRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    gate = Gate(monkeypatch, server)
    answers: list[str] = []
    server.request(0)
    assert gate.begun.wait(10)
    for word in ("first", "second", "third"):
        server.ask("heat", lambda _, word=word: word, answers.append)
    server.ask("hover", lambda _: "other", answers.append)
    gate.go_on.set()
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == ["third", "other"]


def test_that_a_question_that_fails_is_told_and_the_next_is_put(
    qtbot: QtBot, server: FrameServer, tiled: TraceRun
) -> None:
    opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    ready, answers = Ready(server), []
    server.ask("wrong", lambda frames: frames.heat("Z", 0), answers.append)
    server.ask("right", len, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == [9]
    assert [words.startswith("these frames cannot be shown") for words in ready.failures] == [True]
    assert "there is no array Z" in ready.failures[0]


def test_that_a_block_that_is_not_kept_is_refused_in_words(server: FrameServer, tiled: TraceRun) -> None:
    ready = Ready(server)
    server.open(tiled, 2)
    server.open(replace(tiled, blocks=()), 0)
    assert ready.failures == [
        "block 2 of the recording of tiled is not there: it keeps 2",
        "block 0 of the recording of tiled is not there: it keeps none. Record it again with one block",
    ]
    assert server.facts is None


def test_that_a_trace_that_does_not_fit_is_refused_in_words(qtbot: QtBot, server: FrameServer, tiled: TraceRun) -> None:
    stored = tiled.blocks[0]
    wrong = replace(stored, slot_epoch=stored.slot_epoch[::-1].copy())
    with qtbot.waitSignal(server.failed) as told:
        server.open(replace(tiled, blocks=(wrong,)), 0)
    assert "comes after a later one" in told.args[0]


@pytest.mark.parametrize("index", [-1, 9, 10**9])
def test_that_a_frame_that_is_not_there_is_not_made(
    qtbot: QtBot, server: FrameServer, tiled: TraceRun, index: int
) -> None:
    server.request(0)  # nothing is open
    opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    ready, answers = Ready(server), []
    server.request(index)
    server.ask("length", len, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    assert (ready.indices, ready.failures) == ([], [])


def test_that_it_is_busy_while_somebody_waits_for_long(
    qtbot: QtBot, tiled: TraceRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = FrameServer(busy_after_ms=1)
    told: list[bool] = []
    opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    server.busy_changed.connect(told.append)
    gate = Gate(monkeypatch, server)
    server.request(0)
    qtbot.waitUntil(lambda: told == [True])
    gate.go_on.set()
    qtbot.waitUntil(lambda: told == [True, False])
    gate.go_on.clear()
    server.request(8)
    qtbot.waitUntil(lambda: told == [True, False, True])
    server.close()
    assert (server.facts, told) == (None, [True, False, True, False])
    gate.go_on.set()


def test_that_what_is_done_in_a_moment_is_not_worth_a_word(qtbot: QtBot, tiled: TraceRun) -> None:
    server = FrameServer(busy_after_ms=60_000)
    told: list[bool] = []
    server.busy_changed.connect(told.append)
    opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    for index in (0, 8, 3):
        with qtbot.waitSignal(server.frame_ready):
            server.request(index)
    assert told == []


def test_that_the_window_never_waits_for_a_large_trace(qtbot: QtBot, server: FrameServer, naive: TraceRun) -> None:
    """Two million accesses: opened and made while the window's own thread ticks on."""
    stored = naive.blocks[0]
    times = -(-2_000_000 // stored.addresses.size)
    warps = -(-stored.threads // 32)
    shaped = stored.addresses.reshape(warps, -1, 32)
    large = replace(
        stored,
        slot_site=np.tile(stored.slot_site, times),
        slot_epoch=np.tile(stored.slot_epoch, times),
        addresses=np.tile(shaped, (1, times, 1)).reshape(-1),
        snapshots=(),
    )
    ticks = [time.thread_time()]  # what the window's own thread works; others on the machine do not count
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(time.thread_time()))
    timer.start(1)
    opened(qtbot, server, replace(naive, blocks=(large,)), 0, FrameMode.PHASE)
    with qtbot.waitSignal(server.frame_ready) as told:
        server.request(0)
    timer.stop()
    assert sum(touch.accesses for touch in told.args[1].touches) > 1_000_000
    assert len(ticks) > 20
    assert np.diff(ticks).max() < limit_s(0.05)


def test_that_a_closed_server_keeps_nothing(qtbot: QtBot, server: FrameServer, tiled: TraceRun) -> None:
    facts = opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    gone = weakref.ref(facts.trace.addresses)
    server.request(0)
    server.ask("length", len, lambda _: None)
    server.close()
    del facts
    qtbot.waitUntil(lambda: gc.collect() >= 0 and gone() is None)


def test_that_a_server_may_go_while_it_works(qtbot: QtBot, tiled: TraceRun, monkeypatch: pytest.MonkeyPatch) -> None:
    server = FrameServer()
    opened(qtbot, server, tiled, 0, FrameMode.PHASE)
    gate = Gate(monkeypatch, server)
    ready = Ready(server)
    server.request(0)
    assert gate.begun.wait(10)
    gate.go_on.set()
    server.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    other = FrameServer()
    opened(qtbot, other, tiled, 0, FrameMode.PHASE)  # by then all that was posted has been handled
    assert ready.indices == []


def test_that_a_quiet_question_makes_nobody_wait(qtbot: QtBot, tiled: TraceRun) -> None:
    server = FrameServer(busy_after_ms=1)
    opened(qtbot, server, tiled)
    told: list[bool] = []
    server.busy_changed.connect(told.append)
    answers: list[int] = []
    for quietly in (True, False):
        begun, go_on = threading.Event(), threading.Event()

        def slow(frames: Frames, begun: threading.Event = begun, go_on: threading.Event = go_on) -> int:
            begun.set()
            assert go_on.wait(10)
            return len(frames)

        server.ask("first", slow, answers.append, quietly=True)
        assert begun.wait(10)
        server.ask("second", len, answers.append, quietly=quietly)
        if quietly:
            server._on_patience_lost()
        else:
            qtbot.waitUntil(lambda: told == [True])
        go_on.set()
        qtbot.waitUntil(lambda quietly=quietly: len(answers) == (2 if quietly else 4))
    assert told == [True, False]
