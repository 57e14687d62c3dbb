"""What became of a line's figures where a GPU's machine code has other accesses than the recorded PTX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    SharedMemoryCost,
    WidthCount,
)
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.line_changes import LineChange, line_changes
from gemmviz.explain.source.line_costs import LineCode, line_code
from gemmviz.explain.source.line_figures import LineFigureKind
from gemmviz.explain.source.worth import Worth

NARROW, WIDE = (WidthCount(4, 4),), (WidthCount(16, 1),)


@pytest.fixture
def run(make_recording: Callable[..., TraceRun]) -> TraceRun:
    return make_recording()


def shared_line(run: TraceRun) -> int:
    return next(site.line for site in run.sites if site.space is Space.SHARED)


def merged(run: TraceRun, *lines: LineAccesses, wavefronts: int | None) -> TraceRun:
    """With lines whose stores were merged with each other; None: what they cost is not known."""
    numbers = tuple(one.line for one in lines)
    costs = (MergedRequests(numbers, AccessSort.SHARED_STORES, 1, wavefronts or 0, 4, 5, 20, 5),)
    machine = MachineAccesses("sm_90a", "NVRTC 13.5", lines, () if wavefronts is None else costs)
    return replace(run, machine=machine)


def stores(line: int, *, has_sass: bool = True) -> LineAccesses:
    return LineAccesses(line, AccessSort.SHARED_STORES, NARROW, WIDE if has_sass else ())


def excess_of(before: TraceRun, after: TraceRun) -> LineChange:
    line = shared_line(after)
    found = line_changes(before, after)
    return next(one for one in found if (one.line, one.figure) == (line, LineFigureKind.EXCESS))


def test_that_a_line_with_merged_accesses_is_compared_by_what_a_gpu_does(run: TraceRun) -> None:
    line = shared_line(run)
    one = excess_of(merged(run, stores(line), wavefronts=12), merged(run, stores(line), wavefronts=4))
    assert (one.cells, one.change, one.worth) == (("8 (SASS)", "0 (SASS)"), "none left", Worth.BETTER)
    assert one.words == "8→0 SASS"
    assert "in SASS, derived" in one.tip


def test_that_a_figure_of_the_ptx_is_named_and_neither_better_nor_worse_where_sass_differs(run: TraceRun) -> None:
    line = shared_line(run)
    one = excess_of(merged(run, stores(line), wavefronts=12), merged(run, stores(line), wavefronts=None))
    assert one.cells == ("15 (PTX)", "15 (PTX)")
    mended = merged(replace(run, counts=run.counts), stores(line), wavefronts=None)
    assert excess_of(run, mended).form == "PTX"
    assert excess_of(run, run).cells == ("15", "15")


def test_that_accesses_merged_into_another_line_count_there(run: TraceRun) -> None:
    line = shared_line(run)
    here = merged(run, stores(line), stores(line + 1, has_sass=False), wavefronts=12)
    assert line_code(here, line, Space.SHARED) == LineCode(True, SharedMemoryCost(1, 12, 8))
    assert line_code(here, line + 1, Space.SHARED) == LineCode(True, SharedMemoryCost(0, 0, 0))
    both = merged(run, stores(line), stores(line + 1), wavefronts=12)
    assert line_code(both, line, Space.SHARED) == LineCode(differs=True), "nobody knows which of them costs what"
    assert line_code(here, line, Space.GLOBAL) == LineCode(differs=False)


def test_that_accesses_in_the_place_of_an_empty_line_are_new_and_no_loss(run: TraceRun) -> None:
    line = shared_line(run)
    text = run.source_text.split("\n")
    text[line - 1] = ""
    elsewhere = next(site.line for site in run.sites if site.line != line)
    sites = tuple(replace(site, line=elsewhere) if site.line == line else site for site in run.sites)
    before = replace(run, source_text="\n".join(text), sites=sites)
    new = [one for one in line_changes(before, run) if one.line == line and one.words.startswith("new")]
    assert new
    assert {one.before_line for one in new} == {line}, "the empty line became this one"
    assert {one.worth for one in new} == {Worth.OTHER}
