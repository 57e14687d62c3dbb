"""The numbers of the hardware, and arithmetic on byte addresses that whole numbers, arrays and compiled loops share.

The rules of this package were read off an NVIDIA H200 (sm_90) with hardware counters and hold on every pattern measured
(tests/data/golden); docs/GLOSSARY.md has them in words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import SECTOR_BYTES
from gemmviz.domain.recordings.warp import LANES

BANKS = 32
"""Of shared memory, each WORD_BYTES wide; a power of two."""
WORD_BYTES = 4
LINE_BYTES = 128
"""What L1 has one tag for: four sectors."""
COPIED_BYTES = 16
"""What one lane of `cp.async.cg` copies: half a sector."""
WIDEST_BYTES = 16
"""The widest access of a lane."""

Lanes = NDArray[np.int64]
"""Shape (32,): the byte address of each lane, INACTIVE where a lane takes no part."""
Requests = NDArray[np.int64]
"""Shape (n, 32): one warp request per row, as `Lanes`."""
Counts = NDArray[np.int64]
"""Shape (n,): a figure of each request."""


def bank_of(address: int) -> int:
    """The bank in which a byte of shared memory lies."""
    return address // WORD_BYTES & (BANKS - 1)


def banks_of_words(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """The banks in which words of shared memory lie, by their numbers (address // WORD_BYTES)."""
    return words & (BANKS - 1)


def lanes_together(width_bytes: int, merges: bool) -> int:
    """How many lanes shared memory serves together: 32 for up to 4 bytes, 16 for up to 8, 8 for more.

    Twice as many, but no more than 32, if the request `merges`: a load in which every lane t has the address of lane
    t xor 1, or every lane t that of t xor 2; an inactive lane agrees with anything. Stores never merge.
    """
    if width_bytes <= WORD_BYTES:
        return LANES
    together = LANES // 2 if width_bytes <= 2 * WORD_BYTES else LANES // 4
    return 2 * together if merges else together


def check_requests(addresses: Requests, width_bytes: int) -> None:
    """Refuse what is no column of warp requests.

    Raises:
        ValueError: the addresses have another shape or type, or the width is not 1 to 16 bytes.
    """
    if addresses.ndim != 2 or addresses.shape[1] != LANES or addresses.dtype != np.int64:
        raise ValueError(
            f"addresses are {addresses.dtype} of shape {addresses.shape}: give int64 of shape (n, {LANES})"
        )
    if not 1 <= width_bytes <= WIDEST_BYTES:
        raise ValueError(f"an access of {width_bytes} bytes: a lane accesses 1 to {WIDEST_BYTES} bytes at a time")


__all__ = [
    "BANKS",
    "COPIED_BYTES",
    "LANES",
    "LINE_BYTES",
    "SECTOR_BYTES",
    "WIDEST_BYTES",
    "WORD_BYTES",
    "Counts",
    "Lanes",
    "Requests",
    "bank_of",
    "banks_of_words",
    "check_requests",
    "lanes_together",
]
