"""Updates that several threads or blocks make by a read and a write: atomic operations are missing, no barrier."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.access import BlockTrace, MappedArray, Space
from gemmviz.domain.recordings.hazard import Mend
from gemmviz.trace.hazards.hazards import CrossBlockWrites, find_hazards
from gemmviz.trace.hazards.race_words import MISSING_BARRIER, UNATOMIC_UPDATE

TraceOf = Callable[..., BlockTrace]
ONE_LINE = "8 shared load 4 s\n8 shared store 4 s"


def test_that_a_count_of_all_threads_takes_an_atomic_operation(trace_of: TraceOf) -> None:
    same = " ".join(["s:0"] * 32)
    hazards = find_hazards(trace_of(ONE_LINE, f"0 | {same}\n1 | {same}", "s shared 1x1"))
    assert hazards
    for hazard in hazards:
        assert hazard.detail.endswith(UNATOMIC_UPDATE)
        assert MISSING_BARRIER not in hazard.detail
        assert hazard.mend is Mend.ATOMIC


@pytest.mark.parametrize(
    ("sites", "slots"),
    [
        pytest.param(ONE_LINE, "0 | s:1-8\n1 | s:0-7", id="each thread reads its neighbour's element"),
        pytest.param("8 shared load 4 s\n9 shared store 4 s", "0 | s:0 s:0\n1 | s:0 s:0", id="in two lines"),
    ],
)
def test_that_other_reads_and_writes_take_a_barrier(trace_of: TraceOf, sites: str, slots: str) -> None:
    hazards = find_hazards(trace_of(sites, slots, "s shared 1x9"))
    told = [hazard.detail for hazard in hazards]
    assert Mend.ATOMIC not in {hazard.mend for hazard in hazards}
    assert any(MISSING_BARRIER in words for words in told)
    assert not any(UNATOMIC_UPDATE in words for words in told)


@pytest.mark.parametrize(
    ("name", "read", "is_told"), [("C", 3, True), ("D", 3, True), ("C", 4, False), ("A", 3, False), ("slots", 3, False)]
)
def test_that_blocks_that_add_to_one_element_of_the_result_take_an_atomic_operation(
    trace_of: TraceOf, name: str, read: int, is_told: bool
) -> None:
    writes = CrossBlockWrites(MappedArray(name, Space.GLOBAL, 1 << 40, 5, 7))
    for x in range(2):
        slots, sites = f"0 | {name}:{read}\n1 | {name}:3", f"7 global load 4 {name}\n7 global store 4 {name}"
        writes.add(trace_of(sites, slots, f"{name} global 5x7", block=(x, 0, 0)))
    assert {UNATOMIC_UPDATE in hazard.detail for hazard in writes.hazards()} == {is_told}
    assert {hazard.mend is Mend.ATOMIC for hazard in writes.hazards()} == {is_told}


def test_that_two_writes_of_one_line_are_mended_by_one_writer(trace_of: TraceOf) -> None:
    (hazard,) = find_hazards(trace_of("8 shared store 4 s", "0 | s:0 s:0", "s shared 1x9"))
    assert hazard.mend is Mend.ONE_WRITER
