"""A kernel is held to the bound of the arithmetic it says it computes in: right ones pass, wrong ones fail."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.domain.operands import as_bfloat16, make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, Fill
from gemmviz.measure.check.accuracy import check
from gemmviz.measure.check.bounds import SPLIT_ERROR, error_bound
from gemmviz.measure.check.freivalds import freivalds
from gemmviz.measure.check.reference import UNIT_ROUNDOFF, build_reference

Matrix = NDArray[np.float32]
Hold = Callable[[Matrix], Matrix]


def cut_off(matrix: Matrix) -> Matrix:
    """Float32 as tensor cores read it for TF32: the last 13 bits are not there."""
    return (matrix.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


def rounded(matrix: Matrix) -> Matrix:
    """Rounded to TF32, ties away from zero, as cvt.rna does."""
    return cut_off((matrix.view(np.uint32) + np.uint32(0x1000)).view(np.float32))


def in_bf16(matrix: Matrix) -> Matrix:
    return (as_bfloat16(matrix).astype(np.uint32) << 16).view(np.float32)


def multiply(hold: Hold, a: Matrix, b: Matrix) -> Matrix:
    """Inputs as `hold` leaves them; the products are exact, and each addition to the sum cuts off."""
    left, right = hold(a).astype(np.float64), hold(b).astype(np.float64)
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for k in range(a.shape[1]):
        exact = total.astype(np.float64) + left[:, k : k + 1] * right[k]
        nearest = exact.astype(np.float32)
        too_far = np.abs(nearest.astype(np.float64)) > np.abs(exact)
        total = np.where(too_far, np.nextafter(nearest, np.float32(0.0)), nearest).astype(np.float32)
    return total


EMULATED = [(Arithmetic.TF32, cut_off), (Arithmetic.TF32, rounded), (Arithmetic.BF16, in_bf16)]


@pytest.mark.parametrize("k", [1, 5, 129])
@pytest.mark.parametrize("fill", [Fill.UNIFORM, Fill.NORMAL])
@pytest.mark.parametrize(("arithmetic", "hold"), EMULATED)
def test_that_a_right_kernel_passes_its_own_bound_and_fails_float32s(
    arithmetic: Arithmetic, hold: Hold, fill: Fill, k: int
) -> None:
    operands = make_operands(Shape(33, 17, k), fill, 5)
    c = multiply(hold, operands.a, operands.b)
    reference = build_reference(operands.a, operands.b)
    own = check(c, reference, arithmetic=arithmetic)
    assert own.passed
    assert own.bound == error_bound(arithmetic, k)
    assert not check(c, reference).passed


@pytest.mark.parametrize(("arithmetic", "hold"), EMULATED)
def test_that_a_product_left_out_fails_in_any_arithmetic(arithmetic: Arithmetic, hold: Hold) -> None:
    operands = make_operands(Shape(9, 7, 65), Fill.UNIFORM, 2)
    c = multiply(hold, operands.a[:, :-1].copy(), operands.b[:-1].copy())
    assert not check(c, build_reference(operands.a, operands.b), arithmetic=arithmetic).passed


@pytest.mark.parametrize("value", [0.0, np.nan, np.inf])
@pytest.mark.parametrize("arithmetic", list(Arithmetic))
def test_that_garbage_fails_in_every_arithmetic(arithmetic: Arithmetic, value: float) -> None:
    operands = make_operands(Shape(9, 7, 65), Fill.UNIFORM, 2)
    garbage = np.full((9, 7), value, np.float32)
    assert not check(garbage, build_reference(operands.a, operands.b), arithmetic=arithmetic).passed
    assert not freivalds(operands.a, operands.b, garbage, np.random.default_rng(1), arithmetic=arithmetic).passed


def test_that_projections_know_the_arithmetic_too() -> None:
    operands = make_operands(Shape(40, 300, 64), Fill.NORMAL, 4)
    c = multiply(in_bf16, operands.a, operands.b)
    rng = np.random.default_rng(3)
    assert freivalds(operands.a, operands.b, c, rng, arithmetic=Arithmetic.BF16).passed
    assert not freivalds(operands.a, operands.b, 1.1 * c, rng, arithmetic=Arithmetic.BF16).passed


@pytest.mark.parametrize(
    ("arithmetic", "k", "bound"),
    [
        (Arithmetic.FP32, 1024, 1024.0),
        (Arithmetic.TF32X3, 1024, 24.0 + 2048.0),
        (Arithmetic.TF32, 1, 2.0**15 + 16.0 + 2.0 * (1.0 + 2.0**-10) ** 2),
        (Arithmetic.BF16, 1024, 2.0**17 + 2.0**8 + 2048.0 * (1.0 + 2.0**-8) ** 2),
    ],
)
def test_that_the_bounds_are_what_their_formula_says(arithmetic: Arithmetic, k: int, bound: float) -> None:
    assert error_bound(arithmetic, k) == bound


def test_that_three_products_of_halves_are_as_good_as_float32() -> None:
    operands = make_operands(Shape(33, 17, 65), Fill.NORMAL, 6)
    a, b = operands.a, operands.b
    a_high, b_high = rounded(a), rounded(b)
    a_low, b_low = rounded(a - a_high), rounded(b - b_high)
    c = sum(
        x.astype(np.float64) @ y.astype(np.float64) for x, y in ((a_low, b_high), (a_high, b_low), (a_high, b_high))
    )
    assert check(np.asarray(c, np.float32), build_reference(a, b), arithmetic=Arithmetic.TF32X3).passed


def test_that_what_a_split_loses_is_within_its_bound_where_float32s_bound_is_not_met() -> None:
    rng = np.random.default_rng(11)
    a, b = (rng.uniform(1.0, 2.0, 4096).astype(np.float32) for _ in range(2))
    a_big, b_big = cut_off(a), rounded(b)
    a_small, b_small = rounded(a - a_big), rounded(b - b_big)
    products = sum(x.astype(np.float64) * y for x, y in ((a_big, b_big), (a_big, b_small), (a_small, b_big)))
    exact = a.astype(np.float64) * b
    lost = float(np.max(np.abs(products - exact) / exact)) / UNIT_ROUNDOFF
    assert error_bound(Arithmetic.FP32, 1) < lost <= SPLIT_ERROR / UNIT_ROUNDOFF == 24.0
