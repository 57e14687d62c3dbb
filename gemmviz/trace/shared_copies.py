"""From copies of a block's shared memory in tagged runs to what its arrays hold at each barrier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import OTHER, PADDING, MappedArray, SharedSnapshot

Scalar = TypeVar("Scalar", np.int64, np.int8)


def snapshots_of(
    origins: NDArray[np.int64], matrices: NDArray[np.int8], arrays: Sequence[tuple[MappedArray, slice]]
) -> tuple[SharedSnapshot, ...]:
    """The snapshots of each array: `origins` and `matrices`, shape (barrier intervals, words), are what trace.tags
    decodes; each array is some of the words.
    """
    found = []
    for array, place in arrays:
        kept = origins[:, place]
        if np.any(kept == OTHER):  # a zero may be one of the computed values: products of tags vanish
            kept[kept == PADDING] = OTHER
        for epoch in range(len(origins)):
            origin = _of_elements(kept[epoch], array)
            found.append(SharedSnapshot(epoch, array.name, origin, _of_elements(matrices[epoch, place], array)))
    return tuple(found)


def _of_elements(words: NDArray[Scalar], array: MappedArray) -> NDArray[Scalar]:
    """What the words of a shared array hold, told of its elements, shape (rows, columns): of each, its first word."""
    first = np.arange(array.rows * array.columns) * array.element_bytes // 4
    return words[np.minimum(first, words.size - 1)].reshape(array.rows, array.columns)
