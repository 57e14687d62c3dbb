"""The loop over a block's addresses that finds which elements of A and B each load touches."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.counts.spans import span_of

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
def _touch_all(lanes: NDArray[np.int64], base: int, width_bytes: int, shift: int, loads: NDArray[np.int64]) -> int:
    """Add the accesses of one request, all of which lie within a matrix, as `_touch` does; their bytes."""
    active = 0
    _, _, bits = span_of(lanes, base)
    is_one_element = width_bytes == 1 << shift and bits & (width_bytes - 1) == 0
    for lane in range(LANES):
        if lanes[lane] == INACTIVE:
            continue
        active += 1
        if loads.size:
            first = (lanes[lane] - base) >> shift
            if is_one_element:
                loads[first] += 1
            else:
                for element in range(first, ((lanes[lane] - base + width_bytes - 1) >> shift) + 1):
                    loads[element] += 1
    return active * width_bytes


@njit(cache=True, nogil=True)
def count_loads(
    addresses: NDArray[np.int64],
    slot_site: NDArray[np.int32],
    table: NDArray[np.int64],
    places: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
) -> int:
    """Add each load to the elements of A and B, flat, that it touches; the bytes within the matrices of all accesses.

    `addresses` has shape (warps, slots, 32), C-contiguous; `slot_site` (slots,); `table` (sites, 2): LOAD or STORE, 0
    unless in global memory, and the width in bytes; `places` (matrices, 3): base, bytes and `shift` of A, B, C and
    others. Of a request within A or within B no other matrix is looked at.
    """
    a_base, a_bytes, a_shift = places[0]
    b_base, b_bytes, b_shift = places[1]
    nothing = a[:0]
    asked = 0
    for warp in range(addresses.shape[0]):
        for slot in range(addresses.shape[1]):
            site = slot_site[slot]
            if site < 0 or table[site, 0] == 0:
                continue
            to_a, to_b = (a, b) if table[site, 0] == LOAD else (nothing, nothing)
            width, lanes = table[site, 1], addresses[warp, slot]
            low, high, _ = span_of(lanes, 0)
            if low > high:
                continue
            if low >= a_base and high <= a_base + a_bytes - width:
                asked += _touch_all(lanes, a_base, width, a_shift, to_a)
                continue
            if low >= b_base and high <= b_base + b_bytes - width:
                asked += _touch_all(lanes, b_base, width, b_shift, to_b)
                continue
            times = 0
            for lane in range(LANES):
                times += 1
                address = lanes[lane]
                if lane + 1 < LANES and lanes[lane + 1] == address:
                    continue
                if address != INACTIVE:
                    asked += _touch(times, address - a_base, width, a_bytes, a_shift, to_a)
                    asked += _touch(times, address - b_base, width, b_bytes, b_shift, to_b)
                    for other in range(2, places.shape[0]):
                        base, nbytes, shift = places[other]
                        asked += _touch(times, address - base, width, nbytes, shift, nothing)
                times = 0
    return asked
