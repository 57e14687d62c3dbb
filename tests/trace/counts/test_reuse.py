"""Loads per element: known kernels, and a slow way of counting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.shape import Shape
from gemmviz.trace.counts.reuse import LoadsPerElement, ReuseMap, loads_per_element

TraceOf = Callable[..., BlockTrace]

SITES = """
    1 global load 4 A
    2 global load 16 B
    3 global store 4 C
    4 shared load 4 As
    5 global store 4 A
"""
SHAPE = Shape(3, 4, 5)
ARRAYS = "A global 3x5\nB global 5x4\nC global 3x4\nAs shared 8x8"
BASES = {"A": 1 << 40, "B": 2 << 40, "C": 3 << 40}


def map_of(trace: BlockTrace, shape: Shape = SHAPE) -> ReuseMap:
    reuse = ReuseMap(shape)
    reuse.add_block(trace)
    return reuse


def naive_block(trace_of: TraceOf, shape: Shape) -> BlockTrace:
    """One block for all of C, a thread per element, A and B loaded from global memory for every multiply-add."""
    row, col = np.divmod(np.arange(shape.m * shape.n), shape.n)
    slots = []
    for k in range(shape.k):
        slots.append((0, BASES["A"] + 4 * (row * shape.k + k)))
        slots.append((1, BASES["B"] + 4 * (k * shape.n + col)))
    slots.append((2, BASES["C"] + 4 * (row * shape.n + col)))
    m, n, k = shape.m, shape.n, shape.k
    sites = "1 global load 4 A\n1 global load 4 B\n2 global store 4 C"
    return trace_of(sites, slots, f"A global {m}x{k}\nB global {k}x{n}\nC global {m}x{n}", threads=m * n)


def test_that_without_reuse_each_element_is_loaded_for_every_multiply_add(trace_of: TraceOf) -> None:
    shape = Shape(17, 5, 33)
    reuse = map_of(naive_block(trace_of, shape), shape)
    assert (reuse.a == 5).all()
    assert (reuse.b == 17).all()
    assert reuse.bytes_asked == 4 * (2 * 17 * 5 * 33 + 17 * 5)


def test_that_tiles_load_each_element_once_per_block_that_needs_it(tiled_block: TraceOf) -> None:
    shape = Shape(37, 29, 19)
    reuse = ReuseMap(shape)
    for bx in range(4):
        for by in range(5):
            reuse.add_block(tiled_block((37, 29, 19), 8, bx, by))
    assert reuse.blocks == 20
    assert loads_per_element(reuse.a) == LoadsPerElement(min=4, median=4.0, max=4, total=4 * 37 * 19)
    assert loads_per_element(reuse.b) == LoadsPerElement(min=5, median=5.0, max=5, total=5 * 19 * 29)
    assert reuse.bytes_asked == 4 * (4 * 37 * 19 + 5 * 19 * 29 + 37 * 29)


def test_that_one_block_shows_the_rows_and_columns_it_needs(tiled_block: TraceOf) -> None:
    reuse = map_of(tiled_block((37, 29, 19), 8, 3, 4), Shape(37, 29, 19))
    assert (reuse.a == (np.arange(37) >= 32)[:, np.newaxis]).all()
    assert (reuse.b == (np.arange(29) >= 24)).all()


def test_that_an_access_of_16_bytes_counts_for_four_elements(trace_of: TraceOf) -> None:
    reuse = map_of(trace_of(SITES, "1 | B:4 B:4 B:16", ARRAYS))
    assert reuse.b.tolist() == [[0] * 4, [2] * 4, [0] * 4, [0] * 4, [1] * 4]
    assert reuse.bytes_asked == 48


def test_that_stores_and_shared_memory_load_nothing(trace_of: TraceOf) -> None:
    reuse = map_of(trace_of(SITES, "2 | C:0-11\n3 | As:0-31\n4 | A:0 A:1\nbarrier", ARRAYS))
    assert not reuse.a.any()
    assert not reuse.b.any()
    assert reuse.bytes_asked == 4 * (12 + 2)


def test_that_what_lies_outside_is_not_counted(trace_of: TraceOf) -> None:
    reuse = map_of(trace_of(SITES, "0 | A:-1 A:15 A:14 A:-100 A:1000000 | . A:0", ARRAYS))
    assert reuse.a.ravel().tolist() == [1, *[0] * 13, 1]
    assert reuse.bytes_asked == 8


def test_that_an_access_across_an_edge_counts_for_the_elements_inside(trace_of: TraceOf) -> None:
    reuse = map_of(trace_of(SITES, "1 | B:-2 B:19", ARRAYS))
    assert reuse.b.ravel().tolist() == [1, 1, *[0] * 17, 1]
    assert reuse.bytes_asked == 12


def test_that_the_address_counts_and_not_the_name_it_is_reached_through(trace_of: TraceOf) -> None:
    assert map_of(trace_of(SITES, "0 | B:7", ARRAYS)).b[1, 3] == 1


def test_that_lanes_without_a_part_count_for_nothing(trace_of: TraceOf) -> None:
    reuse = map_of(trace_of(SITES, "0 | .*32 | .*16 A:2*3 . A:2", ARRAYS))
    assert reuse.a.sum() == reuse.a[0, 2] == 4


def test_that_an_empty_recording_asks_for_nothing(trace_of: TraceOf) -> None:
    reuse = map_of(trace_of("", "barrier", ARRAYS))
    assert reuse.bytes_asked == 0
    assert loads_per_element(reuse.a) == LoadsPerElement(0, 0.0, 0, 0)


@given(st.data())
def test_that_a_slow_count_agrees(trace_of: TraceOf, data: st.DataObject) -> None:
    widths = data.draw(st.tuples(*[st.integers(1, 16)] * 2))
    sites = f"1 global load {widths[0]} A\n2 global store {widths[1]} C"
    near = st.tuples(st.sampled_from(list(BASES.values())), st.integers(-20, 100)).map(sum)
    address = st.one_of(st.just(-1), near, near)
    rows = data.draw(st.lists(st.tuples(st.integers(0, 1), st.lists(address, min_size=32, max_size=32)), max_size=3))
    reuse = map_of(trace_of(sites, [(site, np.array(row)) for site, row in rows], ARRAYS))
    loads = {"A": np.zeros(15, int), "B": np.zeros(20, int), "C": np.zeros(12, int)}
    asked = 0
    for site, row in rows:
        for start in row:
            inside = [
                (name, (byte - base) // 4)
                for name, base in BASES.items()
                for byte in range(start, start + widths[site])
                if start != -1 and 0 <= byte - base < 4 * loads[name].size
            ]
            asked += len(inside)
            for name, element in set(inside) if site == 0 else ():
                loads[name][element] += 1
    assert reuse.a.ravel().tolist() == loads["A"].tolist()
    assert reuse.b.ravel().tolist() == loads["B"].tolist()
    assert reuse.bytes_asked == asked


def test_that_maps_of_parts_add_up(tiled_block: TraceOf) -> None:
    blocks = [tiled_block((37, 29, 19), 8, bx, 0) for bx in range(4)]
    one, parts = ReuseMap(Shape(37, 29, 19)), [map_of(block, Shape(37, 29, 19)) for block in blocks]
    for block in blocks:
        one.add_block(block)
    for part in parts[1:]:
        parts[0].add(part)
    assert (parts[0].a == one.a).all()
    assert (parts[0].b == one.b).all()
    assert (parts[0].blocks, parts[0].bytes_asked) == (one.blocks, one.bytes_asked)


def test_that_maps_of_other_shapes_are_not_added() -> None:
    with pytest.raises(ValueError, match="loads of 3x4x5 cannot be added to those of 5x4x3"):
        ReuseMap(Shape(5, 4, 3)).add(ReuseMap(SHAPE))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ("A global 3x5\nB global 5x4", "without a matrix C"),
        ("A shared 3x5\nB global 5x4\nC global 3x4", "without a matrix A in global memory"),
        ("A global 3x5\nB global 4x5\nC global 3x4", r"B is 4×5; 3x4x5 makes it 5×4"),
    ],
)
def test_that_matrices_that_do_not_fit_are_refused(trace_of: TraceOf, arrays: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        map_of(trace_of("", "barrier", arrays))


def test_that_elements_of_odd_sizes_are_refused(trace_of: TraceOf) -> None:
    block = trace_of(SITES, "0 | A:0", ARRAYS)
    for odd in (0, 3, -4):
        arrays = (replace(block.arrays[0], element_bytes=odd), *block.arrays[1:])
        with pytest.raises(ValueError, match=f"an element of A has {odd} bytes"):
            map_of(replace(block, arrays=arrays))


def test_that_elements_of_two_bytes_are_told_apart(trace_of: TraceOf) -> None:
    block = trace_of(SITES, "0 | A:0 A:1", ARRAYS)
    reuse = map_of(replace(block, arrays=(replace(block.arrays[0], element_bytes=2), *block.arrays[1:])))
    assert reuse.a.ravel().tolist()[:5] == [1, 1, 1, 1, 0]


def test_that_columns_that_cannot_be_written_are_counted(trace_of: TraceOf) -> None:
    block = trace_of(SITES, "0 | A:0", ARRAYS)
    block.addresses.flags.writeable = block.slot_site.flags.writeable = False
    assert map_of(block).a[0, 0] == 1


def test_that_damaged_columns_are_refused(trace_of: TraceOf) -> None:
    block = trace_of(SITES, "0 | A:0", ARRAYS)
    with pytest.raises(ValueError, match="there are 5 sites"):
        map_of(replace(block, slot_site=np.array([5], np.int32)))
