"""In which coarser arithmetic a kernel seems to compute whose results are near the product, and outside its bound."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gemmviz.measure.arithmetic.formats import BFLOAT16, FLOAT32, HALF
from gemmviz.measure.arithmetic.rounded_inputs import rounded_pairs

Matrix = NDArray[np.float64]
_SUMS = (FLOAT32, HALF, BFLOAT16)
"""Formats of sums, the finest first."""


def coarser_words(
    a: Matrix, b: Matrix, is_near: Callable[[Matrix | None, float], bool], is_rounded: Callable[[float], bool]
) -> str:
    """What would give a wrong result, as text to go on with: ", as with A and B rounded to TF32 or half"; "" for
    nothing that is known. `is_near` says whether the result is near a product, None for the exact one, where sums are
    rounded by a unit, 0 for that of the kernel's matrices; `is_rounded` whether sums of that unit are coarser than
    these.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        narrow_a, narrow_b = a.astype(np.float32), b.astype(np.float32)
        wide_a, wide_b = narrow_a.astype(np.float64), narrow_b.astype(np.float64)
        for which, left, right in (("A and B", wide_a, wide_b), ("A", wide_a, b), ("B", a, wide_b)):
            if is_near(left @ right, 0.0):
                return f", as with {which} rounded to {FLOAT32.name}"
        for words, one, other in rounded_pairs(narrow_a, narrow_b):
            if is_near(one.astype(np.float64) @ other.astype(np.float64), 0.0):
                return f", as with {words}"
    for sums in _SUMS:
        if is_rounded(sums.roundoff) and is_near(None, sums.roundoff):
            return f", an error as large as that of sums in {sums.name}"
    return ""
