"""What a frame does, in figures."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Evidence
from gemmviz.explain.requests.loads import Loads
from gemmviz.explain.requests.phase_figures import (
    FrameCounts,
    LoadsSoFar,
    count_frame,
    figures_section,
    lanes_in,
    loads_so_far,
)
from gemmviz.gui.inspector import phase_figures_panel
from gemmviz.gui.inspector.phase_figures_panel import NOTHING, PhaseFigures
from gemmviz.trace.counts.totals import Totals
from gemmviz.trace.explain import totals_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

KERNELS = {
    "naive": ("17x33x5", (1, 1, 0)),
    "tiled": ("1037x1031x1055", (3, 1, 0)),
    "tiled_transposed": ("64x64x32", (1, 2, 0)),
    "vectorized": ("64x64x16", (0, 0, 0)),
    "row_per_block": ("5x70x9", (2, 0, 0)),
    "dot": ("1x1x600", (0, 0, 0)),
}


@pytest.fixture(scope="module")
def runs(recorded: Callable[..., TraceRun]) -> dict[str, TraceRun]:
    return {kernel: recorded(kernel, size, (block,)) for kernel, (size, block) in KERNELS.items()}


def block_of(run: TraceRun) -> BlockTrace:
    return run.blocks[0].trace(run.sites, run.arrays)


@pytest.mark.parametrize("mode", [FrameMode.PHASE, FrameMode.STEP])
@pytest.mark.parametrize("kernel", KERNELS)
def test_that_all_frames_together_are_the_recordings_totals(
    runs: dict[str, TraceRun], kernel: str, mode: FrameMode
) -> None:
    """The recording's own counts come from the compiled model, over the same block."""
    run = runs[kernel]
    block, totals = block_of(run), totals_of(run)
    frames = Frames(block, mode)
    summed: dict[tuple[Space, str], FrameCounts] = {}
    for index in range(len(frames)):
        for key, counts in count_frame(frames.frame(index), block).items():
            summed[key] = summed.get(key, FrameCounts()) + counts
    assert flat(summed) == {name: getattr(totals, name) for name in flat(summed)}
    assert isinstance(totals, Totals)


def flat(counted: dict[tuple[Space, str], FrameCounts]) -> dict[str, int]:
    nothing = FrameCounts()
    found: dict[str, int] = {}
    for kind in AccessKind:
        shared, far = (counted.get((space, kind.value), nothing) for space in (Space.SHARED, Space.GLOBAL))
        found[f"global_{kind}_requests"], found[f"global_{kind}_sectors"] = far.requests, far.sectors
        found[f"shared_{kind}_requests"], found[f"shared_{kind}_wavefronts"] = shared.requests, shared.wavefronts
        found[f"shared_{kind}_ideal_wavefronts"] = shared.ideal_wavefronts
    found["bytes_asked"] = sum(c.bytes_used for c in counted.values())
    found["bytes_moved"] = sum(c.bytes_moved for c in counted.values())
    return found


def test_that_a_phase_of_tiles_reads_as_in_the_picture(runs: dict[str, TraceRun]) -> None:
    """The very figures of the design's picture, of the phase it shows."""
    block = block_of(runs["tiled"])
    frames = Frames(block)
    section = figures_section(
        FrameMode.PHASE, count_frame(frames.frame(4), block), loads_so_far(frames, frames.frame(4), Loads()), "PoCL"
    )
    narrow = "\N{NARROW NO-BREAK SPACE}"
    assert [(line.words, line.value.replace(narrow, " ")) for line in section.lines] == [
        ("global load requests", "16"),
        ("sectors (32 B)", "92"),
        ("bytes used / fetched", "2 048 / 2 944"),
        ("shared store requests", "16"),
        ("wavefronts", "16"),
        ("loads / element of A", "1 (1 at the end)"),
        ("loads / element of B", "1 (1 at the end)"),
    ]
    assert {line.evidence for line in section.lines} == {Evidence.RECORDED}
    assert (section.head, section.note) == (
        "What this barrier interval does",
        "Addresses recorded on PoCL. Sectors and wavefronts follow from them by an NVIDIA GPU's rules.",
    )
    assert not section.lines[0].begins_group


def test_that_conflicts_and_stores_have_their_own_words(runs: dict[str, TraceRun]) -> None:
    block = block_of(runs["tiled_transposed"])
    frames = Frames(block)
    first = {
        line.words: line.value for line in figures_section(FrameMode.PHASE, count_frame(frames.frame(0), block)).lines
    }
    assert first["wavefronts"] == "72 (+56)"
    last = figures_section(FrameMode.PHASE, count_frame(frames.frame(len(frames) - 1), block))
    assert [(line.words, line.value) for line in last.lines] == [
        ("global store requests", "8"),
        ("sectors (32 B)", "32"),
        ("bytes used / written to", "1\N{NARROW NO-BREAK SPACE}024 / 1\N{NARROW NO-BREAK SPACE}024"),
    ]


