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


def targets_of(block: BlockTrace, warps: Sequence[int], slot: int) -> NDArray[np.int64]:
    """Where the lanes of some warps write what they read in `slot`, shape (warps, 32); INACTIVE for a warp of which no
    such access was recorded.
    """
    numbers = copy_numbers(block.sites)
    own = numbers[block.slot_site[slot]]
    is_target = np.array([site.space is Space.SHARED for site in block.sites], np.bool_) & (numbers == own)
    after = block.slot_site[slot + 1 :]
    found = np.full((len(warps), block.addresses.shape[2]), INACTIVE, np.int64)
    missing = np.ones(len(warps), np.bool_)
    for later in (slot + 1 + np.flatnonzero((after >= 0) & is_target[after])).tolist():
        there = block.addresses[np.asarray(warps, np.int64), later]
        taken = missing & np.any(there != INACTIVE, axis=1)
        found[taken] = there[taken]
        missing &= ~taken
        if not missing.any():
            break
    return found
