"""Which accesses of a trace are the two ends of one copy by `cp.async.cg`: what it reads, and where it writes that.

A request for both follows another in the trace of a warp; other warps' requests may lie in slots between them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import INACTIVE, BlockTrace, Site, Space

NO_COPY = -1


def copy_numbers(sites: tuple[Site, ...]) -> NDArray[np.int64]:
    """For each site, shape (sites,): a number that both accesses of a `cp.async.cg` share, NO_COPY for all others."""
    numbers: dict[tuple[int, int, str], int] = {}
    return np.array(
        [numbers.setdefault((site.line, site.column, site.text), len(numbers)) if site.is_past_l1 else NO_COPY
         for site in sites], np.int64,
    )  # fmt: skip


def targets_of(block: BlockTrace, warps: range, slots: Sequence[int]) -> NDArray[np.int64]:
    """Where the lanes of some warps write what they read in some slots, shape (warps, slots, 32); INACTIVE for a warp
    that reads nothing in a slot, or of which no such access was recorded.
    """
    numbers = copy_numbers(block.sites)
    writes = np.array([site.space is Space.SHARED for site in block.sites], np.bool_)
    addresses = block.addresses[warps.start : warps.stop]
    found = np.full((len(warps), len(slots), addresses.shape[2]), INACTIVE, np.int64)
    for place, slot in enumerate(slots):
        own = numbers[block.slot_site[slot]]
        missing = np.any(addresses[:, slot] != INACTIVE, axis=1)
        later = slot
        while missing.any() and (later := later + 1) < block.slot_site.size:
            site = block.slot_site[later]
            if site >= 0 and writes[site] and numbers[site] == own:
                taken = missing & np.any(addresses[:, later] != INACTIVE, axis=1)
                found[taken, place] = addresses[taken, later]
                missing &= ~taken
    return found
