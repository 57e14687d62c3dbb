"""The place and the mode stay when the frames become others: another mode, another block. Without a worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.shown import Shown, ShownFrame
from gemmviz.explain.requests.frame_facts import FrameFacts, facts_of
from gemmviz.explain.requests.what_if import NewLayout, Swizzle
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.player.moments import same_moment
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]
SIZE = "20x18x23"


def frame_of(parts: Parts) -> tuple[FrameMode | None, int]:
    """The mode of the bar and the frame of the first picture, from 0; -1 for none."""
    scene = parts.memory.picture_state()
    index = scene.picture.frame.index if scene is not None and scene.picture is not None else -1
    return FrameMode(parts.player_bar.findChild(QComboBox, "modeCombo").currentData()), index


def known(run: TraceRun, mode: FrameMode, number: int = 0) -> FrameFacts:
    return facts_of(Frames(run.blocks[number].trace(run.sites, run.arrays), mode), ())


def test_that_each_frame_of_a_finer_mode_lies_within_that_of_a_coarser(recorded: Record) -> None:
    run = recorded("tiled", SIZE, (0, 0), TILE=8)
    phases, requests = known(run, FrameMode.PHASE), known(run, FrameMode.REQUEST)
    for index in range(1, phases.count):
        there = same_moment(phases, index, requests)
        assert phases.shares[index - 1] <= requests.shares[there - 1] + 1e-9
        assert requests.shares[there] <= phases.shares[index] + 1e-9
        assert same_moment(requests, there, phases) == index
    assert same_moment(phases, 0, requests) == same_moment(requests, 0, phases) == 0
    assert same_moment(requests, requests.count - 1, phases) == phases.count - 1


def test_that_a_block_of_fewer_frames_is_as_far_in_its_work(recorded: Record) -> None:
    run = recorded("tiled", SIZE, (0, 0), (2, 2), TILE=8)
    whole, edge = (known(run, FrameMode.REQUEST, number) for number in (0, 1))
    assert whole.count != edge.count
    for index in range(1, whole.count - 1):
        there = same_moment(whole, index, edge)
        assert abs(edge.shares[there] - whole.shares[index]) <= 2 / edge.count
    assert same_moment(whole, whole.count - 1, edge) == edge.count - 1


def test_that_the_moment_stays_when_the_mode_changes_and_comes_back_exactly(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    run = recorded("tiled", SIZE, (0, 0), TILE=8)
    control.show_session(session_of(run))
    parts.player_bar.mode_chosen.emit(FrameMode.REQUEST)
    requests, phases = known(run, FrameMode.REQUEST), known(run, FrameMode.PHASE)
    qtbot.waitUntil(lambda: control.player.count == requests.count)
    at = requests.count * 2 // 3
    control.player.seek(at)
    qtbot.waitUntil(lambda: frame_of(parts) == (FrameMode.REQUEST, at))
    phase = same_moment(requests, at, phases)
    assert phase > 0
    parts.player_bar.mode_chosen.emit(FrameMode.PHASE)
    qtbot.waitUntil(lambda: frame_of(parts) == (FrameMode.PHASE, phase))
    assert control.player.index == phase
    parts.player_bar.mode_chosen.emit(FrameMode.REQUEST)
    qtbot.waitUntil(lambda: frame_of(parts) == (FrameMode.REQUEST, at))


def test_that_another_block_goes_on_in_the_mode_and_from_the_moment(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    run = recorded("tiled", SIZE, (0, 0), (1, 1), TILE=8)
    control.show_session(session_of(run))
    parts.player_bar.mode_chosen.emit(FrameMode.STEP)
    steps = known(run, FrameMode.STEP)
    qtbot.waitUntil(lambda: control.player.count == steps.count and frame_of(parts) == (FrameMode.STEP, 0))
    control.player.seek(9)
    qtbot.waitUntil(lambda: frame_of(parts) == (FrameMode.STEP, 9))
    for x in (1, 0):
        parts.memory.block_chosen.emit(x, x)
        qtbot.waitUntil(lambda: frame_of(parts) == (FrameMode.STEP, 9))
        assert control.played[0].block == (x, x, 0)
    alone = recorded("tiled", SIZE, (0, 1), TILE=8)
    parts.memory.block_chosen.emit(0, 1)
    control.show_session(session_of(run, alone))
    qtbot.waitUntil(lambda: frame_of(parts) == (FrameMode.STEP, 9))
    assert control.played[0].block == (0, 1, 0), "it was recorded meanwhile"


def test_that_a_session_shows_again_what_was_shown_and_passes_over_what_it_does_not_have(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    old = recorded("tiled", SIZE, (0, 0), (1, 1), TILE=8)
    new = recorded("naive", SIZE, (0, 0))
    kept = Shown(ShownFrame(0, 1, "step", 7, 2, "column XOR row"), ShownFrame(1, 0, "request", 5), "sectors", "work")
    control.show_session(replace(session_of(old, new), shown=kept))
    first, beside = control.played
    assert (first.run, first.number, beside.run) == (old, 1, new)
    qtbot.waitUntil(lambda: frame_of(parts) == (FrameMode.STEP, 7))
    assert parts.memory_page.findChild(QComboBox, "heatCombo").currentText() == "Colour by: sectors"
    now = control.shown
    assert (now.first, now.heat, now.step) == (kept.first, "sectors", "work")
    assert (now.beside.recording, now.beside.mode) == (1, "request")

    stages = parts.memory_page.stages
    stages.show_front(stages.banks)
    assert stages.banks.new_layout == NewLayout(2, Swizzle.COLUMN)
    stages.show_front(None)

    odd = Shown(
        ShownFrame(0, 0, "by the hour", 7, 99, "sideways"),
        ShownFrame(-1, 0, "step", 2),
        "lukewarm",
        "sideways",
        memory_view="upside down",
    )
    control.show_session(replace(session_of(old, new), shown=odd))
    qtbot.waitUntil(lambda: frame_of(parts) == (FrameMode.PHASE, 0))
    assert control.shown == Shown(ShownFrame(0, 0, "barrier", 0), None, "none", memory_view="animation")

    for gone in (ShownFrame(9, 0, "step", 0), ShownFrame(0, 2, "step", 0), ShownFrame(0, -1, "step", 0)):
        newest = replace(new)
        control.show_session(replace(session_of(replace(old), newest), shown=Shown(gone)))
        assert control.played[0].run is newest, "the newest, as without a word"
    control.show_session(replace(session_of(old), shown=Shown(ShownFrame(0, 0, "phase", 10**9))))
    qtbot.waitUntil(lambda: frame_of(parts) == (FrameMode.PHASE, 0))
