"""Two blocks that write one element, found while blocks pass one by one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.access import BlockTrace, MappedArray, Space
from gemmviz.trace.hazards.hazards import CrossBlockWrites, HazardKind

TraceOf = Callable[..., BlockTrace]
C = MappedArray("C", Space.GLOBAL, 1 << 40, 5, 7)
SITES = "7 global store 4 C\n8 global store 16 C\n9 global load 4 C"


@pytest.fixture
def block(trace_of: TraceOf) -> Callable[[int, str], BlockTrace]:
    def make(x: int, slots: str) -> BlockTrace:
        return trace_of(SITES, slots, "C global 5x7", block=(x, 0, 0))

    return make


def test_that_blocks_with_their_own_elements_are_fine(block: Callable[[int, str], BlockTrace]) -> None:
    writes = CrossBlockWrites(C)
    for x in range(5):
        writes.add(block(x, f"0 | C:{7 * x}-{7 * x + 6}\nbarrier\n0 | C:{7 * x}-{7 * x + 6}"))
    assert writes.hazards() == ()


def test_that_two_blocks_on_one_element_are_named(block: Callable[[int, str], BlockTrace]) -> None:
    writes = CrossBlockWrites(C)
    writes.add(block(0, "0 | C:0-9"))
    writes.add(block(2, "0 | C:20-29"))
    writes.add(block(1, "0 | C:10-20\nbarrier\n0 | C:8 C:9"))
    writes.add(block(3, "0 | C:0-3"))
    (hazard,) = writes.hazards()
    assert (hazard.kind, hazard.line, hazard.text, hazard.epoch) == (HazardKind.BLOCK_RACE, 7, "C[0]", 0)
    assert (hazard.block, hazard.threads, hazard.count, hazard.sites) == ((1, 0, 0), (10,), 7, (0,))
    assert hazard.detail == (
        "thread 10 of block (1, 0, 0) writes C[2,6] (line 7), and block (2, 0, 0) writes it too; "
        "blocks cannot wait for each other, so the final value is undefined"
    )


def test_that_each_site_is_a_finding_and_a_wide_store_counts_once(block: Callable[[int, str], BlockTrace]) -> None:
    writes = CrossBlockWrites(C)
    writes.add(block(0, "1 | C:0 C:4"))
    writes.add(block(1, "0 | C:7\n1 | C:4 C:8"))
    assert [(hazard.line, hazard.threads, hazard.count) for hazard in writes.hazards()] == [(7, (0,), 1), (8, (0,), 1)]


def test_that_reads_and_stores_elsewhere_do_not_count(block: Callable[[int, str], BlockTrace]) -> None:
    writes = CrossBlockWrites(C)
    for x in range(2):
        writes.add(block(x, "2 | C:0-31\n0 | C:-1 C:35\n1 | C:32"))
    assert writes.hazards() == ()


def test_that_a_block_is_added_once(block: Callable[[int, str], BlockTrace]) -> None:
    writes = CrossBlockWrites(C)
    writes.add(block(0, "0 | C:0"))
    with pytest.raises(ValueError, match="added before"):
        writes.add(block(0, "0 | C:0"))


def test_that_a_block_that_reads_what_another_writes_is_named_whoever_comes_first(
    block: Callable[[int, str], BlockTrace],
) -> None:
    writes = CrossBlockWrites(C)
    writes.add(block(0, "0 | C:0-3\n2 | C:0-8"))  # reads its own, and what block 1 writes later
    writes.add(block(1, "0 | C:7 C:8"))
    writes.add(block(2, "2 | C:8 C:9 C:2"))
    written, read = writes.hazards()
    assert (written.line, written.block, written.threads, written.count) == (7, (1, 0, 0), (0,), 2)
    assert written.detail.startswith(
        "thread 0 of block (1, 0, 0) writes C[1,0] (line 7), and block (0, 0, 0) reads it (line 9);"
    )
    assert written.sites == (2, 0)  # the earlier block's access, then its own
    assert (read.line, read.block, read.threads, read.count) == (9, (2, 0, 0), (0,), 2)
    assert "reads C[1,1] (line 9), and block (1, 0, 0) writes it; blocks cannot wait" in read.detail
    assert "the value read is undefined" in read.detail


def test_that_a_race_is_a_possible_one_where_blocks_may_wait_for_each_other_and_their_order_is_not_known(
    block: Callable[[int, str], BlockTrace],
) -> None:
    writes = CrossBlockWrites(C, may_order_blocks=True)
    writes.add(block(0, "0 | C:0"))
    writes.add(block(1, "0 | C:0"))
    (hazard,) = writes.hazards()
    assert hazard.kind is HazardKind.POSSIBLE_RACE
    assert "make one of the two blocks wait for the other" in hazard.detail


def test_that_blocks_that_only_read_are_fine(block: Callable[[int, str], BlockTrace]) -> None:
    writes = CrossBlockWrites(C)
    for x in range(3):
        writes.add(block(x, "2 | C:0-31"))
    assert writes.hazards() == ()


def test_that_all_elements_that_race_are_told_as_stretches(block: Callable[[int, str], BlockTrace]) -> None:
    writes = CrossBlockWrites(C)
    writes.add(block(0, "0 | C:0-9"))
    writes.add(block(1, "0 | C:10-20\nbarrier\n0 | C:8 C:9"))
    writes.add(block(2, "2 | C:0-2 C:30"))
    assert {(hazard.array, hazard.elements) for hazard in writes.hazards()} == {("C", (0, 3, 8, 10))}
