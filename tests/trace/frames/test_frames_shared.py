"""What shared memory holds in a frame: snapshots at the barriers, stores in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gemmviz.domain.recordings.access import (
    BARRIER_SITE,
    INACTIVE,
    OTHER,
    PADDING,
    UNKNOWN,
    UNWRITTEN,
    BlockTrace,
    SharedSnapshot,
)
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

TraceOf = Callable[..., BlockTrace]
SITES = "4 global load 4 A\n4 shared store 4 s\n6 shared load 4 s"
ARRAYS = "A global 1x8\ns shared 1x2"


def taken(epoch: int, *origin: int) -> SharedSnapshot:
    return SharedSnapshot(epoch, "s", np.array([origin], np.int64), np.zeros((1, len(origin)), np.int8))


def held(frames: Frames) -> list[list[int]]:
    """What `s` holds when each frame ends."""
    return [frames.frame(i).shared[0].after.origin[0].tolist() for i in range(len(frames))]


def filling(trace_of: TraceOf, *snapshots: SharedSnapshot) -> BlockTrace:
    """Two warps fill one slot each, and again after a barrier, one store a request."""
    slots = "1 | s:0 | .\n1 | . | s:1\nbarrier\n2 | s:0 | s:1\nbarrier\n1 | . | s:1\n1 | s:0 | .\nbarrier"
    return replace(trace_of(SITES, slots, ARRAYS), snapshots=snapshots)


def test_that_shared_memory_fills_request_by_request(trace_of: TraceOf) -> None:
    trace = filling(trace_of, taken(0, 4, 5), taken(1, 4, 5), taken(2, 6, 7))
    assert held(Frames(trace, FrameMode.REQUEST)) == [[4, UNWRITTEN], [4, 5], [4, 5], [4, 5], [4, 7], [6, 7]]
    assert held(Frames(trace)) == [[4, 5], [4, 5], [6, 7]]


def test_that_each_frame_begins_with_what_the_one_before_left(trace_of: TraceOf) -> None:
    trace = filling(trace_of, taken(0, 4, 5), taken(1, 4, 5), taken(2, 6, 7))
    for mode in FrameMode:
        frames = Frames(trace, mode)
        assert frames.frame(0).shared[0].before.origin.tolist() == [[UNWRITTEN, UNWRITTEN]]
        for i in range(1, len(frames)):
            before = frames.frame(i).shared[0].before
            assert before.origin.tolist() == frames.frame(i - 1).shared[0].after.origin.tolist()


def test_that_a_slot_stored_twice_before_a_snapshot_is_unknown_in_between(trace_of: TraceOf) -> None:
    trace = replace(trace_of(SITES, "1 | s:0\n1 | s:0\nbarrier", ARRAYS), snapshots=(taken(0, 3, UNWRITTEN),))
    assert held(Frames(trace, FrameMode.REQUEST)) == [[OTHER, UNWRITTEN], [3, UNWRITTEN]]


def test_that_without_snapshots_only_the_stores_are_known(trace_of: TraceOf) -> None:
    assert held(Frames(filling(trace_of), FrameMode.REQUEST))[:2] == [[UNKNOWN, UNWRITTEN], [UNKNOWN, UNKNOWN]]


def test_that_a_missing_snapshot_is_bridged_by_the_next(trace_of: TraceOf) -> None:
    trace = filling(trace_of, taken(1, 4, 5), taken(2, 6, 7))
    assert held(Frames(trace)) == [[4, 5], [4, 5], [6, 7]]


def test_that_a_store_after_the_last_snapshot_is_unknown(trace_of: TraceOf) -> None:
    trace = filling(trace_of, taken(0, 4, 5))
    assert held(Frames(trace)) == [[4, 5], [4, 5], [OTHER, OTHER]]


def test_that_the_barrier_of_an_epoch_that_is_not_known_is_bridged_by_the_next_or_the_last(trace_of: TraceOf) -> None:
    frames = Frames(filling(trace_of, taken(1, 4, 5), taken(2, 6, 7)))
    found = [frames.at_barrier("s", epoch) for epoch in range(5)]
    assert [snapshot and snapshot.epoch for snapshot in found] == [1, 1, 2, 2, 2]
    assert frames.at_barrier("A", 0) is None


def test_that_a_barrier_nobody_reached_has_no_snapshot(trace_of: TraceOf) -> None:
    base = 2 << 40
    trace = trace_of(
        SITES,
        [
            (1, np.array([base])),
            (BARRIER_SITE, np.array([INACTIVE])),
            (1, np.array([base + 4])),
            (BARRIER_SITE, np.array([0])),
        ],
        ARRAYS,
    )
    trace = replace(trace, snapshots=(taken(0, 1, 2),))
    assert held(Frames(trace, FrameMode.REQUEST)) == [[1, UNWRITTEN], [1, 2]]
    assert held(Frames(trace)) == [[1, 2]]


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        ((0, 1), "load row 0, columns 0–1 of A into shared memory"),
        ((0, PADDING), "load row 0, columns 0–1 of A into shared memory"),
        ((OTHER, OTHER), "load row 0, columns 0–1 of A; store all of s"),
        ((PADDING, PADDING), "load row 0, columns 0–1 of A; zero all of s"),
    ],
)
def test_that_the_caption_says_into_shared_memory_only_where_it_is_seen(
    trace_of: TraceOf, origin: tuple[int, int], said: str
) -> None:
    """A sum of products is stored after loads too, and is no copy of either."""
    trace = replace(trace_of(SITES, "0 | A:0-1\n1 | s:0-1\nbarrier", ARRAYS), snapshots=(taken(0, *origin),))
    assert Frames(trace).frame(0).caption == f"barrier interval 1 of 1: {said}"


def test_that_a_sum_that_is_zero_is_stored_and_not_zeroed(trace_of: TraceOf) -> None:
    """What is stored may come from the slots that are read: that it is zero says nothing of how it was made."""
    trace = trace_of(SITES, "2 | s:0-1\n1 | s:0-1\nbarrier", ARRAYS)
    trace = replace(trace, snapshots=(taken(0, PADDING, PADDING),))
    assert (
        Frames(trace).frame(0).caption == "barrier interval 1 of 1: read s, each element once: 2 values; store all of s"
    )


def test_that_reads_and_stores_are_said_in_the_order_they_end(trace_of: TraceOf) -> None:
    trace = trace_of(SITES, "2 | s:0-1\n2 | s:1\n1 | s:0\nbarrier", ARRAYS)
    assert (
        Frames(trace).frame(0).caption
        == "barrier interval 1 of 1: read s, each element 1 to 2 times: 3 values; store s[0]"
    )


def test_that_a_snapshot_that_does_not_fit_is_refused(trace_of: TraceOf) -> None:
    with pytest.raises(ValueError, match=r"snapshot of s at epoch 0 .* \(1, 3\).* 1 rows and 2 columns"):
        Frames(filling(trace_of, taken(0, 1, 2, 3)))
    with pytest.raises(ValueError, match="snapshot of t, which is no array"):
        Frames(filling(trace_of, replace(taken(0, 1, 2), array="t")))


def test_that_columns_that_do_not_fit_each_other_are_refused(trace_of: TraceOf) -> None:
    trace = filling(trace_of)
    with pytest.raises(ValueError, match=r"addresses have shape \(2, 8\)"):
        Frames(replace(trace, addresses=trace.addresses[:, :, 0]))
    with pytest.raises(ValueError, match=r"8 slots of addresses, sites of shape \(7,\)"):
        Frames(replace(trace, slot_site=trace.slot_site[1:]))
    with pytest.raises(ValueError, match="epoch 0 comes after a later one"):
        Frames(replace(trace, slot_epoch=np.array([0, 0, 1, 0, 2, 2, 2, 2], np.int32)))
    with pytest.raises(ValueError, match="there are 2 sites"):
        Frames(replace(trace, sites=trace.sites[:2]))
    with pytest.raises(ValueError, match="not numbered from 0"):
        Frames(replace(trace, sites=trace.sites[::-1]))
