"""In which coarser arithmetic a kernel seems to compute whose results are near the product, and outside its bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def _of_bits(dropped: int, *, is_cut: bool) -> Callable[[Matrix], Matrix]:
    """Rounds to float32 without its last bits: to the nearest, or cut off."""
    half = 0 if is_cut else 1 << (dropped - 1)

    def rounded(matrix: Matrix) -> Matrix:
        bits = matrix.astype(np.float32).view(np.uint32).astype(np.int64)
        kept = ((bits + half) >> dropped << dropped).astype(np.uint32)
        return kept.view(np.float32).astype(np.float64)

    return rounded


_ROUNDINGS: Mapping[str, Callable[[Matrix], Matrix]] = {
    "float32": lambda matrix: matrix.astype(np.float32).astype(np.float64),
    "half or TF32": _of_bits(13, is_cut=False),
    "TF32, cut off": _of_bits(13, is_cut=True),
    "bf16": _of_bits(16, is_cut=False),
    "bf16, cut off": _of_bits(16, is_cut=True),
}
_SUMS = {"float32": 2.0**-24, "half": 2.0**-11, "bf16": 2.0**-8}
"""Formats of sums, the finest first, and the unit of their rounding."""


def coarser_words(
    a: Matrix, b: Matrix, is_near: Callable[[Matrix | None, float], bool], is_rounded: Callable[[float], bool]
) -> str:
    """What would give a wrong result, as text to go on with: ", as with A and B rounded to TF32"; "" for nothing that
    is known. `is_near` says whether the result is near a product, None for the exact one, where sums are rounded by a
    unit, 0 for that of the kernel's matrices; `is_rounded` whether sums of that unit are coarser than these.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        for name, rounded in _ROUNDINGS.items():
            for which, left, right in (("A and B", rounded(a), rounded(b)), ("A", rounded(a), b), ("B", a, rounded(b))):
                if is_near(left @ right, 0.0):
                    return f", as with {which} rounded to {name}"
    for name, unit in _SUMS.items():
        if is_rounded(unit) and is_near(None, unit):
            return f", an error as large as that of sums in {name}"
    return ""
