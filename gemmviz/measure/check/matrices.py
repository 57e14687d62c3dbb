"""The matrices of a check: their kind, and a few rows at a time, so that float64 temporaries stay small."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
"""Shape (rows, columns)."""

BLOCK_ELEMENTS = 2**20
"""Elements of one block: 8 MiB in float64."""


def row_blocks(rows: int, columns: int, elements: int = BLOCK_ELEMENTS) -> Iterator[slice]:
    """Slices that cover `rows` in order, each of at most `elements` elements, but of one row at least."""
    step = max(1, elements // columns)
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


def check_operands(a: NDArray[Any], b: NDArray[Any]) -> None:
    """Make sure of the two inputs of a product.

    Raises:
        ValueError: A or B is not a float32 matrix, or their shapes do not fit.
    """
    for name, matrix in (("A", a), ("B", b)):
        if matrix.ndim != 2 or matrix.dtype != np.float32:
            raise ValueError(f"{name} is {matrix.dtype} of shape {matrix.shape}: give a float32 matrix")
    if a.shape[1] != b.shape[0]:
        raise ValueError(f"A of shape {a.shape} cannot be multiplied with B of shape {b.shape}")


def check_result(c: NDArray[Any], shape: tuple[int, ...], name: str = "C") -> None:
    """Make sure of a result.

    Raises:
        ValueError: it is neither float32 nor float64, not contiguous, or has another shape than `shape`.
    """
    if c.dtype not in (np.float32, np.float64) or c.shape != shape or not c.flags.c_contiguous:
        raise ValueError(f"{name} is {c.dtype} of shape {c.shape}: give contiguous float32 of shape {shape}")
