"""Counts per site: known kernels to the last digit, and a slow way of counting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from threading import Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.shape import Shape
from gemmviz.trace.counts.columns import SiteColumns
from gemmviz.trace.counts.summary import SiteCounter, per_warp, summarise
from gemmviz.trace.counts.totals import Totals, total

TraceOf = Callable[..., BlockTrace]

SITES = """
    3 global load 4 A
    4 global load 16 B
    5 global store 4 C
    6 shared store 4 As
    6 shared load 4 As
    7 private load 4 acc
"""
ARRAYS = "A global 8x8\nB global 8x8\nC global 8x8\nAs shared 32x32"


def counts_of(columns: SiteColumns, site: int) -> dict[str, int]:
    names = ("requests", "accesses", "sectors", "lines", "bytes_asked", "bytes_moved", "wavefronts")
    return {name: int(getattr(columns, name)[site]) for name in (*names, "ideal_wavefronts", "excess_wavefronts")}


def grid_of(shape: Shape, tile: int) -> list[tuple[int, int]]:
    return [(bx, by) for bx in range(-(-shape.n // tile)) for by in range(-(-shape.m // tile))]


def totals_of(tiled_block: TraceOf, shape: Shape, tile: int, **options: object) -> Totals:
    blocks = [tiled_block((shape.m, shape.n, shape.k), tile, bx, by, **options) for bx, by in grid_of(shape, tile)]
    counter = SiteCounter(blocks[0].sites)
    for block in blocks:
        counter.add_block(block)
    assert counter.blocks == len(blocks)
    return total(counter.sites, counter.columns, shape)


def test_that_the_tiled_kernel_gives_the_counters_of_the_hardware(tiled_block: TraceOf) -> None:
    assert totals_of(tiled_block, Shape(128, 128, 64), 16) == Totals(
        global_load_requests=4096,
        global_load_sectors=16384,
        global_store_requests=512,
        global_store_sectors=2048,
        shared_load_requests=65536,
        shared_load_wavefronts=65536,
        shared_load_ideal_wavefronts=65536,
        shared_store_requests=4096,
        shared_store_wavefronts=4096,
        shared_store_ideal_wavefronts=4096,
        bytes_asked=(16384 + 2048) * 32,
        bytes_moved=(16384 + 2048) * 32,
        bytes_ideal=4 * (128 * 64 + 64 * 128 + 128 * 128),
    )


def test_that_a_transposed_tile_pays_for_its_stores_alone(tiled_block: TraceOf) -> None:
    straight = totals_of(tiled_block, Shape(128, 128, 64), 16)
    transposed = totals_of(tiled_block, Shape(128, 128, 64), 16, transposed=True)
    assert transposed == replace(straight, shared_store_wavefronts=18432)


def test_that_odd_sizes_give_the_counters_of_the_hardware(tiled_block: TraceOf) -> None:
    """The loads of A are the same for every block of a row of blocks, those of B for every block of a column."""
    requests = sectors = 0
    for site, blocks in ((0, [(0, by) for by in range(65)]), (2, [(bx, 0) for bx in range(65)])):
        for bx, by in blocks:
            columns = summarise(tiled_block((1037, 1031, 1055), 16, bx, by, only=[site]))
            requests += 65 * int(columns.requests.sum())
            sectors += 65 * int(columns.sectors.sum())
    assert (requests, sectors) == (4_457_310, 25_517_440)


def test_that_each_space_has_its_own_figures(trace_of: TraceOf) -> None:
    columns = summarise(
        trace_of(
            SITES,
            """
            0 | A:0-31
            1 | B:0 B:4 B:8 B:0
            2 | C:0 C:8 C:8 | C:16
            3 | As:0*2 As:32 As:64 As:1
            4 | As:0*32
            5 | As:0-31
            """,
            ARRAYS,
        )
    )
    expected = dict.fromkeys(counts_of(columns, 0), 0)
    assert [counts_of(columns, site) for site in range(6)] == [
        expected | {"requests": 1, "accesses": 32, "sectors": 4, "lines": 1, "bytes_asked": 128, "bytes_moved": 128},
        expected | {"requests": 1, "accesses": 4, "sectors": 2, "lines": 1, "bytes_asked": 48, "bytes_moved": 64},
        expected | {"requests": 2, "accesses": 4, "sectors": 3, "lines": 2, "bytes_asked": 12, "bytes_moved": 96},
        expected
        | {
            "requests": 1,
            "accesses": 5,
            "wavefronts": 3,
            "ideal_wavefronts": 1,
            "excess_wavefronts": 2,
            "bytes_asked": 16,
        },
        expected | {"requests": 1, "accesses": 32, "wavefronts": 1, "ideal_wavefronts": 1, "bytes_asked": 4},
        expected | {"requests": 1, "accesses": 32},
    ]
    assert columns.sectors_per_request[:3].tolist() == [4.0, 2.0, 1.5]
    assert np.isnan(columns.sectors_per_request[3:]).all()


def test_that_a_warp_without_active_lanes_makes_no_request(trace_of: TraceOf) -> None:
    columns = per_warp(trace_of(SITES, "0 | . | A:0-31 | A:3\n3 | As:0 | .*32", ARRAYS))
    assert columns.requests[:, 0].tolist() == [0, 1, 1]
    assert columns.requests[:, 3].tolist() == [1, 0, 0]
    assert columns.sectors[:, 0].tolist() == [0, 4, 1]


def test_that_barriers_count_for_nothing(trace_of: TraceOf) -> None:
    assert not summarise(trace_of(SITES, "barrier\nbarrier", ARRAYS)).counts.any()


def test_that_an_address_outside_every_array_costs_what_the_hardware_would_fetch(trace_of: TraceOf) -> None:
    columns = summarise(trace_of(SITES, "0 | A:-1 A:0 A:64 A:-100000", ARRAYS))
    assert counts_of(columns, 0)["sectors"] == 4
    assert counts_of(columns, 0)["bytes_asked"] == 16


def test_that_warps_add_up_to_the_block_and_blocks_to_the_grid(tiled_block: TraceOf) -> None:
    blocks = [tiled_block((37, 29, 19), 8, bx, by) for bx in range(4) for by in range(5)]
    counter, added = SiteCounter(blocks[0].sites), summarise(blocks[0])
    for block in blocks:
        assert (per_warp(block).counts.sum(axis=0) == summarise(block).counts).all()
        counter.add_block(block)
    for block in blocks[1:]:
        added = added + summarise(block)
    assert (added.counts == counter.columns.counts).all()
    assert counter.columns.accesses.tolist() == [
        4 * 37 * 19,
        3 * 64 * 20,
        5 * 19 * 29,
        3 * 64 * 20,
        3 * 8 * 64 * 20,
        3 * 8 * 64 * 20,
        37 * 29,
    ]


def test_that_columns_taken_stay_as_they_are(tiled_block: TraceOf) -> None:
    block = tiled_block((8, 8, 8), 4, 0, 0)
    counter = SiteCounter(block.sites)
    before = counter.columns
    counter.add_block(block)
    assert before.requests.sum() == 0 < counter.columns.requests.sum()


@pytest.mark.parametrize("warps", [0, 2])
def test_that_an_empty_recording_has_no_counts(trace_of: TraceOf, warps: int) -> None:
    empty = replace(trace_of("", ""), slot_site=np.empty(0, np.int32), addresses=np.empty((warps, 0, 32), np.int64))
    assert summarise(empty).requests.shape == (0,)
    assert per_warp(empty).requests.shape == (warps, 0)
    assert set(total((), summarise(empty), Shape(1, 1, 1)).as_dict().values()) == {0, 12}


@given(st.data())
def test_that_a_slow_count_agrees(trace_of: TraceOf, data: st.DataObject) -> None:
    width = data.draw(st.sampled_from([4, 8, 16]))
    sites = f"1 global load {width} A\n2 shared store {width} As"
    address = st.one_of(st.just(-1), st.integers(0, 150).map(lambda i: (1 << 40) + i * width))
    lanes = st.lists(address, min_size=64, max_size=64)
    drawn = data.draw(st.lists(st.tuples(st.integers(-1, 1), lanes), max_size=4))
    columns = per_warp(trace_of(sites, [(site, np.array(row)) for site, row in drawn]))
    for warp in range(columns.requests.shape[0]):
        for site in range(2):
            rows = [row[32 * warp : 32 * warp + 32] for at, row in drawn if at == site]
            requests = [[start for start in row if start != -1] for row in rows if set(row) != {-1}]
            touched = [{start + i for start in request for i in range(width)} for request in requests]
            assert columns.requests[warp, site] == len(requests)
            assert columns.accesses[warp, site] == sum(map(len, requests))
            if site == 0:
                assert columns.sectors[warp, 0] == sum(len({byte // 32 for byte in bytes_}) for bytes_ in touched)
                assert columns.lines[warp, 0] == sum(len({byte // 128 for byte in bytes_}) for bytes_ in touched)
                assert columns.bytes_asked[warp, 0] == sum(map(len, touched))
            else:
                assert columns.wavefronts[warp, 1] == sum(passes_of_store(row, width) for row in rows)


def passes_of_store(row: list[int], width: int) -> int:
    together, passes = 32 * 4 // width, 0
    for first in range(0, 32, together):
        words: dict[int, set[int]] = defaultdict(set)
        for start in row[first : first + together]:
            for byte in range(start, start + width) if start != -1 else ():
                words[byte // 4 % 32].add(byte // 4)
        passes += max(map(len, words.values()), default=0)
    return passes


def test_that_threads_with_a_tally_each_count_like_one(tiled_block: TraceOf) -> None:
    blocks = [tiled_block((64, 64, 32), 16, bx, by) for bx in range(4) for by in range(4)]
    load_counters = [SiteCounter(blocks[0].sites) for _ in range(4)]

    def count(counter: SiteCounter, mine: list[BlockTrace]) -> None:
        for block in mine:
            counter.add_block(block)

    threads = [Thread(target=count, args=(counter, blocks[i::4])) for i, counter in enumerate(load_counters)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one = SiteCounter(blocks[0].sites)
    count(one, blocks)
    added = load_counters[0].columns + load_counters[1].columns + load_counters[2].columns + load_counters[3].columns
    assert (added.counts == one.columns.counts).all()


def test_that_views_count_like_copies(tiled_block: TraceOf) -> None:
    block = tiled_block((16, 16, 16), 8, 0, 0)
    turned = replace(block, addresses=np.asfortranarray(block.addresses))
    assert (summarise(turned).counts == summarise(block).counts).all()


def test_that_columns_that_cannot_be_written_are_counted(tiled_block: TraceOf) -> None:
    block = tiled_block((16, 16, 16), 8, 0, 0)
    kept = replace(block, addresses=block.addresses.copy(), slot_site=block.slot_site.copy())
    kept.addresses.flags.writeable = kept.slot_site.flags.writeable = False
    assert (summarise(kept).counts == summarise(block).counts).all()


def test_that_blocks_of_another_kernel_are_refused(trace_of: TraceOf, tiled_block: TraceOf) -> None:
    with pytest.raises(ValueError, match="other sites"):
        SiteCounter(trace_of(SITES, "", ARRAYS).sites).add_block(tiled_block((8, 8, 8), 4, 0, 0))


def test_that_columns_of_other_shapes_are_not_added(trace_of: TraceOf) -> None:
    block = trace_of(SITES, "0 | A:0 | A:1", ARRAYS)
    with pytest.raises(ValueError, match="cannot be added"):
        summarise(block) + per_warp(block)
    with pytest.raises(ValueError, match="do not belong to 6 sites"):
        total(block.sites, per_warp(block), Shape(8, 8, 8))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"addresses": np.zeros((1, 2, 31), np.int64)}, r"not int64 of \(warps, slots, 32\)"),
        ({"addresses": np.zeros((1, 2, 32), np.int32)}, r"int32 of shape \(1, 2, 32\)"),
        ({"addresses": np.zeros((1, 3, 32), np.int64)}, r"not int32 of \(3,\)"),
        ({"slot_site": np.zeros(2, np.int64)}, "slot_site is int64"),
        ({"slot_site": np.array([0, 6], np.int32)}, "0 to 6: there are 6 sites"),
        ({"slot_site": np.array([-2, 0], np.int32)}, "-2 to 0"),
    ],
)
def test_that_damaged_columns_are_refused(trace_of: TraceOf, change: dict[str, Any], message: str) -> None:
    damaged = replace(trace_of(SITES, "0 | A:0\n1 | B:0", ARRAYS), **change)
    for count in (summarise, per_warp):
        with pytest.raises(ValueError, match=message):
            count(damaged)


def test_that_damaged_sites_are_refused(trace_of: TraceOf) -> None:
    first, *others = trace_of(SITES, "", ARRAYS).sites
    with pytest.raises(ValueError, match=r"A\[0\] in line 3 has 32 bytes: 1 to 16 can be counted"):
        SiteCounter((replace(first, width_bytes=32), *others))
    with pytest.raises(ValueError, match=r"site 1 \(B\[1\], line 4\) is at place 0"):
        SiteCounter(tuple(others))
