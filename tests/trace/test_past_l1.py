"""What asynchronous copies cost: counters of an H200, a second way of counting, and how a trace tells its copies."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.domain.access import AccessKind, AccessWay, BlockTrace
from gemmviz.trace.copies import NO_COPY, copy_numbers, targets_of
from gemmviz.trace.past_l1 import past_l1_sectors
from gemmviz.trace.summary import summarise
from gemmviz.trace.transactions import global_sectors, shared_wavefronts

TraceOf = Callable[..., BlockTrace]

GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "h200_copies.json"
COPIES: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))["copies"]
PAST_L1 = [copy for copy in COPIES if copy["way"] == "past L1"]
THROUGH_L1 = [copy for copy in COPIES if copy["way"] == "through L1"]
OPCODE = "cp.async.cg.shared.global"


def counted(copies: list[dict[str, Any]], figure: str) -> list[int]:
    return [copy["counters"][figure] for copy in copies]


def addresses(copies: list[dict[str, Any]], end: str) -> np.ndarray:
    return np.array([copy[end] for copy in copies], np.int64)


def test_that_every_measured_copy_past_l1_is_reproduced_exactly() -> None:
    assert len(PAST_L1) == 257
    sectors, sent = past_l1_sectors(addresses(PAST_L1, "from"), addresses(PAST_L1, "to"))
    assert sectors.tolist() == counted(PAST_L1, "sectors")
    assert sent.tolist() == counted(PAST_L1, "sectors_from_l2")


def test_that_counting_what_is_read_alone_would_miss_what_was_measured() -> None:
    wrong = global_sectors(addresses(PAST_L1, "from"), 16) != np.array(counted(PAST_L1, "sectors"))
    assert wrong.sum() > 100


@pytest.mark.parametrize(("width", "copies"), [(4, 61), (8, 49), (16, 257)])
def test_that_a_copy_through_l1_costs_the_sectors_that_it_reads(width: int, copies: int) -> None:
    chosen = [copy for copy in THROUGH_L1 if copy["width_bytes"] == width]
    assert len(chosen) == copies
    assert global_sectors(addresses(chosen, "from"), width).tolist() == counted(chosen, "sectors")
    assert counted(chosen, "sectors") == counted(chosen, "sectors_from_l2")


@pytest.mark.parametrize("width", [4, 8, 16])
def test_that_copies_take_at_least_the_wavefronts_of_stores_to_where_they_write(width: int) -> None:
    chosen = [copy for copy in COPIES if copy["width_bytes"] == width]
    stores = shared_wavefronts(addresses(chosen, "to"), width, AccessKind.STORE)
    assert (stores <= np.array(counted(chosen, "wavefronts"))).all()


@given(st.data())
def test_that_sectors_past_l1_are_those_of_a_set_of_lines_and_pieces(data: st.DataObject) -> None:
    lane = st.one_of(st.just((-1, 0)), st.tuples(st.integers(0, 60), st.integers(0, 60)))
    lanes = data.draw(st.lists(lane, min_size=32, max_size=32))
    sources = np.array([[16 * source if source >= 0 else -1 for source, _ in lanes]], np.int64)
    targets = np.array([[16 * target for _, target in lanes]], np.int64)
    lines = {(source // 8, target // 2) for source, target in lanes if source >= 0}
    halves = Counter((source // 2, target // 2, source) for source, target in lanes if source >= 0)
    pairs = {(sector, piece) for sector, piece, _ in halves}
    sent = [max(halves[sector, piece, 2 * sector + half] for half in (0, 1)) for sector, piece in pairs]
    assert [found.tolist() for found in past_l1_sectors(sources, targets)] == [[len(lines)], [sum(sent)]]


def test_that_addresses_of_other_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"give int64 of shape \(n, 32\) twice"):
        past_l1_sectors(np.zeros((2, 32), np.int64), np.zeros((1, 32), np.int64))
    with pytest.raises(ValueError, match="int32"):
        past_l1_sectors(np.zeros((1, 32), np.int32), np.zeros((1, 32), np.int64))


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
    way = (AccessWay.ASYNC_COPY, AccessWay.ASYNC_COPY, AccessWay.LOAD_STORE)
    sites = tuple(replace(site, text=text[i], way=way[i], column=1) for i, site in enumerate(block.sites))
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
    assert summarise(askew(block)).bytes_fetched.tolist() == [32 * (4 + 8), 0, 0]
    assert summarise(askew(copying(trace_of, "cp.async.ca.shared.global"))).sectors.tolist() == [4 + 4, 0, 0]


def test_that_the_two_ends_of_a_copy_are_found_by_their_place_in_the_source(trace_of: TraceOf) -> None:
    block = copying(trace_of)
    assert copy_numbers(block.sites).tolist() == [0, 0, NO_COPY]
    crossed = askew(block)
    found = targets_of(crossed, range(2), [0])
    assert np.array_equal(found[:, 0], crossed.addresses[:, 2])
    idle = replace(crossed, addresses=np.where([[[True]], [[False]]], crossed.addresses, -1))
    assert (targets_of(idle, range(2), [0])[1] == -1).all()


def test_that_a_copy_whose_target_was_not_recorded_costs_what_it_reads(trace_of: TraceOf) -> None:
    block = copying(trace_of)
    lost = replace(block, slot_site=block.slot_site[[0, 2]], addresses=block.addresses[:, [0, 2]])
    assert summarise(lost).sectors.tolist() == [4, 0, 0]
    assert (targets_of(lost, range(1), [0]) == -1).all()
