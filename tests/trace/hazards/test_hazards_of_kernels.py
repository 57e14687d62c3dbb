"""Whole kernels acted out thread by thread: correct ones give no false alarm, each fault is found where it is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace, MappedArray, Space
from gemmviz.trace.hazards.hazards import CrossBlockWrites, HazardKind, find_hazards

TraceOf = Callable[..., BlockTrace]
Threads = NDArray[np.int64]
"""Shape (threads,)."""

FAR = 1 << 40
A, B, C, AS, BS = (FAR * place for place in range(1, 6))
TILED = """
10 global load 4 A
10 shared store 4 As
11 global load 4 B
11 shared store 4 Bs
15 shared load 4 As
15 shared load 4 Bs
20 global store 4 C
"""
LOAD_A, STORE_AS, LOAD_B, STORE_BS, LOAD_AS, LOAD_BS, STORE_C = range(7)


class Recording:
    """Slots in the order of the program, each of all threads of a block."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.slots: list[tuple[int, Threads]] = []

    def touch(self, site: int, base: int, element: Threads, takes_part: NDArray[np.bool_] | bool = True) -> None:
        self.slots.append((site, np.where(takes_part, base + 4 * element, INACTIVE)))

    def barrier(self) -> None:
        self.slots.append((BARRIER_SITE, np.zeros(self.threads, np.int64)))


def tiled(
    trace_of: TraceOf,
    m: int,
    n: int,
    k: int,
    tile: int,
    block: tuple[int, int] = (0, 0),
    faults: frozenset[str] = frozenset(),
) -> BlockTrace:
    """kernels/cuda/tiled.cu as written, or with one of the faults this file names."""
    thread = np.arange(tile * tile)
    tx, ty = thread % tile, thread // tile
    row, col = block[1] * tile + ty, block[0] * tile + tx
    row_limit = m + 1 if "guard one too far" in faults else m
    seen = Recording(tile * tile)
    for k0 in range(0, k, tile):
        index_of_a = (k0 + tx) * k + row if "transposed index" in faults else row * k + k0 + tx
        seen.touch(LOAD_A, A, index_of_a, (row < row_limit) & (k0 + tx < k))
        seen.touch(STORE_AS, AS, ty * tile + tx, (tx > 0) | ("slot left out" not in faults))
        seen.touch(LOAD_B, B, (k0 + ty) * n + col, (k0 + ty < k) & (col < n))
        seen.touch(STORE_BS, BS, ty * tile + tx)
        if "no first barrier" not in faults:
            seen.barrier()
        for i in range(tile):
            seen.touch(LOAD_AS, AS, ty * tile + i)
            seen.touch(LOAD_BS, BS, i * tile + tx)
        if "no second barrier" not in faults:
            seen.barrier()
    seen.touch(STORE_C, C, row * n + col, (row < row_limit) & ((col < n) | ("no guard of columns" in faults)))
    arrays = f"A global {m}x{k}\nB global {k}x{n}\nC global {m}x{n}\nAs shared {tile}x{tile}\nBs shared {tile}x{tile}"
    return trace_of(TILED, seen.slots, arrays, block=(*block, 0), threads=tile * tile)


def tree(trace_of: TraceOf, threads: int, has_barrier: bool = True) -> BlockTrace:
    """kernels/cuda/dot.cu: each round adds the upper half of the sums to the lower."""
    thread = np.arange(threads)
    seen = Recording(threads)
    seen.touch(0, FAR, thread)
    seen.barrier()
    stride = threads // 2
    while stride > 0:
        for site, element in ((1, thread + stride), (2, thread), (3, thread)):
            seen.touch(site, FAR, element, thread < stride)
        if has_barrier:
            seen.barrier()
        stride //= 2
    seen.touch(4, FAR, thread, thread == 0)
    sites = "\n".join(f"{line} shared {kind} 4 sums" for line, kind in zip(range(30, 35), KINDS_OF_TREE, strict=True))
    return trace_of(sites, seen.slots, f"sums shared 1x{threads}", threads=threads)


KINDS_OF_TREE = ("store", "load", "load", "store", "load")


