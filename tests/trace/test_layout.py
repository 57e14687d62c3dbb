"""Slots laid out by hand: where each access of each iteration goes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.domain.access import BARRIER_SITE
from gemmviz.trace.layout import Layout, lay_out, slots_needed
from gemmviz.trace.regions import BarrierEntry, CallEntry, Entry, LoopEntry, Numbering, SiteEntry


def loop(index: int, body: list[Entry], condition: list[Entry] | None = None) -> LoopEntry:
    return LoopEntry(index, None, condition or [], body)  # type: ignore[arg-type]


def barrier(index: int) -> BarrierEntry:
    return BarrierEntry(index, None)  # type: ignore[arg-type]


def call(index: int, name: str) -> CallEntry:
    return CallEntry(index, name, None)  # type: ignore[arg-type]


def laid_out(entries: list[Entry], trips: list[int], offsets: int = 8, **helpers: list[Entry]) -> Layout:
    """Site number i stands at offset i."""
    functions = {"k": entries, **helpers}
    told = np.array(trips, np.int64)
    layout = lay_out(functions, "k", told, offsets, {i: i for i in range(offsets)})
    assert layout.slots == slots_needed(functions, "k", told) == layout.site_of_slot.size
    return layout


def test_that_sites_follow_each_other() -> None:
    layout = laid_out([SiteEntry(0), barrier(1), SiteEntry(2)], [])
    assert layout.site_of_slot.tolist() == [0, BARRIER_SITE, 2]
    assert layout.offsets[:3].tolist() == [0, 1, 2]
    assert layout.epochs(np.zeros((1, 3, 32), np.int64)).tolist() == [0, 0, 1]


def test_that_only_a_barrier_that_some_thread_came_to_ends_an_epoch() -> None:
    layout = laid_out([barrier(0), SiteEntry(1), barrier(2), SiteEntry(3), barrier(4)], [])
    addresses = np.full((2, 5, 32), -1, np.int64)
    addresses[0, 0], addresses[1, 4, 7] = 0, 0  # all threads of a warp, nobody, one thread of the other warp
    assert layout.reached(addresses).tolist() == [True, False, True]
    assert layout.epochs(addresses).tolist() == [0, 1, 1, 1, 1]
    addresses[1, 2, 31] = 0
    assert layout.epochs(addresses).tolist() == [0, 1, 1, 2, 2]


def test_that_a_loop_repeats_its_slots_and_its_condition_comes_once_more() -> None:
    layout = laid_out([SiteEntry(0), loop(0, [SiteEntry(2), SiteEntry(3)], [SiteEntry(1)]), SiteEntry(4)], [2])
    assert layout.site_of_slot.tolist() == [0, 1, 2, 3, 1, 2, 3, 1, 4]
    assert (layout.offsets[:5].tolist(), layout.strides[0]) == ([0, 1, 2, 3, 8], 3)


def test_that_nested_loops_stride_over_their_inner_loops() -> None:
    layout = laid_out([loop(0, [SiteEntry(0), loop(1, [SiteEntry(1)]), SiteEntry(2)])], [2, 3])
    assert layout.site_of_slot.tolist() == [0, 1, 1, 1, 2] * 2
    assert layout.strides[:2].tolist() == [5, 1]
    assert layout.offsets[:3].tolist() == [0, 1, 4]


def test_that_a_loop_that_never_runs_takes_no_room_but_for_its_condition() -> None:
    layout = laid_out([loop(0, [SiteEntry(1)], [SiteEntry(0)]), SiteEntry(2)], [0])
    assert layout.site_of_slot.tolist() == [0, 2]
    assert layout.offsets[2] == 1


def test_that_each_call_of_a_helper_has_slots_of_its_own() -> None:
    helper: list[Entry] = [SiteEntry(3), SiteEntry(4)]
    layout = laid_out([call(0, "h"), SiteEntry(1), loop(0, [call(2, "h")])], [2], h=helper)
    assert layout.site_of_slot.tolist() == [3, 4, 1, 3, 4, 3, 4]
    assert layout.offsets[[0, 1, 2]].tolist() == [0, 2, 3]
    assert layout.offsets[[3, 4]].tolist() == [0, 1]  # relative to the call
    assert layout.strides[0] == 2


def test_that_nothing_takes_no_room() -> None:
    assert laid_out([], []).slots == 0


def test_that_huge_loops_are_counted_without_being_laid_out() -> None:
    entries: list[Entry] = [loop(0, [loop(1, [loop(2, [SiteEntry(0)])])])]
    assert slots_needed({"k": entries}, "k", np.array([2**31 - 1] * 3)) == (2**31 - 1) ** 3


@given(trips=st.lists(st.integers(0, 4), min_size=2, max_size=2), barriers=st.booleans())
def test_that_every_access_of_every_iteration_has_a_slot_of_its_own(trips: list[int], barriers: bool) -> None:
    inner: list[Entry] = [SiteEntry(1), *([barrier(3)] if barriers else []), SiteEntry(2)]
    layout = laid_out([loop(0, [SiteEntry(0), loop(1, inner)])], trips)
    used: dict[int, int] = {}
    for i in range(trips[0]):
        used[int(layout.offsets[0] + i * layout.strides[0])] = 0
        for j in range(trips[1]):
            for site in (1, 2):
                used[int(layout.offsets[site] + i * layout.strides[0] + j * layout.strides[1])] = site
    assert len(used) == trips[0] * (1 + 2 * trips[1])
    assert all(layout.site_of_slot[slot] == site for slot, site in used.items())
    assert (layout.site_of_slot >= 0).sum() == len(used)
    expected = trips[0] * trips[1] * barriers
    assert (layout.site_of_slot == BARRIER_SITE).sum() == expected


def test_that_numbers_are_given_out_once() -> None:
    numbering = Numbering()
    assert [numbering.offset(), numbering.loop(), numbering.offset(), numbering.loop()] == [0, 0, 1, 1]
    assert (numbering.offsets, numbering.loops) == (2, 2)


def test_that_a_missing_helper_is_a_fault() -> None:
    with pytest.raises(KeyError):
        slots_needed({"k": [call(0, "nobody")]}, "k", np.zeros(0, np.int64))
