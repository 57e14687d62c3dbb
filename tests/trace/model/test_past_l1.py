"""What asynchronous copies cost: counters of an H200, a second way of counting, and how a trace tells its copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warp_requests import COPIES, PAST_L1, THROUGH_L1, copied, global_sectors, wavefronts
from warp_requests import COPY_PAST_L1 as OPCODE

from gemmviz.domain.recordings.access import AccessKind, AccessPath, BlockTrace
from gemmviz.trace.counts.summary import summarise
from gemmviz.trace.model.copy_targets import NO_COPY, NO_SLOT, copy_numbers, target_slots, targets_of

TraceOf = Callable[..., BlockTrace]


def counted(copies: list[dict[str, Any]], *names: str) -> list[Any]:
    figures = [tuple(copy["counters"][name] for name in names) for copy in copies]
    return figures if len(names) > 1 else [only for (only,) in figures]


def addresses(copies: list[dict[str, Any]], end: str) -> np.ndarray:
    return np.array([copy[end] for copy in copies], np.int64)


def test_that_every_measured_copy_past_l1_is_reproduced_exactly() -> None:
    assert len(PAST_L1) == 257
    found = copied(addresses(PAST_L1, "from"), addresses(PAST_L1, "to"))
    assert found == counted(PAST_L1, "sectors", "sectors_from_l2")


def test_that_counting_what_is_read_alone_would_miss_what_was_measured() -> None:
    wrong = np.array(global_sectors(addresses(PAST_L1, "from"), 16)) != counted(PAST_L1, "sectors")
    assert wrong.sum() > 100


@pytest.mark.parametrize(("width", "copies"), [(4, 61), (8, 49), (16, 257)])
def test_that_a_copy_through_l1_costs_the_sectors_that_it_reads(width: int, copies: int) -> None:
    chosen = [copy for copy in THROUGH_L1 if copy["width_bytes"] == width]
    assert len(chosen) == copies
    assert global_sectors(addresses(chosen, "from"), width) == counted(chosen, "sectors")
    assert counted(chosen, "sectors") == counted(chosen, "sectors_from_l2")


@pytest.mark.parametrize("width", [4, 8, 16])
def test_that_copies_take_at_least_the_wavefronts_of_stores_to_where_they_write(width: int) -> None:
    chosen = [copy for copy in COPIES if copy["width_bytes"] == width]
    stores = np.array(wavefronts(addresses(chosen, "to"), width, AccessKind.STORE))
    assert (stores <= counted(chosen, "wavefronts")).all()


@given(st.data())
def test_that_sectors_past_l1_are_those_of_a_set_of_lines_and_pieces(data: st.DataObject) -> None:
    lane = st.one_of(st.just((-1, 0)), st.tuples(st.integers(0, 60), st.integers(0, 60)))
    pairs = data.draw(st.lists(lane, min_size=32, max_size=32))
    sources = [16 * source if source >= 0 else -1 for source, _ in pairs]
    lines = {(source // 8, target // 2) for source, target in pairs if source >= 0}
    halves = Counter((source // 2, target // 2, source) for source, target in pairs if source >= 0)
    places = {(sector, piece) for sector, piece, _ in halves}
    sent = [max(halves[sector, piece, 2 * sector + half] for half in (0, 1)) for sector, piece in places]
    assert copied([sources], [[16 * target for _, target in pairs]]) == [(len(lines), sum(sent))]


def test_that_a_copy_of_unknown_target_costs_what_it_reads() -> None:
    assert copied([range(0, 512, 16)], [[-1] * 32]) == [(16, 16)]


def test_that_addresses_of_other_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="2 requests that write in 1: give as many of both"):
        copied(np.zeros((2, 32)), np.zeros((1, 32)))
    with pytest.raises(ValueError, match="give int64"):
        copied(np.zeros((1, 31)), np.zeros((1, 32)))


def copying(trace_of: TraceOf, opcode: str = OPCODE) -> BlockTrace:
    """Two warps copy 8 lanes of a line each; the second one writes 16 bytes askew, one slot after another access."""
    block = trace_of(
        """
        1 global load 16 A
        1 shared store 16 S
        2 shared load 4 S
        """,
        "0 | A:0 A:4 A:8 A:12 A:16 A:20 A:24 A:28\n1 | S:0 S:4 S:8 S:12 S:16 S:20 S:24 S:28\n2 | S:0",
        "A global 1x64\nS shared 1x128",
    )
    text = (opcode, opcode, "S[0]")
    path = (AccessPath.ASYNC_COPY, AccessPath.ASYNC_COPY, AccessPath.LOAD_STORE)
    sites = tuple(replace(site, text=text[i], path=path[i], column=1) for i, site in enumerate(block.sites))
    return replace(block, sites=sites)


def askew(block: BlockTrace) -> BlockTrace:
    """A second warp: its copy lies 16 bytes further in shared memory, and behind an access that the first one makes."""
    first = block.addresses[0]
    second = np.full_like(first, -1)
    second[0], second[1] = first[0], np.where(first[1] >= 0, first[1] + 16, -1)
    order = [0, 2, 1]
    return replace(block, slot_site=block.slot_site[order], addresses=np.stack([first[order], second[order]]))


def test_that_a_trace_counts_a_copy_past_l1_by_where_it_writes(trace_of: TraceOf) -> None:
    block = copying(trace_of)
    assert summarise(block).sectors.tolist() == [4, 0, 0]
    assert summarise(askew(block)).sectors.tolist() == [4 + 5, 0, 0]
    assert summarise(askew(block)).bytes_moved.tolist() == [32 * (4 + 8), 0, 0]
    assert summarise(askew(copying(trace_of, "cp.async.ca.shared.global"))).sectors.tolist() == [4 + 4, 0, 0]


def test_that_the_two_ends_of_a_copy_are_found_by_their_place_in_the_source(trace_of: TraceOf) -> None:
    block = copying(trace_of)
    assert copy_numbers(block.sites).tolist() == [0, 0, NO_COPY]
    crossed = askew(block)
    found = targets_of(crossed, crossed.sites[0], range(2), [0])
    assert np.array_equal(found[:, 0], crossed.addresses[:, 2])
    idle = replace(crossed, addresses=np.where([[[True]], [[False]]], crossed.addresses, -1))
    assert (targets_of(idle, crossed.sites[0], range(2), [0])[1] == -1).all()
    assert (targets_of(crossed, crossed.sites[2], range(2), [1]) == -1).all()


def test_that_each_copy_of_a_long_trace_goes_where_the_next_one_of_its_warp_writes(trace_of: TraceOf) -> None:
    """Found in steps, since most follow at once; warps that skip a turn or come late are found all the same."""
    block, times = copying(trace_of), 500
    turns = np.arange(3 * times) % 3
    far = np.repeat(block.addresses[:, [0, 1, 2]], 2, axis=0)[:, turns]
    random = np.random.default_rng(3)
    far[0, random.random(turns.size) < 0.5] = -1
    far[1, : 3 * 300] = np.where(turns[: 3 * 300, None] == 1, -1, far[1, : 3 * 300])
    long = replace(block, slot_site=turns.astype(np.int32), slot_epoch=np.zeros(turns.size, np.int32), addresses=far)
    slots = np.flatnonzero(turns == 0).tolist()
    found = target_slots(long, long.sites[0], range(2), slots)
    writes = [[at for at in range(1, turns.size, 3) if far[warp, at].max() >= 0] for warp in range(2)]
    assert found.tolist() == [
        [
            next((at for at in writes[warp] if at > slot), NO_SLOT) if far[warp, slot].max() >= 0 else NO_SLOT
            for slot in slots
        ]
        for warp in range(2)
    ]
    assert [target_slots(long, long.sites[0], range(1, 2), [slot])[0, 0] for slot in slots] == found[1].tolist()


def test_that_a_copy_whose_target_was_not_recorded_costs_what_it_reads(trace_of: TraceOf) -> None:
    block = copying(trace_of)
    lost = replace(block, slot_site=block.slot_site[[0, 2]], addresses=block.addresses[:, [0, 2]])
    assert summarise(lost).sectors.tolist() == [4, 0, 0]
    assert (targets_of(lost, lost.sites[0], range(1), [0]) == -1).all()
