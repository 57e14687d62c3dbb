"""What `cp.async.cg` costs, which brings 16 bytes for each lane from L2 into shared memory and leaves nothing in L1.

The sectors of such a request depend on where it writes: each 128-byte line that is read is counted once for every
aligned 32-byte piece of shared memory that gets something of it. Rows that begin 16 bytes askew cost five sectors for
128 bytes, not four. L2 sends even more: a sector for each such piece, and once more where it gets the same 16 bytes
twice. Read off an NVIDIA H200 (sm_90) with hardware counters; it holds on every pattern measured
(tests/data/golden/h200_copies.json). `cp.async.ca` costs the sectors that it reads, like a load. Which two slots of a
trace are such a copy is told by `copies`.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.access import INACTIVE, LANES, SECTOR_BYTES
from gemmviz.trace.transactions import LINE_BYTES, Addresses, Counts

HALF_BYTES = 16
"""Of a sector: what one lane copies."""
SCRATCH = 4 * LANES
"""Numbers of scratch space that the functions for one request need."""


def past_l1_sectors(sources: Addresses, targets: Addresses) -> tuple[Counts, Counts]:
    """Sectors of each request as they are counted and as L2 sends them, each of shape (n,), by what its lanes read and
    where they write, both of shape (n, 32).

    A lane that reads nothing (it writes zeros) has -1 as source.

    Raises:
        ValueError: the addresses have other shapes or types.
    """
    for addresses in (sources, targets):
        if addresses.ndim != 2 or addresses.shape != (sources.shape[0], LANES) or addresses.dtype != np.int64:
            raise ValueError(f"addresses are {addresses.dtype} of {addresses.shape}: give int64 of shape (n, 32) twice")
    counted, sent = np.zeros(sources.shape[0], np.int64), np.zeros(sources.shape[0], np.int64)
    scratch = np.empty(SCRATCH, np.int64)
    for i in range(counted.size):
        counted[i] = past_l1_sectors_of_request(sources[i], targets[i], scratch)
        sent[i] = sent_past_l1(sources[i], targets[i], scratch)
    return counted, sent


@njit(cache=True, nogil=True)
def past_l1_sectors_of_request(
    sources: NDArray[np.int64], targets: NDArray[np.int64], scratch: NDArray[np.int64]
) -> int:
    """Sectors of one request, both of shape (32,), as they are counted; `scratch` holds SCRATCH numbers."""
    count = 0
    for lane in range(LANES):
        if sources[lane] == INACTIVE:
            continue
        line, piece = sources[lane] // LINE_BYTES, targets[lane] // SECTOR_BYTES
        i = count - 1
        while i >= 0 and (scratch[2 * i] != line or scratch[2 * i + 1] != piece):
            i -= 1
        if i < 0:
            scratch[2 * count] = line
            scratch[2 * count + 1] = piece
            count += 1
    return count


@njit(cache=True, nogil=True)
def sent_past_l1(sources: NDArray[np.int64], targets: NDArray[np.int64], scratch: NDArray[np.int64]) -> int:
    """Sectors that L2 sends for one request; arguments as above. A sector and the piece that gets something of it are
    sent together, as often as the half of it that is wanted most often.
    """
    count = total = 0
    for lane in range(LANES):
        if sources[lane] == INACTIVE:
            continue
        sector, piece = sources[lane] // SECTOR_BYTES, targets[lane] // SECTOR_BYTES
        half = sources[lane] // HALF_BYTES % 2
        i = count - 1
        while i >= 0 and (scratch[4 * i] != sector or scratch[4 * i + 1] != piece):
            i -= 1
        if i < 0:
            i = count
            scratch[4 * i], scratch[4 * i + 1], scratch[4 * i + 2], scratch[4 * i + 3] = sector, piece, 0, 0
            count += 1
        times = scratch[4 * i + 2 + half] + 1
        scratch[4 * i + 2 + half] = times
        total += times > scratch[4 * i + 3 - half]
    return total


@njit(cache=True, nogil=True)
def target_slot(
    addresses: NDArray[np.int64], slot_site: NDArray[np.int32], number: NDArray[np.int64],
    is_target: NDArray[np.bool_], slot: int,
) -> int:  # fmt: skip
    """The slot in which a warp writes what it reads in `slot`: the next one of the same copy; -1 where there is none.

    `addresses` are the warp's, shape (slots, 32); `number` and `is_target` are those of each site.
    """
    own = number[slot_site[slot]]
    for later in range(slot + 1, slot_site.size):
        site = slot_site[later]
        if site >= 0 and number[site] == own and is_target[site]:
            for lane in range(LANES):
                if addresses[later, lane] != INACTIVE:
                    return later
    return -1
