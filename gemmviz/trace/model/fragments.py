"""Which thread of a warp holds which element for mma.m16n8k8 of TF32 numbers, as the PTX ISA gives it. No Qt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

M, N, K = 16, 8, 8
"""Rows and columns of C, and what is summed over."""
SHAPES = {"A": (M, K), "B": (K, N), "C": (M, N)}


def holders(array: str) -> NDArray[np.int64]:
    """The thread of the warp that holds each element of "A", "B" or "C", in the shape of that matrix."""
    row, column = np.indices(SHAPES[array])
    if array == "A":
        return row % 8 * 4 + column % 4
    if array == "B":
        return column * 4 + row % 4
    return row % 8 * 4 + column // 2


def held_by(thread: int, array: str) -> list[tuple[int, int]]:
    """Rows and columns of the elements that a thread holds of a matrix."""
    return [(int(row), int(column)) for row, column in np.argwhere(holders(array) == thread)]


def needed_for(row: int, column: int) -> tuple[int, ...]:
    """The threads that hold what an element of C is the sum of: a row of A and a column of B."""
    return tuple(int(one) for one in np.union1d(holders("A")[row], holders("B")[:, column]))
