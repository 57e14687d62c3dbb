"""Parts of a block's trace: some of its slots, in their order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, BlockTrace, Space


def outside_shared(trace: BlockTrace) -> NDArray[np.bool_]:
    """Which slots are requests, and not to shared memory, shape (slots,)."""
    shared = [site.index for site in trace.sites if site.space is Space.SHARED]
    return np.isin(trace.slot_site, [BARRIER_SITE, *shared], invert=True)


def part_of(trace: BlockTrace, slots: NDArray[np.bool_]) -> BlockTrace:
    """The trace of some slots; of barriers all or none."""
    syncs, landings = trace.warp_syncs, trace.landings
    if landings is not None and (landings.row_of_slot[slots] >= 0).any():
        before = np.concatenate([[0], np.cumsum(slots)]).astype(np.int32)  # slots of the part before each slot
        moved = np.where(landings.slot == landings.never, landings.never, before[np.minimum(landings.slot, slots.size)])
        landings = replace(landings, row_of_slot=landings.row_of_slot[slots], slot=moved.astype(np.int32))
    else:
        landings = None
    groups, strong = trace.group_syncs, trace.strong
    if strong is not None:
        strong = replace(strong, slot_event=np.ascontiguousarray(strong.slot_event[:, slots]))
    has_barriers = bool((trace.slot_site[slots] == BARRIER_SITE).any())
    return replace(
        trace,
        slot_site=trace.slot_site[slots],
        slot_epoch=trace.slot_epoch[slots],
        addresses=np.ascontiguousarray(trace.addresses[:, slots]),
        ended_by=trace.ended_by if has_barriers else (),
        warp_syncs=None if syncs is None else np.ascontiguousarray(syncs[:, slots]),
        landings=landings,
        group_syncs=None if groups is None else np.ascontiguousarray(groups[:, slots]),
        strong=strong,
    )