@pytest.mark.parametrize(("m", "n", "k"), [(1, 1, 1), (17, 33, 5), (33, 17, 31), (7, 5, 1), (16, 16, 16), (37, 31, 55)])
@pytest.mark.parametrize("tile", [2, 5, 8, 16])
def test_that_a_correct_tiled_kernel_has_no_hazards(trace_of: TraceOf, m: int, n: int, k: int, tile: int) -> None:
    writes = CrossBlockWrites(MappedArray("C", Space.GLOBAL, C, m, n))
    for x in range(-(-n // tile)):
        for y in range(-(-m // tile)):
            trace = tiled(trace_of, m, n, k, tile, (x, y))
            assert find_hazards(trace) == ()
            writes.add(trace)
    assert writes.hazards() == ()


@pytest.mark.parametrize("threads", [1, 2, 16, 64, 512])
def test_that_a_correct_reduction_tree_has_no_hazards(trace_of: TraceOf, threads: int) -> None:
    assert find_hazards(tree(trace_of, threads)) == ()


@pytest.mark.parametrize("threads", [4, 64, 512])
def test_that_a_tree_without_barriers_between_rounds_races(trace_of: TraceOf, threads: int) -> None:
    found = find_hazards(tree(trace_of, threads, has_barrier=False))
    assert {hazard.kind for hazard in found} == {HazardKind.RACE}
    assert {hazard.sites for hazard in found} == {(3, 1)}


def test_that_a_missing_first_barrier_is_found(trace_of: TraceOf) -> None:
    found = find_hazards(tiled(trace_of, 33, 17, 37, 8, faults=frozenset({"no first barrier"})))
    assert [(hazard.kind, hazard.sites, hazard.epoch, hazard.count) for hazard in found] == [
        (HazardKind.RACE, (STORE_AS, LOAD_AS), 0, 5 * 8 * 8 * 7),
        (HazardKind.RACE, (STORE_BS, LOAD_BS), 0, 5 * 8 * 8 * 7),
    ]
    assert found[0].detail == (
        "thread 1 reads As[0,0] (line 15) while thread 0 writes it (line 10) between barriers 0 and 1; "
        "both are in warp 0; "
        "a barrier between the two accesses is missing"
    )


def test_that_a_missing_second_barrier_is_found(trace_of: TraceOf) -> None:
    found = find_hazards(tiled(trace_of, 33, 17, 37, 8, faults=frozenset({"no second barrier"})))
    assert [(hazard.kind, hazard.sites, hazard.epoch, hazard.count) for hazard in found] == [
        (HazardKind.RACE, (LOAD_AS, STORE_AS), 1, 4 * 64),
        (HazardKind.RACE, (LOAD_BS, STORE_BS), 1, 4 * 64),
    ]
    assert found[0].detail == (
        "thread 0 writes As[0,0] (line 10) while thread 1 still reads it (line 15) between barriers 1 and 2; "
        "both are in warp 0; "
        "a barrier between the two accesses is missing"
    )


def test_that_one_tile_needs_no_second_barrier(trace_of: TraceOf) -> None:
    assert find_hazards(tiled(trace_of, 33, 17, 7, 8, faults=frozenset({"no second barrier"}))) == ()


def test_that_a_guard_one_too_far_is_found(trace_of: TraceOf) -> None:
    found = find_hazards(tiled(trace_of, 17, 33, 5, 16, (0, 1), faults=frozenset({"guard one too far"})))
    assert [(hazard.kind, hazard.line, hazard.threads[0], hazard.count) for hazard in found] == [
        (HazardKind.OUT_OF_BOUNDS, 10, 16, 5),
        (HazardKind.OUT_OF_BOUNDS, 20, 16, 16),
    ]
    assert "4 bytes (1 element) past the end of A, which has 17×5 elements" in found[0].detail


def test_that_a_transposed_index_is_found(trace_of: TraceOf) -> None:
    found = find_hazards(tiled(trace_of, 9, 9, 17, 8, faults=frozenset({"transposed index"})))
    assert [(hazard.kind, hazard.line, hazard.sites) for hazard in found] == [
        (HazardKind.OUT_OF_BOUNDS, 10, (LOAD_A,)),
    ]
    assert found[0].epoch == 2


def test_that_a_slot_left_unwritten_is_found(trace_of: TraceOf) -> None:
    found = find_hazards(tiled(trace_of, 33, 17, 37, 8, faults=frozenset({"slot left out"})))
    assert [(hazard.kind, hazard.sites, hazard.count) for hazard in found] == [
        (HazardKind.UNWRITTEN_READ, (LOAD_AS,), 5 * 64),
    ]
    assert "reads As[0,0]" in found[0].detail


def test_that_a_missing_guard_lets_two_blocks_write_one_element(trace_of: TraceOf) -> None:
    faults = frozenset({"no guard of columns"})
    first, second = (tiled(trace_of, 20, 9, 3, 8, (x, 0), faults) for x in range(2))
    assert find_hazards(first) == ()
    writes = CrossBlockWrites(first.arrays[2])
    writes.add(first)
    assert writes.hazards() == ()
    writes.add(second)
    (hazard,) = writes.hazards()
    assert (hazard.line, hazard.block, hazard.count) == (20, (1, 0, 0), 7 * 7)
