"""How a product is added to a sum in float32."""

from __future__ import annotations

import math
from enum import Enum

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
    """a·b + c, rounded once to float32, to nearest and ties to even.

    The product is exact in float64. The sum there is rounded to odd (Boldo and Melquiond, 2008), so that rounding it
    once more gives what one rounding would have given.
    """
    product, added = float(a) * float(b), float(c)
    total = product + added
    if not math.isfinite(total):
        return np.float32(total)
    back = total - product
    left_out = (product - (total - back)) + (added - back)
    if left_out and not np.float64(total).view(np.int64) & 1:
        total = math.nextafter(total, math.copysign(math.inf, left_out))
    return np.float32(total)
