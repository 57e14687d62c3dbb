"""One window in a process of its own, driven as a person would drive it; what that cost, as JSON on the last line.

    python docs/window_at_work.py STORY [NUMBER …]

The program starts as `gemmviz` does; the stories are at the end. Needs no display. Linux only.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
BEGIN = float(os.environ.get("ASKED_FOR_AT", time.perf_counter()))
"""When the command was given: the clock is one for all processes."""

from gemmviz.gui.display_check import display_fault

if FAULT := display_fault(os.environ):
    sys.exit(f"no window can be made: {FAULT}")

from heartbeat import Heartbeat, memory_mib, threads
from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QDialog, QLabel, QLineEdit, QMainWindow, QPushButton, QTableView, QWidget

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Mode
from gemmviz.gui import app
from gemmviz.gui.window.main_window import MainWindow

Story = Iterator[Callable[[], bool]]
"""Does a step, says when to go on, and does the next."""

SIZE = (1280, 800)
ENDLESS = Path(__file__).parents[1] / "tests" / "data" / "faulty" / "endless.cu"
PICTURED = ("tiled", "cp_async", "sgemm_best")
"""The kernels of the story `picture`."""
PATIENCE_S = 300.0
REST_S = 0.3
"""After each step: what follows from it belongs to it."""


class Stage(QObject):
    """A window, its heartbeat, and what is found out; drives a story from within the event loop."""

    def __init__(self, window: MainWindow, story: Callable[..., Story], numbers: list[int]) -> None:
        super().__init__(window)
        self.window = window
        self._first = Paints(window)
        self.found: dict[str, Any] = {}
        self.heart = Heartbeat(self)
        self._story = story(self, *numbers)
        self._until: Callable[[], bool] = lambda: bool(window.work.devices)
        self._since = time.perf_counter()
        self._timer = QTimer(self, interval=3)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    @Slot()
    def _look(self) -> None:
        if time.perf_counter() - self._since > PATIENCE_S:
            sys.stderr.write("nothing happens any more\n")
            os._exit(1)
        if self._until is _never:
            os._exit(1)
        if not self._until():
            return
        self._since = time.perf_counter()
        if "usable_s" not in self.found:
            self.found |= {"shown_s": self._first.times[0] - BEGIN, "usable_s": self._since - BEGIN}
        self._until = _never  # stays so where the step fails: from within a slot nobody would hear of it
        step = next(self._story, None)
        if step is None:
            self._timer.stop()
            self._end()
        else:
            self._until = step

    def _end(self) -> None:
        self.found["chapters"] = {name: chapter.summary() for name, chapter in self.heart.chapters.items()}
        self.found["memory_mib"], self.found["most_memory_mib"] = memory_mib(), memory_mib("VmHWM")
        self.window.document.new()
        self.window.close()

    def do(self, name: str) -> None:
        """What a menu, a key or a button does."""
        action = self.window.findChild(QAction, name)
        assert isinstance(action, QAction), name
        assert action.isEnabled(), name
        action.trigger()

    def work(self, action: str, chapter: str) -> Story:
        """Start what runs, records or sweeps, and see its end."""
        self.heart.begin(chapter)
        self.do(action)
        yield lambda: not self.window.work.busy
        yield from rest()
        self.heart.begin("")

    def set_up(self, m: int, n: int, k: int, kernel: str = "tiled", compared: tuple[str, ...] = ()) -> None:
        """Hardly any time to measure; parameters as they are."""
        chosen = replace(self.window.experiment, kernel=kernel, shape=Shape(m, n, k), compared=frozenset(compared))
        self.window.set_experiment(replace(chosen, budget_s=0.02, mode=Mode.HOT))

    def record_block(self, chapter: str) -> Story:
        """Record the first block of the grid, as a click on it does, until its first frame can be played."""
        shape = self.window.experiment.shape
        self.heart.begin(chapter)
        blocks = ((shape.n // 32, shape.m // 32, 0),)
        self.window.findChild(QWidget, "experimentPanel").record_asked.emit(blocks)
        yield lambda: not self.window.work.busy
        begin, worked = time.perf_counter(), time.process_time()
        yield self.is_ready
        self.found["view_ready_s"] = time.perf_counter() - begin
        self.found["view_ready_own_s"] = time.process_time() - worked
        yield from rest()
        self.heart.begin("")

    def is_ready(self) -> bool:
        """Whether a recording can be played."""
        return self.window.player.count > 0 and bool(self.view.accessibleDescription())

    @property
    def view(self) -> QWidget:
        found = self.window.findChild(QWidget, "memoryView")
        assert isinstance(found, QWidget)
        return found

    def objects(self) -> int:
        gc.collect()
        return len(self.window.findChildren(QObject))

    def state(self) -> dict[str, float]:
        """What must not grow."""
        return {
            "objects": self.objects(),
            "threads": threads(),
            "memory_mib": memory_mib(),
            "worker": self.window.work.process,
        }


def _never() -> bool:
    return False


class Paints(QObject):
    """Counts the paintings of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times: list[float] = []
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.times.append(time.perf_counter())
        return False


