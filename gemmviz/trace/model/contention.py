"""Sectors of atomic operations: lanes that want one address have their turn one after the other.

Each sector is counted as often as the address of it that the most lanes want: so an NVIDIA H100 counts
(docs/design/machine.md).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.trace.model.pieces import NOTHING, pieces_of
from gemmviz.trace.model.rules import SECTOR_BYTES, Counts, Lanes, Requests


def turns_of(addresses: Requests) -> NDArray[np.int64]:
    """How many lanes of a request want the address of each lane, itself among them, shape (n, 32); 0 of a lane that
    takes no part.
    """
    agree = addresses[:, :, None] == addresses[:, None, :]
    found: NDArray[np.int64] = np.where(addresses != INACTIVE, np.count_nonzero(agree, axis=2), 0)
    return found


def atomic_sectors(addresses: Requests, width_bytes: int) -> Counts:
    """Sectors of each atomic request as they are counted.

    Raises:
        ValueError: as `check_requests`.
    """
    pieces = pieces_of(addresses, width_bytes, SECTOR_BYTES)
    sectors = pieces.reshape(len(pieces), -1)
    turns = np.repeat(turns_of(addresses), pieces.shape[2], axis=1)
    order = np.lexsort((turns, sectors))  # the most turns of a sector come last
    sectors, turns = np.take_along_axis(sectors, order, 1), np.take_along_axis(turns, order, 1)
    is_last = sectors != NOTHING
    is_last[:, :-1] &= sectors[:, :-1] != sectors[:, 1:]
    count: Counts = np.sum(turns, axis=1, where=is_last)
    return count


def turns_at(addresses: Lanes, lanes: set[int]) -> int:
    """The most lanes of a request that want one of the addresses of some of them."""
    return int(turns_of(addresses[None])[0, sorted(lanes)].max())
