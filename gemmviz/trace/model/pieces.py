"""Which aligned pieces of memory the lanes of warp requests touch, whatever the size of a piece."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.trace.model.rules import Counts, Requests, check_requests

Pieces = NDArray[np.int64]
"""Shape (n, 32, most pieces of a lane): numbers of pieces (address // size of a piece); NOTHING where there is none."""
NOTHING = np.iinfo(np.int64).min


def pieces_of(addresses: Requests, width_bytes: int, piece_bytes: int) -> Pieces:
    """The pieces that each lane touches, ascending.

    Raises:
        ValueError: as `check_requests`.
    """
    check_requests(addresses, width_bytes)
    is_active = addresses != INACTIVE
    first = addresses // piece_bytes
    beyond = (addresses + (width_bytes - 1)) // piece_bytes - first
    most = int(beyond.max(initial=0, where=is_active)) + 1
    if most == 1:
        return np.where(is_active, first, NOTHING)[:, :, None]
    beside = np.arange(most)
    touched = is_active[:, :, None] & (beside <= beyond[:, :, None])
    return np.where(touched, first[:, :, None] + beside, NOTHING)


def distinct_pieces(pieces: Pieces) -> Counts:
    """How many different pieces each request touches."""
    count: Counts = np.count_nonzero(is_first(in_order(pieces)), axis=1)
    return count


def in_order(pieces: Pieces) -> NDArray[np.int64]:
    """The pieces of each request ascending, shape (n, 32 · most); NOTHING comes first."""
    return np.sort(pieces.reshape(len(pieces), -1), axis=1)


def is_first(ordered: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Of rows in ascending order, which entries are a piece that differs from the one before."""
    first: NDArray[np.bool_] = ordered != NOTHING
    first[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    return first


def bytes_asked(addresses: Requests, width_bytes: int) -> Counts:
    """Distinct bytes that each request asks for: what a perfect fetch would bring.

    Raises:
        ValueError: as `check_requests`.
    """
    if np.all((addresses % width_bytes == 0) | (addresses == INACTIVE)):
        return distinct_pieces(pieces_of(addresses, width_bytes, width_bytes)) * width_bytes
    return distinct_pieces(pieces_of(addresses, width_bytes, 1))
