"""A recording as lines of source with figures, sums and hazards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.recordings.access import AccessKind, SkippedAccess, Space
from gemmviz.domain.recordings.executed import Executed
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    WidthCount,
)
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import COMPILED_NOTE
from gemmviz.explain.source.machine_words import machine_note
from gemmviz.explain.source.recorded_lines import (
    SEPARATOR,
    facts_of,
    first_line,
    first_of_interest,
    hazard_text,
    lines_of_text,
    notes_of,
    opening_line,
    plain_lines,
    source_lines,
    title_of,
    totals_rows,
)

Record = Callable[..., TraceRun]
RACE = Hazard(HazardKind.RACE, 6, "As[i]", (1, 0, 0), (0, 1), 2, 1200, "thread 1 reads what thread 0 writes")


def test_that_lines_keep_the_numbers_and_the_looks_of_the_file(make_recording: Record) -> None:
    lines = source_lines(make_recording())
    assert [line.number for line in lines] == [1, 2, 3, 4, 5, 6, 7]
    assert [line.code for line in lines[4:]] == ["    x = A[i]; // five", "    As[i] = x;", "}"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ()),
        ("a", ("a",)),
        ("a\n", ("a",)),
        ("\n\na  \n\n", ("", "", "a", "")),
        ("a\r\nb\r\n", ("a", "b")),
        ("a\rb\nc", ("a b", "c")),
        ("a\fb\u2028c\nd", (r"a\x0cb\u2028c", "d")),
        ("\ta\n \tb", ("    a", "    b")),
    ],
)
def test_that_lines_are_parted_where_a_compiler_parts_them(text: str, lines: tuple[str, ...]) -> None:
    assert lines_of_text(text) == lines
    assert [line.code for line in plain_lines(text)] == list(lines)


@pytest.mark.parametrize(
    ("source", "first"),
    [
        ("", 1),
        ("a\nb", 1),
        ("/*---\n---*/", 1),
        ("/*---\n---*/\n\n \ncode", 5),
        ("\n/*---\n---*/\ncode", 4),
        ('"""---\nx = 1\n---"""\n\nimport x', 5),
        ("a\n/*---\n---*/\nb", 1),
        ("/*---\nnever ended", 1),
    ],
)
def test_that_a_file_with_or_without_a_header_begins_where_its_code_does(source: str, first: int) -> None:
    assert first_line(plain_lines(source)) == first


def test_that_a_file_is_opened_where_its_kernel_begins() -> None:
    text = "#include <cuda.h>\n#define T 16\n\n__global__ void other(int n) {\n}\n__global__ void mine(float *A) {\n}\n"
    assert opening_line(text, "mine<T>") == 6
    assert opening_line(text) == 4, "of a file that nobody has described, the first kernel"
    assert opening_line("int x;", "mine") == 1
    assert opening_line("/*---\n---*/\n\ncode") == 4


def test_that_a_race_is_marked_at_the_lines_of_both_accesses(make_recording: Record) -> None:
    race = replace(RACE, sites=(0, 1))
    lines = source_lines(make_recording(hazards=(race,)))
    assert [line.number for line in lines if line.hazards] == [5, 6]
    assert all(line.hazards == (race,) for line in lines if line.hazards)
    alone = source_lines(make_recording(hazards=(RACE,)))
    assert [line.number for line in alone if line.hazards] == [6]


def test_that_figures_stand_beside_the_lines_that_cause_them(make_recording: Record) -> None:
    load, store, brace = source_lines(make_recording())[4:]
    assert (load.counts.global_requests, load.counts.sectors, load.counts.shared_requests) == (10, 57, 0)
    assert (store.counts.global_requests, store.counts.wavefronts, store.counts.excess_wavefronts) == (0, 20, 15)
    assert (load.kinds, store.kinds) == ({(Space.GLOBAL, AccessKind.LOAD)}, {(Space.SHARED, AccessKind.STORE)})
    assert (brace.counts, brace.mark, brace.tip) == (None, "", "line 7: }")
    assert "57 sectors" in load.tip
    assert "20 wavefronts, 15 of them excess (recorded)" in store.tip


def test_that_a_line_tells_what_it_accesses_in_an_included_file(make_recording: Record) -> None:
    run = make_recording()
    sites = tuple(replace(site, header="tile.cuh:4") if site.line == 5 else site for site in run.sites)
    load, store = source_lines(replace(run, sites=sites))[4:6]
    assert f"calls code of an included file: tile.cuh:4 reads {run.sites[0].array}" in load.tip
    assert "included" not in store.tip


def test_that_a_line_tells_its_instructions_and_active_lanes_where_they_were_counted(make_recording: Record) -> None:
    executed = (Executed(5, "global loads", 8, 64), Executed(6, "shared stores", 24, 768))  # of four blocks of a warp
    line = source_lines(make_recording(executed=executed))[4]
    assert "instructions: 2 per warp, 25 % of all, 8.0 of 32 lanes active on average (recorded)" in line.tip
    assert "instructions" not in source_lines(make_recording())[4].tip


def test_that_a_hazard_is_a_sign_and_a_word_at_its_line(make_recording: Record) -> None:
    outside = Hazard(HazardKind.OUT_OF_BOUNDS, 6, "As[i]", (0, 0, 0), (3,), 0, 1, "past the end")
    load, store, _ = source_lines(make_recording(hazards=(RACE, RACE, outside)))[4:]
    assert load.mark == ""
    assert store.mark == "! race, out of bounds"
    assert "thread 1 reads what thread 0 writes" in store.tip
    equal = replace(RACE, kind=HazardKind.EQUAL_WRITES)
    assert source_lines(make_recording(hazards=(equal,)))[5].mark == "", "no fault"


def test_that_many_hazards_of_a_line_are_counted_in_its_tip(make_recording: Record) -> None:
    store = source_lines(make_recording(hazards=(RACE,) * 7))[5]
    assert store.tip.count("thread 1 reads what thread 0 writes") == 4
    assert "! and 3 more" in store.tip


def test_that_what_was_not_recorded_is_marked_at_its_line(make_recording: Record) -> None:
    skipped = (SkippedAccess(6, "f(p)", "a function gets it"), SkippedAccess(7, "g(p)", "so does this"))
    _, store, brace = source_lines(make_recording(skipped=skipped, hazards=(RACE,)))[4:]
    assert store.mark == "! race", "a hazard comes first"
    assert "not recorded: f(p): a function gets it" in store.tip
    assert brace.mark == "not recorded"


def test_that_a_line_is_marked_where_machine_code_has_wider_accesses(make_recording: Record) -> None:
    run = make_recording(instrumented_text=".target sm_90a")
    line = next(site.line for site in run.sites)
    merged = LineAccesses(line, AccessSort.SHARED_LOADS, (WidthCount(4, 64),), (WidthCount(16, 16),))
    cost = MergedRequests((line,), AccessSort.SHARED_LOADS, 1, 4, 4, 4, 8, 4)
    run = replace(run, hazards=(), skipped=(), machine=MachineAccesses("sm_90a", "NVRTC 13.5", (merged,), (cost,)))
    shown = source_lines(run)[line - 1]
    assert shown.mark == "SASS: 128-bit"
    racing = replace(run, hazards=(replace(RACE, line=line),))
    assert source_lines(racing)[line - 1].mark.split(SEPARATOR) == ["! race", "SASS: 128-bit"]
    assert "The PTX code has 64 shared loads of 32 bits here, the SASS code 16 of 128 bits" in shown.tip
    assert "Derived for SASS: 1 request, 4 wavefronts" in shown.tip
    (note,) = notes_of(run)
    assert "SASS (sm_90a) differs in shared loads: 32-bit in PTX, 128-bit in SASS" in note
    assert "Derived for SASS: " in machine_note(run)
    assert "Derived for SASS: " not in note, "a row of the totals says it"
    same = replace(merged, sass=(WidthCount(4, 128),))
    (note,) = notes_of(replace(run, machine=MachineAccesses("sm_90a", "NVRTC 13.5", (same,))))
    assert note.endswith(
        "SASS (sm_90a) has shared loads of the same widths at every line, but another number of shared loads in all, "
        "so a GPU makes another number of requests."
    )
    (note,) = notes_of(replace(run, machine=MachineAccesses("sm_90a", "NVRTC 13.5", ())))
    assert note.endswith("SASS (sm_90a) has no accesses that could be compared.")
    same = replace(merged, sass=merged.ptx)
    (note,) = notes_of(replace(run, machine=MachineAccesses("sm_90a", "NVRTC 13.5", (same,))))
    assert note.endswith("SASS (sm_90a) has shared loads of the same widths at every line.")


def test_that_the_first_line_of_interest_is_a_hazard_or_else_an_access(make_recording: Record) -> None:
    assert first_of_interest(source_lines(make_recording())) == 5
    assert first_of_interest(source_lines(make_recording(hazards=(RACE,)))) == 6
    assert first_of_interest(()) == 0


def test_that_a_hazard_is_told_with_line_block_threads_and_barriers() -> None:
    assert hazard_text(RACE).splitlines() == [
        "race · line 6 · 1\N{NARROW NO-BREAK SPACE}200 times",
        "thread 1 reads what thread 0 writes",
        "first in block 1,0 · threads 0, 1 · both in warp 0 · between barriers 2 and 3",
    ]
    apart = replace(RACE, threads=(32, 0), detail="thread 0 writes between barriers 2 and 3")
    assert hazard_text(apart).splitlines()[1:] == [
        "thread 0 writes between barriers 2 and 3",
        "first in block 1,0 · threads 32, 0 · warps 1 and 0",
    ]
    barrier = Hazard(HazardKind.DIVERGENT_BARRIER, 0, "", (0, 0, 0), (1, 2, 3, 4, 5), 0, 1, "some never came")
    assert hazard_text(barrier).splitlines() == [
        "divergent barrier",
        "some never came",
        "block 0,0 · threads 1, 2, 3, 4 … · between barriers 0 and 1",
    ]


def test_that_sums_leave_out_what_has_no_meaning(make_recording: Record) -> None:
    loads, stores, shared = totals_rows(make_recording())
    assert (loads.name, loads.requests, loads.sectors, loads.per_request) == ("global loads", "10", "57", "5.70")
    assert (stores.name, stores.requests, stores.per_request) == ("global stores", "0", "")
    assert (shared.name, shared.wavefronts, shared.excess, shared.sectors) == ("shared stores", "20", "15", "")


def test_that_a_recording_says_what_it_is_and_what_it_lacks(make_recording: Record) -> None:
    trace = make_recording(blocks_recorded=1, skipped=(SkippedAccess(6, "f(p)", "a function gets it"),))
    assert title_of(trace) == "tiled TILE=2  ·  4×3×2"
    assert facts_of(trace) == "1 of 4 blocks · 480 accesses · recorded as written on Device pocl, driver 1"
    assert notes_of(trace) == ("Not recorded: line 6, f(p): a function gets it",)
    assert notes_of(make_recording()) == ()
    (of_ptx,) = notes_of(make_recording(instrumented_text=".target sm_90a"))
    assert of_ptx == COMPILED_NOTE
    assert facts_of(make_recording(instrumented_text=".target sm_90a"), with_note=True).endswith(COMPILED_NOTE)
    assert COMPILED_NOTE not in facts_of(trace, with_note=True)
