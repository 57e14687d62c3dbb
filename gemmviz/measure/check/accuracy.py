"""How far C is from the float64 product of the same inputs.

Works in row blocks. Nothing here warns or raises for Inf or NaN in C: the figures become inf or nan, and the
check fails.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.kernels.call import TYPE_WORDS
from gemmviz.domain.runs.result import Accuracy
from gemmviz.domain.terms import Arithmetic, Element
from gemmviz.measure.check.bounds import UNDERFLOW_ERROR, error_bound
from gemmviz.measure.check.exact import compare_exactly
from gemmviz.measure.check.matrices import Matrix, check_result, row_blocks
from gemmviz.measure.check.reference import UNIT_ROUNDOFF, Reference

ROUNDED_NAME = "float64 rounded to float32"
"""What C is compared with element by element where no other kernel's result is given."""

ULP_FLOOR = 0.01
"""ULP are counted only where |R| > 0.01·G: elsewhere cancellation makes them meaningless."""

_TOP_BINADE = 2.0**127
"""Float32 from here to the largest are equally far apart; what follows the largest is infinity."""


def rounded_name(result: Element) -> str:
    """What a result stored in such elements is compared with where no other kernel's is given."""
    return ROUNDED_NAME if result is Element.FLOAT32 else f"float64 rounded to {TYPE_WORDS[result]}"


def check(
    c: Matrix,
    reference: Reference,
    exact: Matrix | None = None,
    exact_name: str = ROUNDED_NAME,
    arithmetic: Arithmetic = Arithmetic.FP32,
    result: Element = Element.FLOAT32,
    *,
    inputs_are_exact: bool = False,
    unwritten: int = 0,
) -> Accuracy:
    """Hold C of shape (M, N), which was stored as `result`, against R and G: float32, or float64 where that is double.
    `inputs_are_exact` as of `error_bound`; so many elements of C were left `unwritten`.

    - relative_frobenius = ‖C−R‖ / ‖R‖, Frobenius norms;
    - max_error_over_ug = max |C−R| / (u·G), u = 2^-24, where |C−R| is less what a result in half loses by underflow;
      its bound is that of the kernel's `arithmetic` (`bounds.py`), without other underflow or overflow: K for float32;
    - max_ulp = max |C−R| / (distance from R to the next float32, or of a double to the next float64), where
      |R| > ULP_FLOOR·G; 0 if nowhere;
    - exact figures compare with `exact`, or with R rounded to what C was stored as; NaN equals nothing.

    0/0 counts as 0 and x/0 as inf. `passed` is `value <= bound`, which a NaN fails.

    Raises:
        ValueError: C or `exact` is not contiguous float32 or float64 of the shape of R.
    """
    check_result(c, reference.r.shape)
    if exact is not None:
        check_result(exact, reference.r.shape, exact_name)
    error_squared = r_squared = worst = worst_ulp = 0.0
    with np.errstate(all="ignore"):
        for rows in row_blocks(*c.shape):
            r, g = reference.r[rows], reference.g[rows]
            error = np.abs(c[rows] - r)
            error_squared += float(np.square(error).sum())
            r_squared += float(np.square(r).sum())
            # np.maximum hands a NaN on, where max() and np.fmax would lose it.
            told = np.maximum(error - UNDERFLOW_ERROR.get(result, 0.0), 0.0)
            worst = float(np.maximum(worst, quotient(told, UNIT_ROUNDOFF * g).max()))
            worst_ulp = float(np.maximum(worst_ulp, _in_ulp(error, r, g, c.dtype).max()))
    bound = error_bound(arithmetic, reference.roundings or reference.k, result, inputs_are_exact=inputs_are_exact)
    matches, mismatches = compare_exactly(c, reference.r if exact is None else exact, result)
    return Accuracy(
        relative_frobenius=norm_quotient(error_squared, r_squared),
        max_error_over_ug=worst,
        bound=bound,
        passed=worst <= bound,
        method="float64",
        unwritten=unwritten,
        max_ulp=worst_ulp,
        exact_reference=rounded_name(result) if exact is None else exact_name,
        exact_matches=matches,
        elements=c.size,
        first_mismatches=mismatches,
    )


def quotient(error: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """error / scale of the same shape, neither negative; 0/0 is 0, x/0 inf, and a NaN stays one."""
    with np.errstate(all="ignore"):
        return np.where(error == 0.0, 0.0, error / scale)


def norm_quotient(error_squared: float, scale_squared: float) -> float:
    """The quotient of two norms from their squares; 0/0 is 0, x/0 inf, and a NaN stays one."""
    if scale_squared == 0.0:
        return 0.0 if error_squared == 0.0 else error_squared * math.inf
    return math.sqrt(error_squared) / math.sqrt(scale_squared)


def _in_ulp(
    error: NDArray[np.float64], r: NDArray[np.float64], g: NDArray[np.float64], kind: np.dtype[Any]
) -> NDArray[np.float64]:
    magnitude = np.abs(r)
    spacing = np.spacing(np.minimum(magnitude, _TOP_BINADE).astype(kind))
    return np.where(magnitude > ULP_FLOOR * g, error / spacing, 0.0)
