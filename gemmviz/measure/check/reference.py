"""The float64 product that a result is held against: R = A·B and G = |A|·|B|.

The product of two float32 is exact in float64, and its sum errs by at most K·2^-53 of G (Higham, Accuracy and
Stability of Numerical Algorithms, 2nd ed., section 3.1): 2^-29 of the bound a float32 kernel is held to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.shape import Shape
from gemmviz.measure.check.matrices import Matrix, check_operands, row_blocks

UNIT_ROUNDOFF = 2.0**-24
"""u of float32: the largest relative error of one rounding to nearest."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """R and G in float64, both of shape (M, N), and K. G is the very array R where no input is negative. `roundings` is
    how many a term of a sum may take on its way to C, K of a product, 0 for that.
    """

    r: NDArray[np.float64]
    g: NDArray[np.float64]
    k: int
    roundings: int = 0


def is_full_product_affordable(shape: Shape, max_flop: float = 2e12, max_bytes: float = 8 * 2**30) -> bool:
    """Whether R and G can be computed in reasonable time and memory on a host; else take `freivalds`.

    `max_flop` bounds 2·M·N·K, a minute or so on a few cores; `max_bytes` bounds R, G and B in float64.
    """
    nbytes = 8 * (2 * shape.m * shape.n + shape.k * shape.n)
    return shape.flop <= max_flop and nbytes <= max_bytes


def build_reference(a: Matrix, b: Matrix) -> Reference:
    """R and G of float32 A, shape (M, K), and B, shape (K, N).

    Float64 copies are made of all of B and of a few rows of A at a time.

    Raises:
        ValueError: A or B is not a float32 matrix, or their shapes do not fit.
    """
    check_operands(a, b)
    right = b.astype(np.float64)
    r = _product(a, right)
    if a.min() >= 0 and b.min() >= 0:
        return Reference(r, r, a.shape[1])
    np.abs(right, out=right)
    return Reference(r, _product(a, right, absolute=True), a.shape[1])


def _product(a: Matrix, right: NDArray[np.float64], absolute: bool = False) -> NDArray[np.float64]:
    out = np.empty((a.shape[0], right.shape[1]))
    with np.errstate(all="ignore"):
        for rows in row_blocks(*a.shape):
            left = a[rows].astype(np.float64)
            np.matmul(np.abs(left) if absolute else left, right, out=out[rows])
    return out
