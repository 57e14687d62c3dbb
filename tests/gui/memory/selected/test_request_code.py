"""One choice of the code whose requests are shown, SASS or PTX, for all of the page of memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Evidence
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.explain.requests.frame_facts import FrameFacts, facts_of
from gemmviz.explain.requests.machine_requests import RequestCode, frames_in_code, machine_requests
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.playing.kept_place import KeptFrame
from gemmviz.gui.memory.playing.playback import Playback
from gemmviz.gui.player.moments import same_moment
from gemmviz.measure.bench import Watch
from gemmviz.trace.frames.plan import FrameMode

SessionOf = Callable[..., Session]
LINE = 75
"""Of register_2d: PTX loads As in requests of 4 bytes for each lane, four of which are one of 16 in SASS."""


@pytest.fixture(scope="module")
def merged(nvrtc: None) -> TraceRun:
    del nvrtc
    kernel = load_catalogue().get("register_2d")
    conditions = Conditions(Shape.parse("64x64x16"), form=CodeForm.AS_COMPILED)
    return record(Job(kernel, kernel.params({})), conditions, device_for_recording(kernel), [(0, 0, 0)], Watch())


@pytest.fixture
def playback(qtbot: QtBot, parts: Parts, control: MemoryControl, merged: TraceRun, session_of: SessionOf) -> Playback:
    """The page plays warp requests, and stands at the first of LINE to shared memory."""
    control.show_session(session_of(merged))
    found = control._playbacks[0]
    qtbot.waitUntil(lambda: found.frame is not None)
    parts.player_bar.mode_chosen.emit(FrameMode.REQUEST)
    qtbot.waitUntil(lambda: found.frame is not None and found.frame.mode is FrameMode.REQUEST)
    go_to_line(qtbot, control, found)
    return found


def go_to_line(qtbot: QtBot, control: MemoryControl, playback: Playback) -> None:
    assert playback.frames is not None
    trace = playback.frames.trace
    site = next(each for each in trace.sites if each.line == LINE and each.space is Space.SHARED)
    slot = int(np.argmax(trace.slot_site == site.index))
    control.player.seek(playback.frames.frame_at(slot, 0))
    qtbot.waitUntil(lambda: playback.frame is not None and playback.frame.index == playback.index)


def values(parts: Parts) -> dict[str, str]:
    return {line.words: line.value for line in parts.frame_panel.figures.section.lines}


def facts(run: TraceRun, code: RequestCode, mode: FrameMode = FrameMode.REQUEST) -> FrameFacts:
    block = run.blocks[0].trace(run.sites, run.arrays)
    found = machine_requests(run, block)
    return facts_of(frames_in_code(run, block, mode, found, code), run.hazards, found)


def test_that_frames_lanes_captions_and_figures_are_those_of_sass(parts: Parts, playback: Playback) -> None:
    frame = playback.frame
    assert frame is not None
    assert frame.request is not None
    assert (frame.request.site.text, frame.request.site.width_bytes) == ("LDS.128", 16)
    assert frame.caption.endswith(f"line {LINE} (SASS)")
    assert parts.player_bar.findChild(QLabel, "frameEvidence").text() == Evidence.DERIVED
    assert set(frame.request.span[frame.request.addresses >= 0].tolist()) == {4}  # elements of a lane
    assert values(parts)["shared load requests in SASS"] == "1"
    assert values(parts)["wavefronts in SASS"] == "2"
    assert parts.frame_panel.request.request is not None
    assert parts.frame_panel.request.request.slot == frame.request.slot


def test_that_one_switch_changes_banks_this_frame_and_the_frames_and_back(
    qtbot: QtBot, parts: Parts, playback: Playback
) -> None:
    before = playback.index
    parts.frame_panel.request.findChild(QPushButton, "requestPTX").click()
    qtbot.waitUntil(lambda: playback.frame is not None and playback.frame.caption.endswith(f"line {LINE} (PTX)"))
    banks = parts.memory_page.stages.banks
    assert parts.frame_panel.request.request is not None
    assert parts.frame_panel.request.request.site.width_bytes == 4
    assert values(parts)["wavefronts in PTX"] == "2 (+1)"
    banks.show_block(playback.playable.run if playback.playable else None, playback.block)
    qtbot.waitUntil(lambda: not banks.is_busy)
    assert banks.code is RequestCode.PTX
    banks.findChild(QPushButton, "bankStageSASS").click()
    qtbot.waitUntil(lambda: playback.frame is not None and playback.frame.caption.endswith(f"line {LINE} (SASS)"))
    assert parts.frame_panel.request.request is not None
    assert parts.frame_panel.request.request.site.width_bytes == 16
    assert playback.index == before


def test_that_a_code_without_merged_requests_is_named_where_codes_differ(merged: TraceRun) -> None:
    block = merged.blocks[0].trace(merged.sites, merged.arrays)
    frames = frames_in_code(merged, block, FrameMode.REQUEST, None, RequestCode.SASS)
    captions = [frames.frame(index).caption for index in range(0, len(frames), 7)]
    assert all(caption.endswith("(PTX)") == (f"line {LINE}" in caption and "As" in caption) for caption in captions)


def test_that_a_moment_is_the_same_one_in_both_codes(merged: TraceRun) -> None:
    sass, ptx = facts(merged, RequestCode.SASS), facts(merged, RequestCode.PTX)
    assert sass.count < ptx.count
    assert [same_moment(ptx, same_moment(sass, at, ptx), sass) for at in range(sass.count)] == list(range(sass.count))
    barriers = facts(merged, RequestCode.SASS, FrameMode.PHASE)
    for index in range(barriers.count):
        one, other = same_moment(barriers, index, sass), same_moment(barriers, index, ptx)
        assert same_moment(sass, one, ptx) == other


def test_that_a_kept_frame_is_counted_among_recorded_requests(merged: TraceRun) -> None:
    sass, ptx = facts(merged, RequestCode.SASS), facts(merged, RequestCode.PTX)
    kept = KeptFrame(FrameMode.REQUEST, sass.recorded_index(sass.count - 1))
    assert (kept(sass), kept(ptx)) == (sass.count - 1, sass.recorded_index(sass.count - 1))
    assert KeptFrame(FrameMode.REQUEST, ptx.count)(sass) == 0


def test_that_shares_of_frames_end_at_one_in_both_codes(merged: TraceRun) -> None:
    for code in RequestCode:
        shares = facts(merged, code).shares
        assert np.all(np.diff(shares) > 0)
        assert shares[-1] == pytest.approx(1)


def test_that_an_exported_frame_is_that_of_the_code_on_the_screen(merged: TraceRun) -> None:
    lengths = {code: len(film_source_of(merged, mode=FrameMode.REQUEST, code=code).frames) for code in RequestCode}
    assert lengths == {code: facts(merged, code).count for code in RequestCode}
