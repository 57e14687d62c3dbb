"""What the tests of the page of memory share: recordings of small kernels, and all of the page without a worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.figures.panel import FiguresPanel
from gemmviz.gui.files.edits import NO_DEVICE
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.frame_panel import FramePanel
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.memory.playing.linked_view import LinkedView
from gemmviz.gui.memory.stage_pages import StagePages
from gemmviz.gui.player.player_bar import PlayerBar
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.source.source_view import SourceView
from gemmviz.measure.bench import Watch

FAULTY = Path(__file__).parents[2] / "data" / "faulty"
SessionOf = Callable[..., Session]


@pytest.fixture(scope="session")
def recorded() -> Callable[..., TraceRun]:
    """Records a kernel: its id (or a file of tests/data/faulty), a size, blocks as (x, y), parameters."""
    return _recorded


def _recorded(kernel: str, size: str, *blocks: tuple[int, int], **params: int) -> TraceRun:
    return replace(_kept(kernel, size, blocks, tuple(sorted(params.items()))))  # another one at each call


@cache
def _kept(kernel: str, size: str, blocks: tuple[tuple[int, int], ...], params: tuple[tuple[str, int], ...]) -> TraceRun:
    chosen = load_user_kernel(FAULTY / kernel) if kernel.endswith(".cu") else load_catalogue().get(kernel)
    try:
        device = device_for_recording(chosen)
    except NoDeviceError as error:
        pytest.skip(str(error))
    job = Job(chosen, chosen.params(dict(params)))
    return record(job, Conditions(Shape.parse(size)), device, [(x, y, 0) for x, y in blocks], Watch())


@pytest.fixture(scope="session")
def recorded_form() -> Callable[..., TraceRun]:
    """Block 0,0 of a product of 64x64x64 by a kernel of the catalogue in one form of its code, with tiles of 16."""

    def made(name: str, form: CodeForm) -> TraceRun:
        kernel = load_catalogue().get(name)
        conditions = Conditions(Shape.parse("64x64x64"), form=form)
        job = Job(kernel, kernel.params({"TILE": 16}))
        return record(job, conditions, device_for_recording(kernel), [(0, 0, 0)], Watch())

    return made


@pytest.fixture
def parts(qtbot: QtBot) -> Parts:
    """The widgets of the window that a MemoryControl ties together, and no others."""
    memory, beside, bar, recording = LinkedView(LIGHT), LinkedView(LIGHT), PlayerBar(LIGHT), RecordingView()
    page, panel, source = MemoryPage(memory, beside, bar, recording), FramePanel(LIGHT), SourceView()
    figures = FiguresPanel()
    for widget in (page, panel, source, figures):
        qtbot.addWidget(widget)
    page.resize(1000, 700)
    made = SimpleNamespace(
        memory=memory,
        beside=beside,
        player_bar=bar,
        recording=recording,
        memory_page=page,
        frame_panel=panel,
        source=source,
        figures=figures,
    )
    return cast("Parts", made)


@pytest.fixture
def control(parts: Parts) -> MemoryControl:
    """What plays recordings on them, ended by its parent's end."""
    return MemoryControl(parts, parts.memory_page)


@pytest.fixture
def session_of() -> SessionOf:
    """A session of recordings, and of runs."""

    def made(*traces: TraceRun, runs: tuple[RunResult, ...] = ()) -> Session:
        return Session("2026-01-01T00:00:00+00:00", "0", NO_DEVICE, 0.0, runs, (), traces)

    return made


@pytest.fixture
def stages(parts: Parts, control: MemoryControl) -> StagePages:
    """Those of a page that MemoryControl plays on."""
    assert control.parent() is parts.memory_page
    parts.memory_page.show()
    return parts.memory_page.stages
