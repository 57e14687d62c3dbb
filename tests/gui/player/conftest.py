"""Recordings of small kernels, a clock that goes when it is told to, and the bar with its player."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue, load_kernel
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.gui.player.player import Player
from gemmviz.gui.player.player_bar import PlayerBar
from gemmviz.gui.player.player_wiring import connect_player
from gemmviz.measure.bench import Watch
from gemmviz.trace.frames.plan import FrameMode

FAULTY = Path(__file__).parents[2] / "data" / "faulty"


@pytest.fixture(scope="session")
def recorded() -> Callable[..., TraceRun]:
    """Records a kernel of the catalogue, or a faulty one of the tests by its file's name."""
    return _recorded


def _recorded(
    kernel: str, size: str = "4x4x4", blocks: tuple[tuple[int, int, int], ...] = ((0, 0, 0),), **params: int
) -> TraceRun:
    found = load_kernel(FAULTY / kernel) if kernel.endswith(".cu") else load_catalogue().get(kernel)
    device = device_for_recording(found)
    conditions = Conditions(Shape.parse(size), Fill.ONES, 0, device=device.id, launch_limit_s=60.0)
    return record(Job(found, found.params(params)), conditions, device, blocks, Watch())


class Clock:
    """Seconds that pass when told so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bar(qtbot: QtBot) -> PlayerBar:
    bar = PlayerBar()
    qtbot.addWidget(bar)
    bar.set_count(5)
    bar.set_mode(FrameMode.PHASE, list(FrameMode))
    bar.resize(980, 96)
    bar.show()
    return bar


@pytest.fixture
def player(bar: PlayerBar, clock: Clock) -> Player:
    made = Player(clock, 1_000_000, bar)
    made.set_count(5)
    connect_player(made, bar, lambda: made)
    return made
