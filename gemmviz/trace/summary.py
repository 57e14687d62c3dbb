"""What the accesses of blocks cost, per site: requests, sectors, lines, bytes, wavefronts.

A request is one slot of one warp with at least one active lane. The rules are those of `transactions`; the counts
are whole numbers and exact. Columns hold one number per site, in the order of the sites.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.access import LANES, AccessKind, BlockTrace, Site, Space
from gemmviz.trace.shortcuts import SCRATCH, active_lanes, global_counts, shared_counts
from gemmviz.trace.transactions import SECTOR_BYTES

Column = NDArray[np.int64]
"""Shape (sites,), or (warps, sites) from `per_warp`."""

REQUESTS, ACCESSES, SECTORS, LINES, BYTES_ASKED, WAVEFRONTS, IDEAL_WAVEFRONTS = range(7)

_GLOBAL, _SHARED, _PRIVATE = range(3)
_SPACES = {Space.GLOBAL: _GLOBAL, Space.SHARED: _SHARED, Space.PRIVATE: _PRIVATE}


@dataclass(frozen=True, slots=True, eq=False)
class SiteColumns:
    """Counts per site; `counts` has the shape of a column and one axis more, of the figures below.

    Sectors, lines and bytes are 0 at sites of shared memory, wavefronts at sites of global memory.
    """

    counts: NDArray[np.int64]

    def __add__(self, other: SiteColumns) -> SiteColumns:
        """The counts of both.

        Raises:
            ValueError: they have different shapes.
        """
        if self.counts.shape != other.counts.shape:
            raise ValueError(f"counts of shapes {self.counts.shape} and {other.counts.shape} cannot be added")
        return SiteColumns(self.counts + other.counts)

    @property
    def requests(self) -> Column:
        return self.counts[..., REQUESTS]

    @property
    def accesses(self) -> Column:
        """Active lanes of all requests."""
        return self.counts[..., ACCESSES]

    @property
    def sectors(self) -> Column:
        return self.counts[..., SECTORS]

    @property
    def lines(self) -> Column:
        """128-byte lines of memory, summed over the requests."""
        return self.counts[..., LINES]

    @property
    def bytes_asked(self) -> Column:
        """Distinct bytes of each request, summed over the requests."""
        return self.counts[..., BYTES_ASKED]

    @property
    def bytes_fetched(self) -> Column:
        """32 bytes for each sector; of a store, the bytes of the sectors it writes to."""
        return self.sectors * SECTOR_BYTES

    @property
    def sectors_per_request(self) -> NDArray[np.float64]:
        """nan where there is no sector."""
        empty = np.full(self.sectors.shape, np.nan)
        return np.divide(self.sectors, self.requests, out=empty, where=self.sectors > 0)

    @property
    def wavefronts(self) -> Column:
        return self.counts[..., WAVEFRONTS]

    @property
    def ideal_wavefronts(self) -> Column:
        return self.counts[..., IDEAL_WAVEFRONTS]

    @property
    def excess_wavefronts(self) -> Column:
        """Wavefronts that bank conflicts add to the ideal."""
        return self.wavefronts - self.ideal_wavefronts


class Tally:
    """Counts per site, summed over blocks of one launch.

    Raises:
        ValueError: a site is not at the place its index says, or its width is not 1 to 16 bytes.
    """

    def __init__(self, sites: tuple[Site, ...]) -> None:
        self.sites = sites
        self.blocks = 0
        self._table = _table_of(sites)
        self._counts = np.zeros((1, len(sites), IDEAL_WAVEFRONTS + 1), np.int64)

    def add_block(self, trace: BlockTrace) -> None:
        """Count one block's accesses. Blocks may be added from one thread at a time; the GIL is free meanwhile.

        Raises:
            ValueError: the block was recorded with other sites, or its columns do not fit together.
        """
        if trace.sites is not self.sites and trace.sites != self.sites:
            raise ValueError("the block was recorded with other sites than those counted before it")
        check_trace(trace)
        _count(trace.addresses, trace.slot_site, self._table, self._counts)
        self.blocks += 1

    @property
    def columns(self) -> SiteColumns:
        """The counts so far; a copy."""
        return SiteColumns(self._counts[0].copy())


def summarise(trace: BlockTrace) -> SiteColumns:
    """The counts of one block, columns of shape (sites,).

    Raises:
        ValueError: as `Tally` and `Tally.add_block`.
    """
    tally = Tally(trace.sites)
    tally.add_block(trace)
    return tally.columns


def per_warp(trace: BlockTrace) -> SiteColumns:
    """The counts of each warp of one block, columns of shape (warps, sites).

    Raises:
        ValueError: as `summarise`.
    """
    check_trace(trace)
    counts = np.zeros((trace.addresses.shape[0], len(trace.sites), IDEAL_WAVEFRONTS + 1), np.int64)
    _count(trace.addresses, trace.slot_site, _table_of(trace.sites), counts)
    return SiteColumns(counts)


def check_trace(trace: BlockTrace) -> None:
    """See that compiled loops over the columns of `trace` stay within them.

    Raises:
        ValueError: the addresses are not int64 of shape (warps, slots, 32), C-contiguous, or `slot_site` is not
            int32 of shape (slots,) with every number from BARRIER_SITE to before the number of sites.
    """
    addresses, slot_site = trace.addresses, trace.slot_site
    if addresses.dtype != np.int64 or addresses.ndim != 3 or addresses.shape[2] != LANES:
        raise ValueError(f"addresses are {addresses.dtype} of shape {addresses.shape}: int64 (warps, slots, 32) needed")
    if not addresses.flags.c_contiguous:
        raise ValueError("addresses are not C-contiguous: np.ascontiguousarray makes them so")
    if slot_site.dtype != np.int32 or slot_site.shape != addresses.shape[1:2]:
        raise ValueError(f"slot_site is {slot_site.dtype} of shape {slot_site.shape}: int32 (slots,) needed")
    if slot_site.size and not -1 <= slot_site.min() <= slot_site.max() < len(trace.sites):
        raise ValueError(f"slot_site goes from {slot_site.min()} to {slot_site.max()}: {len(trace.sites)} sites exist")


def _table_of(sites: tuple[Site, ...]) -> NDArray[np.int64]:
    """What the loop needs to know of each site, shape (sites, 3): memory space, width in bytes, 1 for a load."""
    for place, site in enumerate(sites):
        if site.index != place:
            raise ValueError(f"site {site.index} ({site.text}, line {site.line}) is at place {place}")
        if not 1 <= site.width_bytes <= 16:
            raise ValueError(f"{site.text} in line {site.line} is {site.width_bytes} bytes wide: 1 to 16 can be counted")
    rows = [(_SPACES[site.space], site.width_bytes, site.kind is AccessKind.LOAD) for site in sites]
    return np.array(rows, np.int64).reshape(len(sites), 3)


@njit(cache=True, nogil=True)
def _count(
    addresses: NDArray[np.int64], slot_site: NDArray[np.int32], table: NDArray[np.int64], counts: NDArray[np.int64]
) -> None:
    """Add each request to `counts`, shape (rows, sites, 7); a warp beyond the last row counts in that row."""
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
            out = row[site]
            out[REQUESTS] += 1
            out[ACCESSES] += active
            if table[site, 0] == _GLOBAL:
                sectors, lines, asked = global_counts(lanes, table[site, 1], active, scratch)
                out[SECTORS] += sectors
                out[LINES] += lines
                out[BYTES_ASKED] += asked
            elif table[site, 0] == _SHARED:
                wavefronts, ideal = shared_counts(lanes, table[site, 1], table[site, 2] != 0, active, scratch)
                out[WAVEFRONTS] += wavefronts
                out[IDEAL_WAVEFRONTS] += ideal
