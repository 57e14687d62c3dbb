"""When asynchronous copies (cp.async) are over: the wait of the thread that started one, which covers its group.

PTX ISA, "cp.async.commit_group" and "cp.async.wait_group": a thread's copies since its last commit are a group, and a
wait leaves at most so many of its latest groups under way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, AccessKind, AccessPath, CopyLandings, Site
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.ptx.decoding.align import Slots
from gemmviz.trace.ptx.decoding.phases import WarpStep
from gemmviz.trace.ptx.decoding.requests import CopyStep, Requests
from gemmviz.trace.ptx.probing.accesses import What

NEVER = np.iinfo(np.int32).max
"""The event of a wait that does not come."""


def landings(events: NDArray[np.int64], steps: Sequence[CopyStep]) -> NDArray[np.int64]:
    """For copies that a warp started at events, ascending, shape (n,): the event of the wait that covers the copy of
    each lane, or NEVER, shape (n, 32); of a copy that is handed over to an mbarrier the event of that.
    """
    if not steps:
        return np.full((events.size, LANES), NEVER, np.int64)
    of_step = np.array([step.event for step in steps], np.int64)
    values = np.stack([step.value for step in steps])
    takes_part = values != INACTIVE
    waits = np.array([step.what is not What.COMMIT for step in steps])[:, None] & takes_part
    leaves_some = np.array([step.what is What.WAIT_GROUP for step in steps])[:, None]
    groups = np.cumsum(takes_part & ~leaves_some, axis=0)  # a wait for all closes a group, too
    covered = np.maximum.accumulate(np.where(waits, groups - np.where(leaves_some, values, 0), 0), axis=0)
    own = np.concatenate([np.zeros((1, LANES), np.int64), groups])[np.searchsorted(of_step, events)]
    at = np.append(of_step, NEVER)
    lanes = [at[np.searchsorted(covered[:, lane], own[:, lane], side="right")] for lane in range(LANES)]
    return np.stack(lanes, axis=1)


def copy_landings(
    sites: Sequence[Site], warps: Sequence[Requests], slots: Slots, epochs: Sequence[NDArray[np.int32]]
) -> CopyLandings | None:
    """When the copies of a block are over; None if it makes none. `epochs` are those of each warp's events."""
    copying = [s.index for s in sites if s.path is AccessPath.ASYNC_COPY and s.kind is AccessKind.STORE]
    if not copying:
        return None
    starts = [np.flatnonzero(np.isin(warp.site, copying)) for warp in warps]
    row_of_slot = np.full(slots.key.size, -1, np.int32)
    for start, place in zip(starts, slots.places, strict=True):
        row_of_slot[place[start]] = 0
    copied = np.flatnonzero(row_of_slot == 0)
    row_of_slot[copied] = np.arange(copied.size, dtype=np.int32)
    slot, epoch = (np.full((len(warps), copied.size, LANES), NEVER, np.int32) for _ in range(2))
    for number, (warp, start, place) in enumerate(zip(warps, starts, slots.places, strict=True)):
        over = landings(warp.event[start], warp.copy_steps)
        handed = {step.event: step.key for step in warp.copy_steps if step.what is What.HAND_OVER}
        until = np.append(epochs[number], NEVER)
        ends = until[np.minimum(over, until.size - 1)]
        for event in np.intersect1d(over, list(handed)).tolist():
            waited = _waits(warp, handed[event], event)
            ends[over == event] = min(
                (
                    int(of[other])
                    for at, of in zip(warps, epochs, strict=True)
                    for other in _waits(at, handed[event], -1)
                    if of[other] >= until[event]
                ),
                default=NEVER,
            )
            over[over == event] = waited[0] if waited else NEVER
        row = row_of_slot[place[start]]
        epoch[number, row] = ends
        slot[number, row] = np.append(place, NEVER)[np.searchsorted(warp.event, over)]
    return CopyLandings(row_of_slot, slot, epoch, NEVER)


def _waits(warp: Requests, key: int, after: int) -> list[int]:
    """The events at which a warp has waited for an mbarrier."""
    return [sync.event for sync in warp.syncs if sync.step is WarpStep.WAIT and sync.key == key and sync.event > after]