def rest(seconds: float = REST_S) -> Story:
    end = time.perf_counter() + seconds
    yield lambda: time.perf_counter() >= end


def requests(stage: Stage, looks_s: int = 2, rounds: int = 2) -> Story:
    """Run, record, sweep, export: from the first time on."""
    yield from rest(looks_s)  # a person looks first
    stage.set_up(257, 129, 65, compared=("naive", "cpu_blas"))
    yield from rest()
    for number in range(1, rounds + 1):
        for action in ("runAction", "recordAction", "sweepAction"):
            yield from stage.work(action, f"{action} {number}")
    yield from export(stage)
    for tab in ("Timing", "Accuracy", "Sweep", "Traffic", "Memory"):
        stage.heart.begin("pages")
        stage.do(f"tab{tab}Action")
        yield from rest()


def export(stage: Stage) -> Story:
    """Every chart there is in every format, through the dialog."""
    stage.do("exportAction")
    dialog = stage.window.findChild(QDialog, "exportDialog")
    yield dialog.isVisible
    yield from rest()
    for name in ("exportPng", "exportSvg", "exportCsv"):
        dialog.findChild(QCheckBox, name).setChecked(True)
    message = dialog.findChild(QLabel, "exportMessage")
    with tempfile.TemporaryDirectory() as folder:
        dialog.findChild(QLineEdit, "exportFolder").setText(folder)
        stage.heart.begin("export")
        dialog.findChild(QPushButton, "exportOk").click()
        yield lambda: message.text().startswith("Wrote")
        stage.heart.begin("")
        stage.found["exported"] = len(list(Path(folder).iterdir()))
    dialog.close()
    yield from rest()


def runs(stage: Stage, first: int = 20, more: int = 200) -> Story:
    """Many runs in a row; the first ones fill what is filled once."""
    stage.set_up(5, 6, 7, kernel="cpu_ijk")
    for number in range(first + more):
        if number == first:
            stage.found["before"] = stage.state()
        stage.do("runAction")
        yield lambda: not stage.window.work.busy
        if number % 50 == 49:
            stage.window.document.new()
    stage.window.document.new()
    yield from rest()
    stage.found["after"] = stage.state()


def cycles(stage: Stage, first: int = 10, more: int = 200, recorded: int = 200) -> Story:
    """A recording comes, plays and goes, again and again; the first so many are made anew, later ones shown again."""
    stage.set_up(17, 33, 5)
    for number in range(first + more):
        if number == first:
            stage.found["before"] = stage.state()
        if number < recorded:
            yield from stage.record_block("")
            (trace,) = stage.window.document.session.traces
        else:
            stage.window.document.add_trace(replace(trace))
            yield stage.is_ready
        stage.window.player.play()
        paints = Paints(stage.view)
        yield lambda paints=paints: len(paints.times) > 3
        paints.deleteLater()
        stage.window.document.new()
        yield lambda: stage.window.player.count == 0
    yield from rest()
    stage.found["after"] = stage.state()


def scrub(stage: Stage, m: int, n: int, k: int, frames: int = 200, playing_s: int = 5) -> Story:
    """Drag the player's slider about over a recorded block of `tiled` 16, then play it."""
    stage.window.resize(*SIZE)
    stage.set_up(m, n, k)
    yield from stage.record_block("recording")
    view, player, chance = stage.view, stage.window.player, Random(1)
    painted, own, whole = [], [], []
    stage.heart.begin("scrubbing")
    for _ in range(frames):
        before, begin = view.accessibleDescription(), time.perf_counter()
        index = chance.choice([one for one in range(player.count) if one != player.index])
        player.seek(index)
        yield lambda before=before: view.accessibleDescription() != before
        ready, worked = time.perf_counter(), time.thread_time()
        view.repaint()
        own.append(time.thread_time() - worked)
        painted.append(time.perf_counter() - ready)
        whole.append(time.perf_counter() - begin)
    stage.heart.begin("")
    stage.found |= {
        "frames": player.count,
        "paint_ms": 1e3 * median(painted),
        "paint_own_ms": 1e3 * median(own),
        "frame_ms": 1e3 * median(whole),
    }
    if not playing_s:
        return
    player.first()
    player.set_speed(4.0)
    paints = Paints(view)
    stage.heart.begin("playing")
    player.play()
    yield from rest(playing_s)
    player.pause()
    steps = [1e3 * (later - one) for one, later in pairwise(paints.times)]
    moving = [step for step in steps if step < 60.0]  # between motions a frame stands still
    stage.found |= {"motion_ms": median(moving), "motion_ms_95": quantiles(moving, n=20)[-1]}


