"""The findings per site that compiled loops keep: how many, the first, and the first few threads."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.trace.hazards.findings import NAMED

COUNT, SLOT, ADDRESS, THREAD = range(4)
_COLUMNS = THREAD + NAMED

Sightings = NDArray[np.int64]
"""Shape (sites, 3 + NAMED): count, slot and byte address of the first, then the first threads, -1 where none."""


def no_sightings(sites: int) -> Sightings:
    """Nothing found yet at each of so many sites."""
    seen = np.full((sites, _COLUMNS), -1, np.int64)
    seen[:, COUNT] = 0
    return seen


@njit(cache=True, nogil=True)
def note(seen: Sightings, site: int, slot: int, thread: int, address: int) -> None:
    """Add one finding."""
    row = seen[site]
    if row[COUNT] == 0:
        row[SLOT] = slot
        row[ADDRESS] = address
    row[COUNT] += 1
    for i in range(THREAD, THREAD + NAMED):
        if row[i] == thread:
            return
        if row[i] == -1:
            row[i] = thread
            return


def named_threads(first: NDArray[np.int64]) -> tuple[int, ...]:
    """The first threads found at a site, linear indices, at most NAMED; `first` is its row of the sightings."""
    return tuple(int(thread) for thread in first[THREAD:] if thread >= 0)
