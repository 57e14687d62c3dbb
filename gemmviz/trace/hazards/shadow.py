"""Shadow memory: who has touched each location of a block, kept while its accesses pass by in order.

A location is a cell of 4 bytes, or of 2 or 1 if any access begins or ends within one. A cell remembers its first write
and, for each site that touches it, the first two threads that did so in the current epoch: another thread conflicts
with a site if either of the two is not itself. Only cells that can be at fault are kept: those of shared memory, and of
global memory between the lowest and the highest store of the block. Memory: some 70 bytes per such cell touched.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, BlockTrace
from gemmviz.trace.counts.site_table import SiteTable
from gemmviz.trace.counts.spans import span_of
from gemmviz.trace.hazards.bounds import Addresses
from gemmviz.trace.hazards.shadow_pass import pass_by


@dataclass(frozen=True, slots=True, eq=False)
class Shadow:
    """What is known once all accesses of a block have passed.

    Attributes:
        shift: a cell is 2^shift bytes.
        keys, places: a hash table (`cell_table`) from cell numbers (address >> shift) to rows of `cells`.
        cells: shape (n, 6), int32: FIRST_EPOCH, FIRST_SLOT, ... of `shadow_pass`.
        conflicts: shape (pairs of sites, 8), int64: EARLIER, LATER, ... of `shadow_pass`; in the order of their first.
        read_early: whether some shared cell was read before it was written, in the order of the slots.

    Of an atomic operation the store alone passes. A cell's first write is one that initialises it: what an atomic
    operation stores comes from what lay there before.
    """

    shift: int
    keys: NDArray[np.int64]
    places: NDArray[np.int32]
    cells: NDArray[np.int32]
    conflicts: NDArray[np.int64]
    read_early: bool


def shadow_of(trace: BlockTrace, addresses: Addresses, table: SiteTable) -> Shadow:
    """Let all accesses of a block pass. `addresses` are those in bounds, `table` the trace's."""
    is_tracked = (table.is_shared | table.is_global) & (table.is_store | ~table.is_atomic)
    bits, low, high = _survey(
        addresses, trace.slot_site, table.is_store, table.is_global, is_tracked, table.width_bytes
    )
    shift = 2 if bits & 3 == 0 else 1 if bits & 1 == 0 else 0
    keys, places, cells, conflicts, read_early = pass_by(
        addresses,
        trace.slot_site,
        trace.slot_epoch,
        table.slot_order,
        table.is_store,
        table.is_strong,
        table.initialises,
        table.is_shared,
        is_tracked,
        table.width_bytes,
        shift,
        low,
        high,
    )
    return Shadow(shift, keys, places, cells, conflicts, read_early)


@njit(cache=True, nogil=True)
def _survey(
    addresses: Addresses,
    slot_site: NDArray[np.int32],
    is_store: NDArray[np.bool_],
    is_global: NDArray[np.bool_],
    is_tracked: NDArray[np.bool_],
    width_bytes: NDArray[np.int64],
) -> tuple[int, int, int]:
    """The low bits that addresses and widths have, the first byte that global stores touch, the byte after the last."""
    bits = 0
    low, high = np.iinfo(np.int64).max, np.iinfo(np.int64).min
    for warp in range(addresses.shape[0]):
        for slot in range(addresses.shape[1]):
            site = slot_site[slot]
            if site == BARRIER_SITE or not is_tracked[site]:
                continue
            first, last, ored = span_of(addresses[warp, slot], 0)
            bits |= width_bytes[site] | ored
            if is_store[site] and is_global[site] and first <= last:
                low, high = min(low, first), max(high, last + width_bytes[site])
    return bits, low, high
