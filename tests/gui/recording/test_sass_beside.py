"""Totals of two recordings of which a GPU's machine code makes others than the recorded PTX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.executed import Executed
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    WidthCount,
)
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Evidence
from gemmviz.explain.forms.comparison import figures_of_all
from gemmviz.explain.source.machine_words import machine_note
from gemmviz.explain.source.recorded_lines import SHARED_IN_SASS, totals_rows
from gemmviz.explain.source.recordings_beside import totals_beside
from gemmviz.gui.figures.last_run import recording_section
from gemmviz.gui.recording.clean_words import words_beside

Record = Callable[..., TraceRun]

NARROW, WIDE = (WidthCount(4, 64),), (WidthCount(16, 16),)
SAVED = 5
"""Wavefronts that merging saves."""


@pytest.fixture
def plain(make_recording: Record) -> TraceRun:
    """Recorded as compiled, with SASS as the PTX has it."""
    run = make_recording(instrumented_text=".target sm_90a", skipped=(), hazards=())
    line = run.sites[0].line
    same = LineAccesses(line, AccessSort.SHARED_LOADS, NARROW, NARROW)
    return replace(run, machine=MachineAccesses("sm_90a", "NVRTC 13.5", (same,)))


def with_merged(run: TraceRun, *, is_known: bool) -> TraceRun:
    """The same, with shared loads that the assembler merged; `is_known`: with what these cost."""
    assert run.machine is not None
    line = run.sites[0].line
    cost = MergedRequests((line,), AccessSort.SHARED_LOADS, 1, 4, 4, 4, 4 + SAVED, 4)
    lines = (LineAccesses(line, AccessSort.SHARED_LOADS, NARROW, WIDE),)
    machine = replace(run.machine, lines=lines, merged=(cost,) if is_known else ())
    return replace(run, spec=replace(run.spec, kernel="merged"), machine=machine)


def test_that_wavefronts_in_sass_have_a_row_and_a_ratio_of_their_own(plain: TraceRun) -> None:
    pair = totals_beside(with_merged(plain, is_known=True), plain, VersionNames())
    rows = {row.name: row for row in pair.rows}
    recorded = figures_of_all(plain).wavefronts
    assert (rows["wavefronts in PTX"].first, rows["wavefronts in PTX"].ratio) == (str(recorded), "equal")
    derived = rows["wavefronts in SASS, derived"]
    assert (derived.first, derived.second) == (str(recorded - SAVED), str(recorded))
    assert derived.ratio.startswith("1 : ")
    assert "compare its rows" in pair.note


def test_that_a_ratio_is_marked_where_it_is_unknown_what_sass_costs(plain: TraceRun) -> None:
    pair = totals_beside(with_merged(plain, is_known=False), plain, VersionNames())
    rows = {row.name: row for row in pair.rows}
    assert rows["wavefronts in PTX"].ratio == "equal *"
    assert not any("SASS" in name for name in rows)
    for name in ("sectors", "shared store requests"):
        assert not rows[name].ratio.endswith("*"), "SASS has these accesses as the PTX"
    assert "the ratio on a GPU differs" in pair.note


def test_that_totals_of_different_forms_say_so_and_have_no_ratio_of_instructions(plain: TraceRun) -> None:
    compiled = replace(plain, executed=(Executed(1, "moves", 8, 128),))
    written = replace(compiled, instrumented_text="", source_text=f"{plain.source_text}\n")
    pair = totals_beside(compiled, written, VersionNames())
    ratios = {row.name: row.ratio for row in pair.rows}
    assert (ratios["PTX instructions per warp (as written: not optimised)"], ratios["sectors"]) == ("–", "equal")
    assert "as compiled at the left, as written at the right" in pair.note


def test_that_a_row_of_the_ptx_beside_code_as_written_says_whose_figure_it_is(plain: TraceRun) -> None:
    written = replace(plain, instrumented_text="", machine=None)
    names = {row.name for row in totals_beside(written, with_merged(plain, is_known=False), VersionNames()).rows}
    assert {"wavefronts (as compiled: in PTX)", "sectors"} < names
    assert "wavefronts in PTX" not in names


def test_that_rows_of_code_that_is_alike_have_neither_mark_nor_name(plain: TraceRun) -> None:
    pair = totals_beside(plain, plain, VersionNames())
    assert "wavefronts" in {row.name for row in pair.rows}
    assert pair.note == ""


def test_that_what_sass_does_is_told_once_beside_the_name_of_its_kernel(plain: TraceRun) -> None:
    merged = with_merged(plain, is_known=True)
    for shown in (merged, plain):
        words = words_beside(shown, (merged, plain), VersionNames())
        first, second = words.split("\n\n")
        assert first.startswith("merged")
        assert machine_note(merged, says_cost=False) in first
        assert "Derived for SASS" not in words, "the totals beside it have rows for that"
        assert second.startswith("tiled")
        assert machine_note(plain) in second


def test_that_a_recording_tells_the_excess_of_the_machine_code_first(plain: TraceRun) -> None:
    def told(run: TraceRun) -> dict[str, tuple[str, Evidence | None]]:
        found = recording_section(run).lines
        return {one.words: (one.value, one.evidence) for one in found if one.words.startswith("excess wavefronts")}

    recorded = figures_of_all(plain).excess_wavefronts
    assert told(plain) == {"excess wavefronts": (str(recorded), Evidence.RECORDED)}
    of_ptx = "excess wavefronts in PTX", (str(recorded), Evidence.RECORDED)
    merged = told(with_merged(plain, is_known=True))
    assert list(merged.items()) == [("excess wavefronts in SASS", (str(recorded - SAVED), Evidence.DERIVED)), of_ptx]
    unknown = told(with_merged(plain, is_known=False))
    assert list(unknown.items()) == [("excess wavefronts in SASS", ("unknown", None)), of_ptx]


def test_that_rows_in_sass_stand_before_those_of_the_ptx(plain: TraceRun) -> None:
    names = [row.name for row in totals_beside(with_merged(plain, is_known=True), plain, VersionNames()).rows]
    in_sass = [place for place, name in enumerate(names) if "in SASS" in name]
    assert in_sass
    assert max(in_sass) < min(place for place, name in enumerate(names) if "in PTX" in name)


def test_that_the_totals_have_the_sum_of_what_the_lines_say(plain: TraceRun) -> None:
    *recorded, in_sass = totals_rows(merged := with_merged(plain, is_known=True))
    assert [row.name for row in recorded] == [row.name for row in totals_rows(plain)]
    assert (in_sass.name, in_sass.evidence) == (SHARED_IN_SASS, Evidence.DERIVED)
    assert in_sass.wavefronts == str(figures_of_all(merged).wavefronts - SAVED)
    assert len(totals_rows(with_merged(plain, is_known=False))) == len(recorded), "nothing is derived"
