"""How far a correct kernel may be off, by the arithmetic it says it computes in."""

from __future__ import annotations

import math

from gemmviz.domain.terms import Arithmetic, Element
from gemmviz.measure.check.reference import UNIT_ROUNDOFF

INPUT_ERROR = {Arithmetic.TF32: 2.0**-10, Arithmetic.BF16: 2.0**-8, Arithmetic.FP16: 2.0**-11}
"""v: the largest relative error of an input as the arithmetic holds it. TF32 has 11 significant bits, 2^-11 where it is
rounded and 2^-10 where the rest is cut off, which is what tensor cores do with a float32 handed to them as it is;
bfloat16 has 8 and float16 11 bits, and both are rounded."""


SPLIT_ERROR = 3 * 2.0**-21
"""What a product loses where two TF32 numbers stand for each float32 and the product of the small parts is left out:
what is over after cutting off is below 2^-10 of an input, and rounding that loses 2^-11 of it, 2^-21 for each input;
the product left out is at most 2^-10·2^-11. (Ootomo, Yokota, Recovering single precision accuracy from Tensor Cores
while surpassing the FP32 theoretical peak performance, IJHPCA 36:4, 2022, section 3, has the terms.)"""
RESULT_ERROR = {Element.HALF: 2.0**-11, Element.BFLOAT16: 2.0**-8}
"""The largest relative error of a result that is rounded to fewer bits than it was summed in."""
UNDERFLOW_ERROR = {Element.HALF: 2.0**-25}
"""The largest error of rounding a result below 2^-14, the least normal number of half: subnormal numbers are 2^-24
apart, however small they are. Types with the exponents of float32 have none that matters."""
_DOUBLE_ROUNDOFF = 2.0**-53


def error_bound(
    arithmetic: Arithmetic, k: int, result: Element = Element.FLOAT32, *, inputs_are_exact: bool = False
) -> float:
    """The bound on max |C−R| / (u·G), u = 2^-24, for K products summed in any order. Where the sum is scaled or
    something is added to it, K counts the roundings that come on top, too. `inputs_are_exact`: R is the product of the
    inputs as the kernel finds them, so that v is 0.

    - fp32: K, since γ_K·G with γ_K = K·u / (1 - K·u) bounds such a sum (Higham, Accuracy and Stability of
      Numerical Algorithms, 2nd ed., section 3.1).
    - tf32, bf16, fp16: both inputs of a product err by at most v, so the product by (2·v + v²) of itself. Its sum is
      made of exact products, each addition erring by at most 2·u, because tensor cores cut off instead of rounding
      (Fasi, Higham, Mikaitis, Pranesh, Numerical behavior of NVIDIA tensor cores, PeerJ Computer Science 7:e330,
      2021, section 3): (2·v + v²) / u + 2·K·(1 + v)².
    - tf32x3: what the split loses, and sums of tensor cores as above: SPLIT_ERROR / u + 2·K = 24 + 2·K.
    - fp64: K·2^-53 / u of the kernel, and as much of the float64 product that it is held against; 1 more where the
      result is float32.

    A result in half or bfloat16 is rounded once more, which adds w of what it was, w = RESULT_ERROR.
    """
    v = INPUT_ERROR.get(arithmetic)
    v = 0.0 if v is not None and inputs_are_exact else v
    if arithmetic is Arithmetic.FP64:
        bound = 2.0 * k * _DOUBLE_ROUNDOFF / UNIT_ROUNDOFF + (result is Element.FLOAT32)
    elif arithmetic is Arithmetic.TF32X3:
        bound = SPLIT_ERROR / UNIT_ROUNDOFF + 2.0 * k
    elif v is None:
        bound = float(k)
    else:
        bound = (2.0 * v + v * v) / UNIT_ROUNDOFF + 2.0 * k * (1.0 + v) ** 2
    return _with_result(bound, result)


def sum_bound(
    input_error: float, roundoff: float, k: int, result: Element = Element.FLOAT32, product_error: float = 0.0
) -> float:
    """The bound on max |C−R| / (u·G), u = 2^-24, of K products whose inputs err by at most `input_error` of themselves
    and whose products and sums by `roundoff` in each of 2·K roundings; inf where they are too many for a bound. Each
    product errs by `product_error` of itself where it is rounded to fewer bits before it is added.

    (1 + v)^2·(1 + p)·(1 + γ_2K) - 1 with p the error of products, γ_n = n·r / (1 - n·r), r = `roundoff` (Higham,
    Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1). A result in half or bfloat16 is rounded once
    more, as in `error_bound`.
    """
    lost = 2.0 * k * roundoff
    if lost >= 1.0:
        return math.inf
    gamma = lost / (1.0 - lost)
    return _with_result(
        ((1.0 + input_error) ** 2 * (1.0 + product_error) * (1.0 + gamma) - 1.0) / UNIT_ROUNDOFF, result
    )


def _with_result(bound: float, result: Element) -> float:
    w = RESULT_ERROR.get(result, 0.0)
    return bound + w * (1.0 / UNIT_ROUNDOFF + bound)
