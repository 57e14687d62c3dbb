"""What the warps of a block wrote down, from words to columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine.log import SLOT_WORDS

_ALL_LANES = np.uint32(0xFFFFFFFF)
Words = NDArray[np.uint64]
"""What a warp wrote down: its slots one after the other, shape (n · 33,)."""


@dataclass(frozen=True, slots=True, eq=False)
class WarpLog:
    """One warp's slots in order: the number of the value, shape (n,); of each lane, shape (n, 32), INACTIVE where a
    lane took no part or had nothing to tell.
    """

    number: NDArray[np.int32]
    lanes: NDArray[np.int64]


def read_log(words: Words) -> WarpLog:
    """The slots that a warp wrote down; their lanes are a view of them where all lanes took part in each."""
    slots = words.reshape(-1, SLOT_WORDS)
    number = (slots[:, 0] & np.uint64(0xFFFFFFFF)).astype(np.int32)
    mask = (slots[:, 0] >> np.uint64(32)).astype(np.uint32)
    if (mask == _ALL_LANES).all():
        return WarpLog(number, slots[:, 1:].view(np.int64))
    took_part = (mask[:, None] >> np.arange(LANES, dtype=np.uint32)) & np.uint32(1) != 0
    return WarpLog(number, np.where(took_part, slots[:, 1:].view(np.int64), INACTIVE))
