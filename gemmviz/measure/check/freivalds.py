"""A check of C without the full product: Freivalds' random projection, panel by panel.

R. Freivalds, Probabilistic machines can use less running time, IFIP 1977: compare C·x with A·(B·x) for random
x. Here x is ±1 and zero outside one panel of columns; the panels keep the noise of a row's other elements
small, at the cost of N / PANEL_COLUMNS projections per round instead of one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.runs.result import Accuracy
from gemmviz.domain.terms import Arithmetic, Element
from gemmviz.measure.check.accuracy import norm_quotient, quotient
from gemmviz.measure.check.bounds import error_bound
from gemmviz.measure.check.combination import MORE_ROUNDINGS, Combination
from gemmviz.measure.check.matrices import Matrix, check_operands, check_result, row_blocks
from gemmviz.measure.check.reference import UNIT_ROUNDOFF

ROUNDS = 4
PANEL_COLUMNS = 256
FALSE_ALARM = 1e-9
"""The chance that a kernel whose every error is within K·u·G fails nevertheless."""


def freivalds(
    a: Matrix,
    b: Matrix,
    c: Matrix,
    rng: np.random.Generator,
    rounds: int = ROUNDS,
    arithmetic: Arithmetic = Arithmetic.FP32,
    combination: Combination | None = None,
    result: Element = Element.FLOAT32,
    *,
    inputs_are_exact: bool = False,
    unwritten: int = 0,
) -> Accuracy:
    """Hold C, shape (M, N), against random projections of A·B, shapes (M, K) and (K, N), float32, or of what a
    `combination` makes of A·B. C was stored as `result`; it is float64 where that is double. `inputs_are_exact` as of
    `error_bound`; so many elements of C were left `unwritten`.

    With e a row's errors within a panel, Hoeffding's inequality gives |e·x| <= t·‖e‖ but for 2·exp(-t²/2) of
    all x, and |e| <= β·u·G gives ‖e‖ <= β·u·s, s = Σ_k |A_ik|·‖B_k‖ over the panel (triangle inequality on
    G's row). So max_error_over_ug is here max |C·x - A·(B·x)| / (u·t·s), and the bound β is that of the full
    product (`bounds.py`), K for float32; t follows from FALSE_ALARM. It finds a single error above about
    2·β·u·t·s, not every one above β·u·G. relative_frobenius is an estimate, from E‖(C−R)x‖² = ‖C−R‖². max_ulp is
    nan; no element is compared exactly.

    Raises:
        ValueError: an array is not float32, C not contiguous, or the shapes do not fit.
    """
    check_operands(a, b)
    combination = combination or Combination()
    (m, k), n = a.shape, b.shape[1]
    check_result(c, (m, n))
    signs = rng.choice(np.array((-1.0, 1.0)), size=(rounds, n))
    starts = np.arange(0, n, PANEL_COLUMNS)
    confidence = math.sqrt(2.0 * math.log(2.0 * m * rounds * starts.size / FALSE_ALARM))
    error_squared = r_squared = worst = 0.0
    with np.errstate(all="ignore"):
        projected_b = _panel_sums(b, signs, starts).reshape(k, -1)
        norms_b = _panel_norms(b, starts)
        for rows in row_blocks(m, max(k, n)):
            left = a[rows].astype(np.float64)
            expected = combination.alpha * (left @ projected_b).reshape(-1, rounds, starts.size)
            norms = abs(combination.alpha) * (np.abs(left) @ norms_b)
            if combination.c is not None:
                expected += combination.beta * _panel_sums(combination.c[rows], signs, starts)
                norms += abs(combination.beta) * _panel_norms(combination.c[rows], starts)
            scale = norms[:, np.newaxis, :] * (UNIT_ROUNDOFF * confidence)
            error = np.abs(_panel_sums(c[rows], signs, starts) - expected)
            error_squared += float(np.square(error).sum())
            r_squared += float(np.square(expected).sum())
            worst = float(np.maximum(worst, quotient(error, scale).max()))
    roundings = k if combination.is_plain else k + MORE_ROUNDINGS
    bound = error_bound(arithmetic, roundings, result, inputs_are_exact=inputs_are_exact)
    return Accuracy(
        relative_frobenius=norm_quotient(error_squared, r_squared),
        max_error_over_ug=worst,
        bound=bound,
        passed=worst <= bound,
        method="freivalds",
        unwritten=unwritten,
        max_ulp=math.nan,
        exact_reference="",
        exact_matches=0,
        elements=0,
        first_mismatches=(),
    )


def _panel_sums(matrix: Matrix, signs: NDArray[np.float64], starts: NDArray[np.intp]) -> NDArray[np.float64]:
    """Signed sums over each panel of columns, shape (rows, rounds, panels)."""
    out = np.empty((matrix.shape[0], signs.shape[0], starts.size))
    for rows in row_blocks(*matrix.shape):
        block = matrix[rows].astype(np.float64)
        for index, sign in enumerate(signs):
            out[rows, index] = np.add.reduceat(block * sign, starts, axis=1)
    return out


def _panel_norms(matrix: Matrix, starts: NDArray[np.intp]) -> NDArray[np.float64]:
    """Euclidean norms over each panel of columns, shape (rows, panels)."""
    out = np.empty((matrix.shape[0], starts.size))
    for rows in row_blocks(*matrix.shape):
        out[rows] = np.sqrt(np.add.reduceat(np.square(matrix[rows].astype(np.float64)), starts, axis=1))
    return out
