"""Whether a result is the product of inputs of which one was rounded, as where a kernel keeps A in bfloat16."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gemmviz.measure.arithmetic.formats import BFLOAT16, FLOAT32, TF32, BitRounding, Format

_FORMATS = ((TF32, f"{TF32.name} or half"), (BFLOAT16, BFLOAT16.name))
Matrix = NDArray[np.float32]


def rounded_input_words(a: Matrix, b: Matrix, c: NDArray[np.floating]) -> str:
    """Which of A and B were rounded so that C = A·B follows in float32, and to what: "A rounded to bfloat16"; "" where
    no such rounding explains C. A, shape (M, K), and B, shape (K, N), are near 1, where half rounds as TF32.
    """
    return next((words for words, left, right in rounded_pairs(a, b) if _is_product(left, right, c)), "")


def rounded_pairs(a: Matrix, b: Matrix) -> Iterator[tuple[str, Matrix, Matrix]]:
    """A and B of which one or both are rounded, in each way that is told apart, and in words which and how."""
    for kept, name in _FORMATS:
        for rounding in BitRounding:
            left, right = _rounded(a, kept, rounding), _rounded(b, kept, rounding)
            how = f"{'cut off' if rounding is BitRounding.CUT else 'rounded'} to {name}"
            yield from ((f"A {how}", left, b), (f"B {how}", a, right), (f"A and B {how}", left, right))


def _rounded(matrix: Matrix, kept: Format, rounding: BitRounding) -> Matrix:
    """Float32 without the bits that a format does not keep."""
    dropped = FLOAT32.bits - kept.bits
    bits = matrix.view(np.uint32).astype(np.int64)
    match rounding:
        case BitRounding.TO_EVEN:
            bits += (1 << (dropped - 1)) - 1 + (bits >> dropped & 1)
        case BitRounding.AWAY:
            bits += 1 << (dropped - 1)
        case BitRounding.CUT:
            pass
    return (bits >> dropped << dropped).astype(np.uint32).view(np.float32)


def _is_product(a: Matrix, b: Matrix, c: NDArray[np.floating]) -> bool:
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    bound = (a.shape[1] + 1) * FLOAT32.roundoff * (abs(wide_a) @ abs(wide_b))
    return bool((abs(wide_a @ wide_b - c) <= bound).all())
