"""The tally of findings per site that compiled loops keep: how many, the first, and the first few threads."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

NAMED = 8
"""Threads that a finding names at most."""

COUNT, SLOT, ADDRESS, THREAD = range(4)
_COLUMNS = THREAD + NAMED

Tally = NDArray[np.int64]
"""Shape (sites, 3 + NAMED): count, slot and byte address of the first, then the first threads, -1 where none."""


def empty_tally(sites: int) -> Tally:
    """Nothing found yet at each of so many sites."""
    tally = np.full((sites, _COLUMNS), -1, np.int64)
    tally[:, COUNT] = 0
    return tally


@njit(cache=True, nogil=True)
def note(tally: Tally, site: int, slot: int, thread: int, address: int) -> None:
    """Add one finding."""
    row = tally[site]
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


def named_threads(tally: Tally, site: int) -> tuple[int, ...]:
    """The first threads found at a site, linear indices, at most NAMED."""
    return tuple(int(thread) for thread in tally[site, THREAD:] if thread >= 0)
