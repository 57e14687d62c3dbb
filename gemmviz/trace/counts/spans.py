"""What compiled loops look at first of a request: the lowest and the highest address of its lanes.

Most requests lie within one array, and then no lane has to be looked at alone. Written without branches, so that LLVM
compares several lanes at once.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.domain.recordings.warp import LANES

_LEAST, _MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


@njit(cache=True, nogil=True)
def span_of(lanes: NDArray[np.int64], behind: int) -> tuple[int, int, int]:
    """The lowest and the highest address of the active lanes, shape (32,), and the bits that any of `address - behind`
    has. The lowest is above the highest where no lane is active.
    """
    low, high, bits = _MOST, _LEAST, 0
    for lane in range(LANES):
        address = lanes[lane]
        is_active = address != INACTIVE
        low = min(low, address if is_active else _MOST)
        high = max(high, address if is_active else _LEAST)
        bits |= address - behind if is_active else 0
    return low, high, bits
