"""The loop over a block's addresses that finds which elements of A and B each load touches."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.access import INACTIVE, LANES

LOAD, STORE = 1, 2


@njit(cache=True, nogil=True)
def _touch(times: int, offset: int, width_bytes: int, nbytes: int, shift: int, loads: NDArray[np.int64]) -> int:
    """Add `times` to each element that an access touches; the bytes of them all that lie within the matrix.

    `offset` counts in bytes from the start of the matrix; `loads` is the flat matrix, or empty: then nothing is added.
    An element has 2^`shift` bytes: shifting is much quicker than dividing.
    """
    start, stop = max(offset, 0), min(offset + width_bytes, nbytes)
    if start >= stop:
        return 0
    if loads.size:
        for element in range(start >> shift, ((stop - 1) >> shift) + 1):
            loads[element] += times
    return times * (stop - start)


@njit(cache=True, nogil=True)
def count_loads(
    addresses: NDArray[np.int64],
    slot_site: NDArray[np.int32],
    table: NDArray[np.int64],
    places: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
) -> int:
    """Add each load to the elements of A and B, flat, that it touches; the bytes within A, B and C of all accesses.

    `addresses` has shape (warps, slots, 32), C-contiguous; `slot_site` (slots,); `table` (sites, 2): LOAD or STORE, 0
    unless in global memory, and the width in bytes; `places` (3, 3): base, bytes and `shift` of A, B and C. Neighbours
    at one address, as in a broadcast, are added in one go.
    """
    a_base, a_bytes, a_shift = places[0]
    b_base, b_bytes, b_shift = places[1]
    c_base, c_bytes, c_shift = places[2]
    nothing = a[:0]
    asked = 0
    for warp in range(addresses.shape[0]):
        for slot in range(addresses.shape[1]):
            site = slot_site[slot]
            if site < 0 or table[site, 0] == 0:
                continue
            to_a, to_b = (a, b) if table[site, 0] == LOAD else (nothing, nothing)
            width, lanes = table[site, 1], addresses[warp, slot]
            times = 0
            for lane in range(LANES):
                times += 1
                address = lanes[lane]
                if lane + 1 < LANES and lanes[lane + 1] == address:
                    continue
                if address != INACTIVE:
                    asked += _touch(times, address - a_base, width, a_bytes, a_shift, to_a)
                    asked += _touch(times, address - b_base, width, b_bytes, b_shift, to_b)
                    asked += _touch(times, address - c_base, width, c_bytes, c_shift, nothing)
                times = 0
    return asked
