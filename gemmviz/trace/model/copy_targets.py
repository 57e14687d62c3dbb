"""Which accesses of a trace are the two ends of one copy by `cp.async.cg`: what it reads, and where it writes that.

A request for both follows another in the trace of a warp; other warps' requests may lie in slots between them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, BlockTrace, Site, Space

NO_COPY = -1
NO_SLOT = -1
_FIRST_SEARCHED = 64


def copy_numbers(sites: tuple[Site, ...]) -> NDArray[np.int64]:
    """For each site, shape (sites,): a number that both accesses of a `cp.async.cg` share, NO_COPY for all others."""
    numbers: dict[tuple[int, int, str], int] = {}
    return np.array(
        [
            numbers.setdefault((site.line, site.column, site.text), len(numbers)) if site.is_past_l1 else NO_COPY
            for site in sites
        ],
        np.int64,
    )


def target_slots(block: BlockTrace, site: Site, warps: range, slots: Sequence[int]) -> NDArray[np.int64]:
    """The slots in which some warps write what they read at `site` in some of its slots, shape (warps, slots).

    The next one in which a lane of the warp takes part, of the same copy; NO_SLOT for a warp that reads nothing, or of
    which no such access was recorded. `slots` ascend.
    """
    found = np.full((len(warps), len(slots)), NO_SLOT, np.int64)
    numbers = copy_numbers(block.sites)
    if not len(slots) or numbers[site.index] == NO_COPY:
        return found
    addresses = block.addresses[warps.start : warps.stop]
    ends = [
        each.index for each in block.sites if each.space is Space.SHARED and numbers[each.index] == numbers[site.index]
    ]
    later = np.flatnonzero(np.isin(block.slot_site, ends))
    later = later[np.searchsorted(later, slots[0], side="right") :]
    missing = _is_active(addresses, np.array(slots))
    begin, size = 0, max(_FIRST_SEARCHED, 2 * len(slots))
    while missing.any() and begin < later.size:  # most follow at once: look at no more of the trace than needed
        candidates = later[begin : begin + size]
        begin, size = begin + size, 2 * size
        is_active = _is_active(addresses, candidates)
        place = np.where(is_active, np.arange(candidates.size), candidates.size)
        soonest = np.minimum.accumulate(place[:, ::-1], axis=1)[:, ::-1]
        soonest = np.append(soonest, np.full((len(warps), 1), candidates.size), axis=1)
        after = soonest[:, np.searchsorted(candidates, slots, side="right")]
        here = missing & (after < candidates.size)
        found[here] = candidates[after[here]]
        missing &= ~here
    return found


def _is_active(addresses: NDArray[np.int64], slots: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether some lane of each warp takes part in some slots, shape (warps, slots); mostly the first one does."""
    found: NDArray[np.bool_] = addresses[:, slots, 0] != INACTIVE
    warp, place = np.nonzero(~found)
    found[warp, place] = np.any(addresses[warp, slots[place]] != INACTIVE, axis=1)
    return found


def targets_of(block: BlockTrace, site: Site, warps: range, slots: Sequence[int]) -> NDArray[np.int64]:
    """Where the lanes of some warps write what they read at a site in some of its slots, shape (warps, slots, 32);
    INACTIVE where `target_slots` has none.
    """
    chosen = target_slots(block, site, warps, slots)
    targets = block.addresses[np.arange(warps.start, warps.stop)[:, None], np.maximum(chosen, 0)]
    return np.where((chosen == NO_SLOT)[:, :, None], INACTIVE, targets)
