from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gemmviz.measure.check.reference as module
from gemmviz.domain.shape import Shape
from gemmviz.measure.check.matrices import row_blocks
from gemmviz.measure.check.reference import UNIT_ROUNDOFF, build_reference, is_full_product_affordable

SIZES = st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 9))


def exact_product(a: np.ndarray, b: np.ndarray) -> list[list[Fraction]]:
    """A·B without any rounding."""
    left = [[Fraction(float(x)) for x in row] for row in a]
    right = [[Fraction(float(x)) for x in column] for column in b.T]
    return [[sum((x * y for x, y in zip(row, column, strict=True)), Fraction()) for column in right] for row in left]


@given(SIZES, st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_that_r_and_g_are_the_exact_sums_to_within_float64(size: tuple[int, int, int], seed: int) -> None:
    m, n, k = size
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(m, k)).astype(np.float32), rng.normal(size=(k, n)).astype(np.float32)
    reference = build_reference(a, b)
    r, g = exact_product(a, b), exact_product(abs(a), abs(b))
    assert reference.k == k
    for i in range(m):
        for j in range(n):
            allowed = g[i][j] * k / 2**53
            assert abs(Fraction(float(reference.r[i, j])) - r[i][j]) <= allowed
            assert abs(Fraction(float(reference.g[i, j])) - g[i][j]) <= allowed


def test_that_g_is_r_itself_where_nothing_is_negative() -> None:
    a, b = np.full((17, 5), 0.5, np.float32), np.full((5, 33), 2.0, np.float32)
    reference = build_reference(a, b)
    assert reference.g is reference.r
    assert (reference.r == 5.0).all()
    b[3, 4] = -2.0
    mixed = build_reference(a, b)
    assert (mixed.r[0, 4], mixed.g[0, 4]) == (3.0, 5.0)


def test_that_row_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-9, 9, shape).astype(np.float32) for shape in ((33, 17), (17, 5)))
    monkeypatch.setattr(module, "row_blocks", lambda rows, columns: row_blocks(rows, columns, elements=40))
    reference = build_reference(a, b)
    assert (reference.r == a.astype(np.int64) @ b.astype(np.int64)).all()
    assert (reference.g == abs(a).astype(np.int64) @ abs(b).astype(np.int64)).all()


def test_that_a_sum_lost_in_float32_is_kept() -> None:
    a = np.array([[2.0**24, 1.0, -(2.0**24)]], np.float32)
    b = np.ones((3, 1), np.float32)
    reference = build_reference(a, b)
    assert (reference.r[0, 0], reference.g[0, 0]) == (1.0, 2.0**25 + 1)


def test_that_infinite_inputs_raise_no_warning() -> None:
    a = np.array([[np.inf, np.inf]], np.float32)
    assert np.isnan(build_reference(a, np.array([[1.0], [-1.0]], np.float32)).r[0, 0])


def test_that_u_is_half_the_distance_from_one_to_the_next_float32() -> None:
    assert float(np.finfo(np.float32).eps) / 2 == UNIT_ROUNDOFF


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (np.ones((2, 3)), np.ones((3, 2), np.float32), "A is float64"),
        (np.ones((2, 3), np.float32), np.ones(3, np.float32), r"B is float32 of shape \(3,\)"),
        (np.ones((2, 3), np.float32), np.ones((2, 3), np.float32), "cannot be multiplied"),
    ],
)
def test_that_unfit_operands_are_refused(a: np.ndarray, b: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build_reference(a, b)


def test_that_a_product_too_long_or_too_large_is_not_affordable() -> None:
    assert is_full_product_affordable(Shape(4096, 4096, 4096))
    assert not is_full_product_affordable(Shape(16384, 16384, 16384))
    assert not is_full_product_affordable(Shape(40000, 40000, 1))
    assert not is_full_product_affordable(Shape(1, 100, 2**24))
    assert not is_full_product_affordable(Shape(64, 64, 64), max_flop=1000)
