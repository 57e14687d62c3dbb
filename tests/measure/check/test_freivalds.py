import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemmviz.domain.kernels.initial_c import count_poison, poison
from gemmviz.measure.check.accuracy import check
from gemmviz.measure.check.freivalds import PANEL_COLUMNS, freivalds
from gemmviz.measure.check.reference import build_reference

U = 2.0**-24


def product(m: int, n: int, k: int, seed: int = 0, low: float = -1.0) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    a = rng.uniform(low, 1.0, (m, k)).astype(np.float32)
    b = rng.uniform(low, 1.0, (k, n)).astype(np.float32)
    return a, b, a @ b


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(42)


@pytest.mark.parametrize("size", [(1, 1, 1), (17, 33, 1), (33, 700, 5), (129, 257, 1000)])
@pytest.mark.parametrize("low", [-1.0, 0.0])
def test_that_a_correct_product_passes_and_says_how_it_was_checked(
    rng: np.random.Generator, size: tuple[int, int, int], low: float
) -> None:
    a, b, c = product(*size, low=low)
    accuracy = freivalds(a, b, c, rng)
    assert accuracy.passed
    assert (accuracy.method, accuracy.bound, accuracy.unwritten) == ("freivalds", float(size[2]), 0)
    assert (accuracy.elements, accuracy.exact_matches, accuracy.first_mismatches) == (0, 0, ())
    assert math.isnan(accuracy.max_ulp)
    assert accuracy.max_error_over_ug < 8.0  # how a BLAS sums depends on the processor


@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 32),
    st.integers(0, 2 * PANEL_COLUMNS + 16),
    st.booleans(),
)
@settings(max_examples=25)
def test_that_a_single_wrong_element_is_found_wherever_it_is(seed, row: int, column: int, negative) -> None:
    m, n, k = 33, 2 * PANEL_COLUMNS + 17, 65
    a, b, c = product(m, n, k, low=-1.0 if negative else 0.0)
    g = float(build_reference(a, b).g[row, column])
    rng = np.random.default_rng(seed)
    assert freivalds(a, b, c, rng).passed
    c[row, column] += np.float32(k * U * g * 16 * 8 * 2)  # 16 = sqrt of the panel's columns, 8 > t, 2 to be clear
    assert not freivalds(a, b, c, rng).passed


def test_that_a_missing_term_is_found(rng) -> None:
    a, b, _ = product(33, 65, 129)
    assert not freivalds(a, b, a[:, :128] @ b[:128], rng).passed


def test_that_two_errors_that_cancel_in_one_round_are_found_in_another(rng) -> None:
    a, b, c = product(17, 33, 65)
    c[3, 4] += 1.0
    c[3, 5] += 1.0
    single = [freivalds(a, b, c, rng, rounds=1).passed for _ in range(64)]
    assert 16 < sum(single) < 48
    assert not freivalds(a, b, c, rng, rounds=64).passed


def test_that_the_norm_is_estimated_within_its_spread(rng) -> None:
    a, b, c = product(257, 300, 65)
    c += np.random.default_rng(7).normal(size=c.shape).astype(np.float32)
    exact = check(c, build_reference(a, b)).relative_frobenius
    assert freivalds(a, b, c, rng).relative_frobenius == pytest.approx(exact, rel=0.15)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_that_a_value_that_is_no_number_fails_without_a_warning(rng, value: float) -> None:
    a, b, c = product(17, 33, 5)
    c[16, 32] = value
    accuracy = freivalds(a, b, c, rng)
    assert not accuracy.passed
    assert not accuracy.max_error_over_ug < math.inf


def test_that_unwritten_elements_fail_and_their_count_is_kept(rng) -> None:
    a, b, c = product(17, 33, 5)
    poison(c[13:])
    accuracy = freivalds(a, b, c, rng, unwritten=count_poison(c))
    assert (accuracy.unwritten, accuracy.passed) == (4 * 33, False)


def test_that_a_product_of_zeros_is_no_error_and_anything_else_is_infinite(rng) -> None:
    a, b, c = (np.zeros(shape, np.float32) for shape in ((17, 5), (5, 33), (17, 33)))
    accuracy = freivalds(a, b, c, rng)
    assert (accuracy.max_error_over_ug, accuracy.relative_frobenius, accuracy.passed) == (0.0, 0.0, True)
    c[0, 0] = 1e-30
    accuracy = freivalds(a, b, c, rng)
    assert (accuracy.max_error_over_ug, accuracy.relative_frobenius, accuracy.passed) == (
        math.inf,
        math.inf,
        False,
    )


def test_that_the_same_generator_gives_the_same_figures() -> None:
    a, b, c = product(17, 33, 65)
    first, second = (freivalds(a, b, c, np.random.default_rng(5)).max_error_over_ug for _ in range(2))
    assert first == second > 0


def test_that_a_result_of_another_shape_is_refused(rng) -> None:
    a, b, c = product(17, 33, 5)
    with pytest.raises(ValueError, match=r"of shape \(17, 33\)"):
        freivalds(a, b, np.ascontiguousarray(c.T), rng)