def test_that_loads_so_far_grow_to_all_there_are(runs: dict[str, TraceRun]) -> None:
    """Every column of A is loaded by each of the 16 threads of a row, one step after the other."""
    frames = Frames(block_of(runs["naive"]), FrameMode.STEP)
    for index in range(5):
        by_name = {each.array: each for each in loads_so_far(frames, frames.frame(index), Loads())}
        assert set(by_name) == {"A", "B"}
        assert by_name["A"].so_far == by_name["A"].in_all
    whole = Frames(block_of(runs["row_per_block"]), FrameMode.REQUEST)
    loads = Loads()
    found = [loads_so_far(whole, whole.frame(index), loads) for index in range(len(whole))]
    a = [each for of_frame in found for each in of_frame if each.array == "A"]
    assert a[0].so_far[1] < a[0].in_all[1]
    assert a[-1].so_far == a[-1].in_all
    assert all(each.so_far[0] <= each.so_far[1] <= each.in_all[1] for each in a)


def test_that_loads_that_differ_are_told_as_a_span() -> None:
    section = figures_section(FrameMode.STEP, {}, (LoadsSoFar("A", (0, 3), (65, 65)),))
    (line,) = section.lines
    assert (line.words, line.value) == ("loads / element of A", "0–3 (65 at the end)")


def test_that_a_frame_that_touches_nothing_says_so() -> None:
    section = figures_section(FrameMode.PHASE, {})
    assert (section.lines, section.note) == ((), "No memory is touched.")


@pytest.fixture
def panel(qtbot: QtBot) -> PhaseFigures:
    made = PhaseFigures()
    qtbot.addWidget(made)
    made.resize(288, 300)
    made.show()
    return made


def test_that_the_panel_shows_a_frame_at_once(panel: PhaseFigures, runs: dict[str, TraceRun]) -> None:
    assert panel.section.note == NOTHING
    block = block_of(runs["tiled"])
    frame = Frames(block).frame(0)
    panel.show_frame(frame, block)
    assert panel.section.lines == figures_section(FrameMode.PHASE, count_frame(frame, block)).lines
    panel.clear()
    assert (panel.section.lines, panel.section.note) == ((), NOTHING)


def test_that_loads_are_added_to_the_frame_they_belong_to(panel: PhaseFigures, runs: dict[str, TraceRun]) -> None:
    block = block_of(runs["tiled"])
    frames = Frames(block)
    panel.show_frame(frames.frame(0), block)
    count = len(panel.section.lines)
    panel.show_loads(2, loads_so_far(frames, frames.frame(2), Loads()))
    assert len(panel.section.lines) == count
    panel.show_loads(0, loads_so_far(frames, frames.frame(0), Loads()))
    assert len(panel.section.lines) == count + 2
    panel.show_frame(frames.frame(1), block)
    assert not any("element" in line.words for line in panel.section.lines)


def test_that_a_large_frame_is_counted_beside_the_window_and_the_newest_wins(
    qtbot: QtBot, panel: PhaseFigures, runs: dict[str, TraceRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    block = block_of(runs["tiled"])
    frames = Frames(block)
    monkeypatch.setattr(phase_figures_panel, "AT_ONCE", 0)
    assert lanes_in(frames.frame(1)) > 0
    last = frames.frame(len(frames) - 1)
    for index in (0, 1, 2):
        panel.show_frame(frames.frame(index), block)
    panel.show_frame(last, block)
    expected = figures_section(FrameMode.PHASE, count_frame(last, block)).lines
    assert panel.section.lines == ()  # what was there before stays until it is counted
    qtbot.waitUntil(lambda: bool(panel.section.lines))
    assert panel.section.lines == expected


def test_that_a_frame_that_cannot_be_counted_says_why(
    qtbot: QtBot, panel: PhaseFigures, runs: dict[str, TraceRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no room")

    block = block_of(runs["tiled"])
    monkeypatch.setattr(phase_figures_panel, "AT_ONCE", 0)
    monkeypatch.setattr(phase_figures_panel, "count_frame", fail)
    panel.show_frame(Frames(block).frame(0), block)
    qtbot.waitUntil(lambda: panel.section.note != NOTHING)
    assert panel.section.note == "This frame cannot be counted: no room"


def test_that_counting_does_not_depend_on_idle_warps(runs: dict[str, TraceRun]) -> None:
    block = block_of(runs["naive"])
    frame = Frames(block).frame(0)
    counted = count_frame(frame, block)
    active = np.any(block.addresses != -1, axis=2)
    assert sum(each.requests for each in counted.values()) == int(active.sum())
