"""What was asked for so far agrees with what the recording counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.access import AccessKind, Space
from gemmviz.domain.terms import Evidence
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.memory.running_totals import RunningTotals, TotalsSoFar
from gemmviz.gui.memory_view.timeline import timeline_of
from gemmviz.trace.frame_plan import FrameMode
from gemmviz.trace.frames import Frames

Record = Callable[..., TraceRun]


@pytest.mark.parametrize("kernel", ["naive", "tiled", "row_shared", "vectorized"])
def test_that_the_last_frame_has_what_the_recording_counted(recorded: Record, kernel: str) -> None:
    run = recorded(kernel, "33x36x20", (0, 0))
    block = run.blocks[0].trace(run.sites, run.arrays)
    frames, totals = Frames(block, FrameMode.STEP), RunningTotals(block, timeline_of(block))
    found = totals.until(frames.frame(len(frames) - 1))
    loads = [site.index for site in run.sites if site.space is Space.GLOBAL and site.kind is AccessKind.LOAD]
    assert found == totals.in_all
    assert found.loads == run.a_loads.sum() + run.b_loads.sum()
    assert found.a_loads == run.a_loads.sum()
    assert found.a_elements == (run.a_loads > 0).sum()
    assert found.sectors == run.counts.sectors[loads].sum()


@pytest.mark.parametrize("mode", list(FrameMode))
def test_that_totals_grow_with_the_heat_of_the_frames(recorded: Record, mode: FrameMode) -> None:
    run = recorded("tiled", "17x33x9", (1, 0), TILE=4)
    block = run.blocks[0].trace(run.sites, run.arrays)
    frames, totals = Frames(block, mode), RunningTotals(block, timeline_of(block))
    for index in range(0, len(frames), 3):
        heat = {name: frames.heat(name, index).counts for name in "AB"}
        found = totals.until(frames.frame(index))
        assert (found.a_loads, found.a_elements) == (heat["A"].sum(), (heat["A"] > 0).sum())
        assert found.loads == heat["A"].sum() + heat["B"].sum()


def test_that_naive_loads_an_element_for_every_thread_of_its_row_and_tiled_once(recorded: Record) -> None:
    each = {}
    for kernel in ("naive", "tiled"):
        run = recorded(kernel, "64x64x64", (1, 1))
        block = run.blocks[0].trace(run.sites, run.arrays)
        each[kernel] = RunningTotals(block, timeline_of(block)).in_all
    assert each["naive"].loads_per_element == 16.0
    assert each["tiled"].loads_per_element == 1.0
    assert each["naive"].loads == 16 * each["tiled"].loads


def test_that_every_figure_has_its_evidence() -> None:
    lines = TotalsSoFar(1536, 48, 768, 512).lines
    assert [(line.words, line.value, line.evidence) for line in lines] == [
        ("global loads", "1\N{NARROW NO-BREAK SPACE}536", Evidence.RECORDED),
        ("sectors", "48", Evidence.RECORDED),
        ("bytes fetched", "1\N{NARROW NO-BREAK SPACE}536", Evidence.DERIVED),
        ("loads per element of A", "1.5", Evidence.DERIVED),
    ]
    assert TotalsSoFar().lines[-1].value == "–"