def picture(stage: Stage, place: int = 0) -> Story:
    """Record a block of one of PICTURED, from the click to its first picture."""
    stage.window.resize(*SIZE)
    stage.do("tabMemoryAction")
    stage.set_up(128, 128, 64, kernel=PICTURED[place])
    yield from rest(1.0)
    begin = time.perf_counter()
    stage.window.findChild(QWidget, "experimentPanel").record_asked.emit(((0, 0, 0),))
    yield stage.is_ready
    stage.view.repaint()
    stage.found["picture_s"] = time.perf_counter() - begin
    yield lambda: not stage.window.work.busy


def accesses(stage: Stage, millions: int = 10) -> Story:
    """A recording of so many accesses: one block of `tiled` 16 with K to match (544 accesses for each of K)."""
    stage.set_up(16, 16, 16 * (millions * 10**6 // (16 * 544)))
    yield from rest()
    yield from stage.record_block("recording")
    stage.found["accesses"] = stage.window.document.session.traces[-1].accesses
    stage.heart.begin("scrubbing")
    count = stage.window.player.count
    for index in range(0, count, max(1, count // 20)):
        stage.window.player.seek(index)
        yield from rest(0.1)


def crowd(stage: Stage, count: int = 1000) -> Story:
    """A session of so many runs."""
    stage.set_up(5, 6, 7, kernel="cpu_ijk")
    yield from stage.work("runAction", "")
    document = stage.window.document
    (run,) = document.session.runs
    for number in range(1, count - 1):
        document.add_run(replace(run, spec=replace(run.spec, seed=number // 7)), 1.0)
        if number % 50 == 0:
            yield from rest(0.0)
    yield from rest()
    yield from stage.work("runAction", "one more")
    worked = time.thread_time()
    stage.window.findChild(QTableView, "resultsTable").selectAll()
    yield from rest(0.0)
    stage.found["chosen_own_ms"] = 1e3 * (time.thread_time() - worked)
    stage.found["rows"] = stage.window.findChild(QTableView, "resultsTable").model().rowCount()


def cancels(stage: Stage, count: int = 27) -> Story:
    """Runs that are cancelled at any moment; every third is of a kernel that never ends."""
    chance, taken = Random(2), []
    stage.window.open_path(ENDLESS)
    yield from rest(1.0)
    endless = stage.window.experiment.kernel
    for number in range(count):
        stage.set_up(257, 129, 65, kernel=endless if number % 3 == 0 else "tiled", compared=("naive", "cpu_blas"))
        stage.do("runAction")
        yield from rest(chance.uniform(0.0, 1.0))
        if not stage.window.work.busy:
            continue
        begin = time.perf_counter()
        stage.do("cancelAction")
        yield lambda: not stage.window.work.busy
        taken.append(time.perf_counter() - begin)
    stage.found |= {"cancels": len(taken), "least_ms": 1e3 * min(taken), "most_ms": 1e3 * max(taken)}


STORIES = {story.__name__: story for story in (requests, runs, cycles, scrub, picture, accesses, crowd, cancels)}


def read_words(words: Sequence[str] | None) -> argparse.Namespace:
    """A story that there is, with numbers that it takes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.epilog = "It is started by docs/record_window.py and by tests/gui/test_fluid.py, once for each story."
    parser.add_argument("story", metavar="STORY", choices=STORIES, help=", ".join(STORIES))
    parser.add_argument(
        "numbers", metavar="NUMBER", nargs="*", type=int, default=[], help="of the story: how often, how large"
    )
    options = parser.parse_args(words)
    try:
        inspect.signature(STORIES[options.story]).bind(None, *options.numbers)
    except TypeError as error:
        parser.error(f"{options.story}: {error}")
    return options


def main(words: Sequence[str] | None = None) -> int:
    """Play a story and print what was found; the window's exit code."""
    options = read_words(words)
    story, numbers = STORIES[options.story], options.numbers
    stages: list[Stage] = []
    make = app.create_window
    with tempfile.TemporaryDirectory() as settings:

        def create_window(_: Path | None = None) -> QMainWindow:
            window = make(Path(settings), Path(settings))
            assert isinstance(window, MainWindow)
            stages.append(Stage(window, story, numbers))
            return window

        app.create_window = create_window
        sys.argv[1:] = []
        code = app.run_app(())
    print(json.dumps(stages[0].found))
    return code


if __name__ == "__main__":
    sys.exit(main())
