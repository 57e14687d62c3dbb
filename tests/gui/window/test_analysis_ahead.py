"""The process that compiles the analysis while nothing runs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from gemmviz.engine.analysis.ahead import CONFINED, ORDINARY, STAGES, environment_of
from gemmviz.engine.messages import Finished
from gemmviz.gui.window.analysis_ahead import AnalysisAhead


class Work(QObject):
    """Stands for the client: says when something begins and ends."""

    begun = Signal()
    happened = Signal(object)
    busy = False

    def begin(self) -> None:
        self.busy = True
        self.begun.emit()

    def finish(self) -> None:
        self.busy = False
        self.happened.emit(Finished(1))


WRITES = """
import os, pathlib, sys, time
place = pathlib.Path({place!r})
(place / sys.argv[1]).write_text(f"{{os.getpid()}} {{os.environ.get('NUMBA_CACHE_DIR', '')}}")
time.sleep({seconds})
sys.exit({code})
"""


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path) -> Callable[..., tuple[AnalysisAhead, Work]]:
    del qtbot
    kept: list[AnalysisAhead] = []

    def _make(seconds: float = 0, code: int = 0) -> tuple[AnalysisAhead, Work]:
        work = Work()
        script = WRITES.format(place=str(tmp_path), seconds=seconds, code=code)

        def missing() -> str | None:
            return next((stage for stage in STAGES if not (tmp_path / stage).exists()), None)

        command = (sys.executable, "-c", script)
        ahead = AnalysisAhead(work, quiet_s=0.05, missing_stage=missing, command=command)  # type: ignore[arg-type]
        kept.append(ahead)
        return ahead, work

    yield _make
    for ahead in kept:
        ahead.end()


def test_that_both_caches_are_filled_one_after_the_other(
    qtbot: QtBot, make: Callable[..., tuple[AnalysisAhead, Work]], tmp_path: Path
) -> None:
    ahead, _ = make()
    qtbot.waitUntil(lambda: (tmp_path / CONFINED).exists() and not ahead.is_compiling)
    _, ordinary = (tmp_path / ORDINARY).read_text().split(" ")
    _, confined = (tmp_path / CONFINED).read_text().split(" ")
    assert confined == environment_of(CONFINED)["NUMBA_CACHE_DIR"] != ordinary


def test_that_the_process_ends_for_what_runs_and_begins_again_after_it(
    qtbot: QtBot, make: Callable[..., tuple[AnalysisAhead, Work]], tmp_path: Path
) -> None:
    ahead, work = make(seconds=60)
    said = tmp_path / ORDINARY
    qtbot.waitUntil(lambda: said.exists() and bool(said.read_text()))
    pid = int(said.read_text().split()[0])
    work.begin()
    assert not ahead.is_compiling
    qtbot.waitUntil(lambda: not is_there(pid))
    said.unlink()
    qtbot.wait(150)
    assert not said.exists()
    work.finish()
    qtbot.waitUntil(said.exists)


def test_that_nothing_begins_while_something_runs(
    qtbot: QtBot, make: Callable[..., tuple[AnalysisAhead, Work]]
) -> None:
    ahead, work = make()
    work.begin()
    qtbot.wait(150)
    assert not ahead.is_compiling


def test_that_a_process_that_fails_is_not_tried_again(
    qtbot: QtBot, make: Callable[..., tuple[AnalysisAhead, Work]], tmp_path: Path
) -> None:
    ahead, work = make(code=3)
    said = tmp_path / ORDINARY
    qtbot.waitUntil(lambda: said.exists() and not ahead.is_compiling)
    said.unlink()
    work.begin()
    work.finish()
    qtbot.wait(200)
    assert not said.exists()


def test_that_the_end_waits_for_the_process(
    qtbot: QtBot, make: Callable[..., tuple[AnalysisAhead, Work]], tmp_path: Path
) -> None:
    ahead, _ = make(seconds=60)
    said = tmp_path / ORDINARY
    qtbot.waitUntil(lambda: said.exists() and bool(said.read_text()))
    pid, began = int(said.read_text().split()[0]), time.monotonic()
    ahead.end()
    assert not is_there(pid)
    assert time.monotonic() - began < 5
