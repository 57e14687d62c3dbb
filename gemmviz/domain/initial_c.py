"""What C holds when a launch begins: zeros where a kernel's header asks for them, else a NaN that no arithmetic makes.

By the NaN elements are found that a kernel never wrote.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.terms import InitialC

POISON_BITS = 0x7FC0DEAD
"""A quiet float32 NaN. Processors make 0x7FC00000, 0xFFC00000 or 0x7FFFFFFF, so a computed NaN differs."""


def initial_c(shape: tuple[int, ...], begins: InitialC) -> NDArray[np.float32]:
    """A C of that shape as it is before a launch."""
    c = np.zeros(shape, np.float32)
    if begins is InitialC.UNDEFINED:
        poison(c)
    return c


def poison(array: NDArray[np.float32]) -> None:
    """Overwrite every element of a contiguous float32 array with the poison.

    Raises:
        ValueError: the array holds something else than float32, or is not contiguous.
    """
    _bits(array)[...] = POISON_BITS


def count_poison(array: NDArray[np.float32]) -> int:
    """How many elements of a contiguous float32 array still hold the poison.

    An element that was read and added to (C += A·B without a start value) may keep it as well.

    Raises:
        ValueError: as `poison`.
    """
    return int(np.count_nonzero(_bits(array) == POISON_BITS))


def _bits(array: NDArray[Any]) -> NDArray[np.uint32]:
    if array.dtype != np.float32 or not array.flags.c_contiguous:
        raise ValueError(f"an array of {array.dtype} cannot be poisoned: give contiguous float32")
    return array.view(np.uint32)
