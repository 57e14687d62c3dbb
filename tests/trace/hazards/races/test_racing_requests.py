"""The racing accesses that a recording keeps, against a comparison of every access with every other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, AccessKind, BlockTrace
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.recordings.racing_requests import RacingRequests, RacingSites
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.hazards.hazards import find_hazards
from gemmviz.trace.hazards.races.partners import partners_between_barriers
from gemmviz.trace.hazards.races.races import racing_accesses
from gemmviz.trace.hazards.races.racing_requests import racing_requests

TraceOf = Callable[..., BlockTrace]
SITES = """
10 shared store 4 s
11 shared load 4 s
12 shared store 16 s
13 shared load 8 p
"""
BASE, THREADS = 1 << 40, (0, 1, 2, 33)
Touch = tuple[int, int, int]
"""Slot, thread, byte of the memory."""


@dataclass(frozen=True)
class Access:
    slot: int
    thread: int
    site: int
    start: int
    width: int
    epoch: int
    sync: int
    stores: bool

    def races_with(self, later: Access) -> bool:
        """Whether this one is before another one in the program, and nothing orders them."""
        in_order = self.thread // LANES == later.thread // LANES and self.sync != later.sync
        overlap = self.start < later.start + later.width and later.start < self.start + self.width
        is_before = (self.slot, self.thread) < (later.slot, later.thread)
        conflict = self.epoch == later.epoch and self.thread != later.thread and (self.stores or later.stores)
        return is_before and overlap and conflict and not in_order


def accesses_of(trace: BlockTrace) -> list[Access]:
    assert trace.warp_syncs is not None
    found = []
    for warp, slot, lane in np.argwhere(trace.addresses != INACTIVE).tolist():
        if trace.slot_site[slot] == BARRIER_SITE:
            continue
        site = trace.sites[trace.slot_site[slot]]
        start, epoch = int(trace.addresses[warp, slot, lane]), int(trace.slot_epoch[slot])
        sync, stores = int(trace.warp_syncs[warp, slot]), site.kind is AccessKind.STORE
        found.append(Access(slot, warp * LANES + lane, site.index, start, site.width_bytes, epoch, sync, stores))
    return found


@st.composite
def blocks(draw: st.DrawFn) -> tuple[list[tuple[int, np.ndarray]], list[list[int]]]:
    """Slots of random sites, and how many barriers of its own each of two warps has passed before each."""
    slots, syncs = [], [[0], [0]]
    has_syncs = draw(st.booleans())
    for _ in range(draw(st.integers(1, 12))):
        site = draw(st.sampled_from([BARRIER_SITE, *range(4), *range(4)]))
        addresses = np.full(64, INACTIVE if site != BARRIER_SITE else 0, np.int64)
        width = (4, 4, 16, 8, 4)[site]
        for thread in THREADS if site != BARRIER_SITE else ():
            element = draw(st.integers(-1, 32 // width - 1))
            if element >= 0:
                addresses[thread] = BASE + width * element
        slots.append((site, addresses))
        for warp in syncs:
            warp.append(warp[-1] + (has_syncs and draw(st.booleans())))
    return slots, [warp[:-1] for warp in syncs]


def block_of(trace_of: TraceOf, block: tuple[list[tuple[int, np.ndarray]], list[list[int]]]) -> BlockTrace:
    slots, syncs = block
    trace = trace_of(SITES, slots, "s shared 2x4", threads=64)
    return replace(trace, warp_syncs=np.array(syncs, np.int32))


@settings(max_examples=3 * settings.default.max_examples)
@given(block=blocks())
def test_that_all_racing_accesses_are_kept_and_no_others(
    trace_of: TraceOf, block: tuple[list[tuple[int, np.ndarray]], list[list[int]]]
) -> None:
    trace = block_of(trace_of, block)
    hazards = find_hazards(trace)
    accesses = accesses_of(trace)
    races = [(one, other) for one, other in product(accesses, accesses) if one.races_with(other)]
    racing = racing_accesses(trace, hazards)

    assert {pair.sites for pair in racing.pairs} == {(one.site, other.site) for one, other in races}
    assert {pair.sites for pair in racing.pairs} == {h.sites for h in hazards if h.kind is HazardKind.RACE}
    for pair in racing.pairs:
        of_pair = [both for both in races if (both[0].site, both[1].site) == pair.sites]
        assert pair.accesses == len({access for both in of_pair for access in both})
        assert touched(trace, racing, pair) == {touch for one, other in of_pair for touch in common(one, other)}
        for row in range(*racing.rows_of(pair.sites).indices(racing.slot.size)):
            assert any(meet(racing, row, one, other) for one, other in of_pair)


def common(one: Access, other: Access) -> set[Touch]:
    """Each byte that two accesses have in common, as touched by either."""
    both = range(max(one.start, other.start), min(one.start + one.width, other.start + other.width))
    return {(access.slot, access.thread, byte) for access in (one, other) for byte in both}


def touched(trace: BlockTrace, racing: RacingRequests, pair: RacingSites) -> set[Touch]:
    """Each byte that the kept requests of two sites say; cells of these tests have 4 bytes."""
    found = set()
    for row in range(*racing.rows_of(pair.sites).indices(racing.slot.size)):
        slot, warp = int(racing.slot[row]), int(racing.warp[row])
        for lane in range(LANES):
            if int(racing.lanes[row]) >> lane & 1:
                first = int(trace.addresses[warp, slot, lane]) + int(racing.byte[row])
                found |= {(slot, warp * LANES + lane, first + byte) for byte in range(4)}
    return found


def meet(racing: RacingRequests, row: int, one: Access, other: Access) -> bool:
    """Whether a row names these two accesses."""
    own = int(racing.slot[row]), int(racing.warp[row]) * LANES + int(racing.lane[row])
    partner = int(racing.partner_slot[row]), int(racing.partner[row])
    return {own, partner} == {(one.slot, one.thread), (other.slot, other.thread)}


def test_that_of_many_racing_requests_the_first_are_kept_and_all_accesses_counted(trace_of: TraceOf) -> None:
    rounds = "0 | s:0*32 | s:0*32\nbarrier\n" * 50
    trace = trace_of(SITES, rounds, "s shared 2x4")
    hazards = find_hazards(trace)
    found = racing_requests(trace, hazards, trace.addresses, partners_between_barriers, most=10)
    (pair,) = found.pairs
    assert (pair.sites, pair.accesses, pair.kept, pair.is_cut) == ((0, 0), 50 * 64, 10, True)
    assert found.slot.tolist() == [slot for slot in range(0, 10, 2) for _ in range(2)]
    assert found.warp.tolist() == [0, 1] * 5
    assert set(found.lanes.tolist()) == {2**32 - 1}
    (whole,) = racing_requests(trace, hazards, trace.addresses, partners_between_barriers, most=100).pairs
    assert (whole.accesses, whole.kept, whole.is_cut) == (50 * 64, 100, False)


def test_that_the_two_threads_of_a_finding_are_named_where_they_meet(trace_of: TraceOf) -> None:
    trace = trace_of(SITES, "0 | s:0*32\n1 | s:0*32\nbarrier\n0 | s:1*32\n1 | s:1*32", "s shared 2x4")
    (race,) = [hazard for hazard in find_hazards(trace) if hazard.sites == (0, 1)]
    for threads in ((3, 7), (30, 2)):
        racing = racing_accesses(trace, [replace(race, threads=threads)])
        both = [{lane, partner} for lane, partner in zip(racing.lane.tolist(), racing.partner.tolist(), strict=True)]
        assert both == [set(threads)] * 4


def test_that_a_block_without_races_keeps_none(trace_of: TraceOf) -> None:
    trace = trace_of(SITES, "0 | s:0-7\nbarrier\n1 | s:0-7", "s shared 2x4")
    assert racing_accesses(trace, find_hazards(trace)).pairs == ()


@pytest.mark.parametrize(
    "change",
    [
        {"warp": np.zeros(2, np.int32)},
        {"lane": np.array([1], np.int32)},
        {"pairs": ()},
        {"pairs": (RacingSites(0, 1, 5, 2),)},
        {"lane": np.array([40], np.int32)},
    ],
)
def test_that_columns_that_do_not_fit_are_refused(change: dict[str, Any]) -> None:
    one = np.zeros(1, np.int32)
    whole = RacingRequests((RacingSites(0, 1, 5, 1),), one, one, one, np.ones(1, np.int64), one, one + 1, one + 1)
    assert whole.fit(2, 1)
    assert not whole.fit(1, 1)
    with pytest.raises(ValueError, match="racing accesses of a block are damaged"):
        replace(whole, **change)
