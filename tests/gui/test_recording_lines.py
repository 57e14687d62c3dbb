"""A recording as lines of source with figures, sums and hazards."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.access import SkippedAccess
from gemmviz.domain.hazard import Hazard, HazardKind
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.recording_lines import (
    PAST_BARRIERS,
    facts_of,
    first_line,
    first_of_interest,
    hazard_text,
    source_lines,
    title_of,
    totals_rows,
    what_is_missing,
)

Record = Callable[..., TraceRun]
RACE = Hazard(HazardKind.RACE, 6, "As[i]", (1, 0, 0), (0, 1), 2, 1200, "thread 1 reads what thread 0 writes")


def test_that_the_header_is_folded_away_and_lines_keep_their_numbers(make_recording: Record) -> None:
    lines = source_lines(make_recording())
    assert [(line.number, line.code) for line in lines] == [
        (5, "    x = A[i]; // five"), (6, "    As[i] = x;"), (7, "}"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "first"), [([], 1), (["a", "b"], 1), (["/*---", "---*/"], 3), (["/*---", "---*/", "", " ", "code"], 5)]
)
def test_that_a_file_with_or_without_a_header_begins_where_its_code_does(source: list[str], first: int) -> None:
    assert first_line(source) == first


def test_that_figures_stand_beside_the_lines_that_cause_them(make_recording: Record) -> None:
    load, store, brace = source_lines(make_recording())
    assert (load.requests, load.sectors_per_request, load.shared, load.excess) == ("10", "5.70", "", "")
    assert (store.requests, store.sectors_per_request, store.shared, store.excess) == ("", "", "20", "15")
    assert (brace.requests, brace.shared, brace.mark) == ("", "", "")
    assert "57 sectors" in load.tip
    assert "20 wavefronts, 15 of them excess (recorded)" in store.tip


def test_that_a_hazard_is_a_sign_and_a_word_at_its_line(make_recording: Record) -> None:
    outside = Hazard(HazardKind.OUT_OF_BOUNDS, 6, "As[i]", (0, 0, 0), (3,), 0, 1, "past the end")
    load, store, _ = source_lines(make_recording(hazards=(RACE, RACE, outside)))
    assert load.mark == ""
    assert store.mark == "! race, out of bounds"
    assert "thread 1 reads what thread 0 writes" in store.tip


def test_that_the_first_line_of_interest_is_a_hazard_or_else_an_access(make_recording: Record) -> None:
    assert first_of_interest(source_lines(make_recording())) == 5
    assert first_of_interest(source_lines(make_recording(hazards=(RACE,)))) == 6
    assert first_of_interest(()) == 0


def test_that_a_hazard_is_told_with_line_block_threads_and_epoch() -> None:
    assert hazard_text(RACE).splitlines() == [
        "race · line 6 · 1\N{NARROW NO-BREAK SPACE}200 times",
        "thread 1 reads what thread 0 writes",
        "block 1,0,0 · threads 0, 1 · epoch 2",
    ]
    barrier = Hazard(HazardKind.DIVERGENT_BARRIER, 0, "", (0, 0, 0), (1, 2, 3, 4, 5), 0, 1, "some never came")
    assert hazard_text(barrier).splitlines() == [
        "divergent barrier", "some never came", "block 0,0,0 · threads 1, 2, 3, 4 … · epoch 0",
    ]  # fmt: skip


def test_that_sums_leave_out_what_has_no_meaning(make_recording: Record) -> None:
    loads, stores, shared = totals_rows(make_recording())
    assert (loads.name, loads.requests, loads.sectors, loads.per_request) == ("global loads", "10", "57", "5.70")
    assert (stores.name, stores.requests, stores.per_request) == ("global stores", "0", "")
    assert (shared.name, shared.wavefronts, shared.excess, shared.sectors) == ("shared stores", "20", "15", "")


def test_that_a_recording_says_what_it_is_and_what_it_lacks(make_recording: Record) -> None:
    trace = make_recording(
        blocks_recorded=1, keeps_barriers=False, skipped=(SkippedAccess(6, "f(p)", "a function gets it"),)
    )
    assert title_of(trace) == "tiled TILE=2  ·  4x3x2"
    assert facts_of(trace) == "1 of 4 blocks · 480 accesses · recorded on pocl"
    assert what_is_missing(trace) == (PAST_BARRIERS, "Not recorded: line 6, f(p): a function gets it")
    assert what_is_missing(make_recording()) == ()
