"""How a product is added to a sum in float32."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

import numpy as np


class Rounding(Enum):
    """`acc += a * b` as one fused multiply-add, rounded once; or the product rounded first, then the sum.

    Compilers for CPUs and GPUs contract it to the first unless told otherwise.
    """

    FUSED = "fused"
    SEPARATE = "separate"

    def added(self, a: np.float32, b: np.float32, total: np.float32) -> np.float32:
        """total + a·b."""
        return fused(a, b, total) if self is Rounding.FUSED else np.float32(total + np.float32(a * b))


def fused(a: np.float32, b: np.float32, c: np.float32) -> np.float32:
    """a·b + c, rounded once to float32, to nearest and ties to even."""
    if not (np.isfinite(a) and np.isfinite(b) and np.isfinite(c)):
        return np.float32(a * b + c)
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    near = np.float32(float(exact))  # rounded twice: at most one float away
    if not np.isfinite(near):
        return near
    beside = [near, *(np.nextafter(near, np.float32(side)) for side in (-np.inf, np.inf))]
    finite = [value for value in beside if np.isfinite(value)]
    return min(finite, key=lambda value: (abs(Fraction(float(value)) - exact), int(value.view(np.uint32)) & 1))
