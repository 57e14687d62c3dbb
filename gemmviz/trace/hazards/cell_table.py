"""A hash table from cell numbers to rows, for compiled loops: open addressing, linear probing, at most half full."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

_FREE = -1
_SMALLEST = 1024
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""2^64 / golden ratio: neighbouring numbers land far apart (Knuth, TAOCP 3, section 6.4)."""


@njit(cache=True, nogil=True)
def place_of(keys: NDArray[np.int64], number: int) -> int:
    """Where `number` (0 or more) stands in the table, or the free place (keys[place] < 0) where it would go.

    The length of `keys` is a power of two, and some place is free.
    """
    mask = len(keys) - 1
    place = np.int64((np.uint64(number) * _SPREAD) >> np.uint64(32)) & mask
    while keys[place] != number and keys[place] != _FREE:
        place = (place + 1) & mask
    return int(place)


@njit(cache=True, nogil=True)
def grown_table(keys: NDArray[np.int64], places: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The same table with twice the room; from an empty one, the smallest."""
    size = max(2 * len(keys), _SMALLEST)
    new_keys = np.full(size, _FREE, np.int64)
    new_places = np.zeros(size, np.int32)
    for old in range(len(keys)):
        if keys[old] != _FREE:
            place = place_of(new_keys, keys[old])
            new_keys[place] = keys[old]
            new_places[place] = places[old]
    return new_keys, new_places


@njit(cache=True, nogil=True)
def grown(rows: NDArray[Any]) -> NDArray[Any]:
    """The same rows with twice the room; the new ones hold anything.

    A loop, since Numba takes ten times as long to compile the assignment of a slice: it compiles words for its error.
    """
    wide = np.empty((2 * rows.shape[0], rows.shape[1]), rows.dtype)
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            wide[row, column] = rows[row, column]
    return wide
