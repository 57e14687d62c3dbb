"""What the accesses of blocks cost, per site: requests, sectors, lines, bytes, wavefronts.

A request is one slot of one warp with at least one active lane. The rules are those of `model`; the counts are
whole numbers and exact.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, AccessKind, BlockTrace, Site, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.counts.columns import (
    ACCESSES,
    BYTES_ASKED,
    FIGURES,
    IDEAL_WAVEFRONTS,
    LINES,
    REQUESTS,
    SECTORS,
    SENT,
    WAVEFRONTS,
    SiteColumns,
)
from gemmviz.trace.model.copy_targets import NO_SLOT, target_slots
from gemmviz.trace.model.rules import WIDEST_BYTES
from gemmviz.trace.model.shortcuts import (
    SCRATCH,
    active_lanes,
    atomic_counts,
    global_counts,
    past_l1_counts,
    shared_counts,
)

_GLOBAL, _SHARED, _PRIVATE = range(3)
_SPACES = {Space.GLOBAL: _GLOBAL, Space.SHARED: _SHARED, Space.PRIVATE: _PRIVATE}
_SPACE, _WIDTH_BYTES, _IS_LOAD, _IS_ATOMIC = range(4)


class SiteCounter:
    """Counts per site, summed over blocks of one launch.

    Raises:
        ValueError: a site is not at the place its index says, or its width is not 1 to 16 bytes.
    """

    def __init__(self, sites: tuple[Site, ...]) -> None:
        self.sites = sites
        self.blocks = 0
        self._table = _table_of(sites)
        self._counts = np.zeros((1, len(sites), len(FIGURES)), np.int64)

    def add_block(self, trace: BlockTrace, blocks: int = 1) -> None:
        """Count the accesses of one block, or of several whose warps are together in one trace. Blocks may be added
        from one thread at a time; the GIL is free meanwhile.

        Raises:
            ValueError: the block was recorded with other sites, or its columns do not fit together.
        """
        if trace.sites is not self.sites and trace.sites != self.sites:
            raise ValueError("the block was recorded with other sites than those counted before it")
        addresses, slot_site = loop_columns(trace)
        _count(addresses, slot_site, self._table, _targets(trace), self._counts)
        self.blocks += blocks

    @property
    def columns(self) -> SiteColumns:
        """The counts so far; a copy."""
        return SiteColumns(self._counts[0].copy())


def summarise(trace: BlockTrace) -> SiteColumns:
    """The counts of one block, columns of shape (sites,).

    Raises:
        ValueError: as `SiteCounter` and `SiteCounter.add_block`.
    """
    counter = SiteCounter(trace.sites)
    counter.add_block(trace)
    return counter.columns


def per_warp(trace: BlockTrace) -> SiteColumns:
    """The counts of each warp of one block, columns of shape (warps, sites).

    Raises:
        ValueError: as `summarise`.
    """
    addresses, slot_site = loop_columns(trace)
    counts = np.zeros((addresses.shape[0], len(trace.sites), len(FIGURES)), np.int64)
    _count(addresses, slot_site, _table_of(trace.sites), _targets(trace), counts)
    return SiteColumns(counts)


def loop_columns(trace: BlockTrace) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """`addresses`, C-contiguous, and `slot_site`, such that a compiled loop stays within them and the sites. Both are
    read-only: for others Numba would compile each loop a second time.

    Raises:
        ValueError: the addresses are not int64 of shape (warps, slots, 32), or `slot_site` is not int32 of shape
            (slots,) with every number from BARRIER_SITE to before the number of sites.
    """
    addresses, slot_site = trace.addresses, trace.slot_site
    if addresses.dtype != np.int64 or addresses.ndim != 3 or addresses.shape[2] != LANES:
        raise ValueError(f"addresses are {addresses.dtype} of shape {addresses.shape}, not int64 of (warps, slots, 32)")
    if slot_site.dtype != np.int32 or slot_site.shape != addresses.shape[1:2]:
        raise ValueError(
            f"slot_site is {slot_site.dtype} of shape {slot_site.shape}, not int32 of ({addresses.shape[1]},)"
        )
    if slot_site.size and not BARRIER_SITE <= slot_site.min() <= slot_site.max() < len(trace.sites):
        raise ValueError(f"slot_site is {slot_site.min()} to {slot_site.max()}: there are {len(trace.sites)} sites")
    columns = np.ascontiguousarray(addresses).view(), np.ascontiguousarray(slot_site).view()
    for one in columns:
        one.flags.writeable = False
    return columns


def _table_of(sites: tuple[Site, ...]) -> NDArray[np.int64]:
    """What the loop needs to know of each site, shape (sites, 4): memory space, width in bytes, 1 for a load, 1 for an
    atomic operation.

    Raises:
        ValueError: as `SiteCounter`.
    """
    for place, site in enumerate(sites):
        if site.index != place:
            raise ValueError(f"site {site.index} ({site.text}, line {site.line}) is at place {place}")
        if not 1 <= site.width_bytes <= WIDEST_BYTES:
            raise ValueError(
                f"{site.text} in line {site.line} has {site.width_bytes} bytes: 1 to {WIDEST_BYTES} can be counted"
            )
    rows = [(_SPACES[site.space], site.width_bytes, site.kind is AccessKind.LOAD, site.is_atomic) for site in sites]
    return np.array(rows, np.int64).reshape(len(sites), 4)


def _targets(trace: BlockTrace) -> NDArray[np.int32]:
    """The slot in which each warp writes what a copy past L1 reads in a slot, NO_SLOT elsewhere, shape (warps, slots);
    without columns where the trace has no such copies.
    """
    warps = range(trace.addresses.shape[0])
    sources = [site for site in trace.sites if site.is_past_l1 and site.space is Space.GLOBAL]
    found = np.full((len(warps), trace.slot_site.size if sources else 0), NO_SLOT, np.int32)
    for site in sources:
        slots = np.flatnonzero(trace.slot_site == site.index)
        found[:, slots] = target_slots(trace, site, warps, slots.tolist())
    return found


@njit(cache=True, nogil=True)
def _count(
    addresses: NDArray[np.int64],
    slot_site: NDArray[np.int32],
    table: NDArray[np.int64],
    targets: NDArray[np.int32],
    counts: NDArray[np.int64],
) -> None:
    """Add each request to `counts`, shape (rows, sites, 8); a warp beyond the last row counts in that row."""
    scratch = np.empty(SCRATCH, np.int64)
    for warp in range(addresses.shape[0]):
        row = counts[min(warp, counts.shape[0] - 1)]
        for slot in range(addresses.shape[1]):
            site = slot_site[slot]
            if site < 0:
                continue
            lanes = addresses[warp, slot]
            active = active_lanes(lanes)
            if active == 0:
                continue
            width_bytes = table[site, _WIDTH_BYTES]
            out = row[site]
            out[REQUESTS] += 1
            out[ACCESSES] += active
            if table[site, _SPACE] == _GLOBAL:
                sectors, lines, asked = global_counts(lanes, width_bytes, active, scratch)
                sent = sectors
                if table[site, _IS_ATOMIC] != 0:
                    sectors = atomic_counts(lanes, width_bytes, active, scratch)
                if targets.shape[1] and targets[warp, slot] != NO_SLOT:
                    sectors, sent = past_l1_counts(lanes, addresses[warp, targets[warp, slot]], scratch)
                out[SECTORS] += sectors
                out[SENT] += sent
                out[LINES] += lines
                out[BYTES_ASKED] += asked
            elif table[site, _SPACE] == _SHARED:
                loads = table[site, _IS_LOAD] != 0
                wavefronts, ideal, asked = shared_counts(lanes, width_bytes, loads, active, scratch)
                out[WAVEFRONTS] += wavefronts
                out[IDEAL_WAVEFRONTS] += ideal
                out[BYTES_ASKED] += asked
