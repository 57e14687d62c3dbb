"""Animations off the window's thread: how far they are, what they end in, and what is left of those given up."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from pace import MOST_ROUNDS, clock_limit_s, slowest_s
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.runs.result import Session
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.explain.source.recordings_beside import names_beside
from gemmviz.gui.export.film import runner as runner_module
from gemmviz.gui.export.film.choice import FilmChoice
from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.export.film.request import FilmRequest
from gemmviz.gui.export.film.runner import FilmRunner
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.recording.block_names import Beside, recorded_block_names


@pytest.fixture
def runner(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> FilmRunner:
    del qtbot
    monkeypatch.setattr(runner_module, "TELL_EVERY_S", 0.0)
    return FilmRunner()


def request(recorded: Session, last: int = 2) -> FilmRequest:
    return FilmRequest(recorded_block_names(recorded)[0], FilmChoice((FilmFormat.GIF,), 1, last, 1.0, 10, (400, 260)))


def test_that_a_film_is_made_and_its_progress_told(
    runner: FilmRunner, recorded: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    told: list[tuple[int, int]] = []
    runner.progressed.connect(lambda done, total: told.append((done, total)))
    with qtbot.waitSignal(runner.finished) as finished:
        runner.start(recorded.traces[0], request(recorded), tmp_path, LIGHT)
        assert runner.busy
    assert finished.args == [(tmp_path / "tiled_9x7x10_memory_block_1_2.gif",)]
    assert (tmp_path / "tiled_9x7x10_memory_block_1_2.gif").read_bytes().startswith(b"GIF89a")
    assert not runner.busy
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {total for _, total in told} == {50}


def test_that_the_window_has_next_to_nothing_to_do_meanwhile(
    runner: FilmRunner, recorded: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    rounds = itertools.count()

    def longest() -> list[float]:
        turns = [time.thread_time()]  # what the window's own thread works; others on the machine do not count
        timer = QTimer(interval=2)
        timer.timeout.connect(lambda: turns.append(time.thread_time()))
        timer.start()
        with qtbot.waitSignal(runner.finished):
            runner.start(recorded.traces[0], request(recorded), tmp_path / str(next(rounds)), LIGHT)
        timer.stop()
        took = [later - one for one, later in pairwise(turns)]
        assert len(took) > 10
        return [max(took)]

    assert slowest_s(longest, 0.05) < 0.05


def test_that_the_window_is_answered_ten_times_a_second_while_frames_are_painted(
    runner: FilmRunner, recorded: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    """By the clock: also where the thread that paints keeps the interpreter from the window's."""
    longest, limits = [], []
    for number in range(MOST_ROUNDS):
        beats = [time.perf_counter()]
        timer = QTimer(interval=5)
        timer.timeout.connect(lambda beats=beats: beats.append(time.perf_counter()))
        with qtbot.waitSignal(runner.finished):
            runner.start(recorded.traces[0], request(recorded), tmp_path / str(number), LIGHT)
            timer.start()
        timer.stop()
        assert len(beats) > 10
        longest.append(max(later - one for one, later in pairwise(beats)))
        limits.append(clock_limit_s(0.1))
        if longest[-1] < limits[-1]:
            break
    assert longest[-1] < limits[-1]


def test_that_a_film_that_is_stopped_leaves_nothing(
    runner: FilmRunner, recorded: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    runner.progressed.connect(lambda done, _: runner.stop() if done else None)
    with qtbot.waitSignal(runner.stopped):
        runner.start(recorded.traces[0], request(recorded, 7), tmp_path, LIGHT)
    assert list(tmp_path.iterdir()) == []
    assert not runner.busy


def test_that_the_reason_of_a_failure_is_told(
    runner: FilmRunner, recorded: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "file").touch()
    with qtbot.waitSignal(runner.failed) as failed:
        runner.start(recorded.traces[0], request(recorded), tmp_path / "file", LIGHT)
    assert failed.args == [f"cannot write to {tmp_path / 'file'}: it is not a folder. Choose another name"]
    assert not runner.busy


def test_that_a_film_of_two_pictures_names_both_kernels(recorded: Session) -> None:
    alone = request(recorded)
    run, other = recorded.traces[:2]
    beside = Beside(other, 0, None, PairStep.PHASE, names_beside(run, other, VersionNames()))
    both = replace(alone, choice=replace(alone.choice, beside=beside))
    assert both.stem == f"{alone.block_name.stem}_and_{other.spec.kernel}"
    assert alone.stem == alone.block_name.stem
    assert not {*both.paths(Path())} & {*alone.paths(Path())}
