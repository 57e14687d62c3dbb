import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gemmviz.measure.check.accuracy as module
from gemmviz.domain.kernels.initial_c import count_poison, poison
from gemmviz.domain.runs.result import Accuracy
from gemmviz.measure.check.accuracy import ROUNDED_NAME, check
from gemmviz.measure.check.matrices import row_blocks
from gemmviz.measure.check.reference import Reference, build_reference

U = 2.0**-24


def uniform(m: int, n: int, k: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.random((m, k), np.float32), rng.random((k, n), np.float32)


def signed(m: int, n: int, k: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(m, k)).astype(np.float32), rng.normal(size=(k, n)).astype(np.float32)


def one_by_one(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A float32 kernel with one accumulator that adds the products in the order of k."""
    c = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for k in range(a.shape[1]):
        c += a[:, k : k + 1] * b[k]
    return c


def truncated(array: np.ndarray, bits: int) -> np.ndarray:
    """The array with the last `bits` bits of every significand cleared."""
    return (array.view(np.uint32) & np.uint32(2**32 - 2**bits)).view(np.float32)


def accuracy_of(c: np.ndarray, r: float, g: float, k: int = 1) -> Accuracy:
    """The accuracy of a C of one row whose R and G are the same everywhere."""
    return check(c, Reference(np.full(c.shape, r), np.full(c.shape, g), k))


@pytest.mark.parametrize("size", [(1, 1, 1), (17, 33, 1), (33, 17, 5), (64, 16, 1000)])
@pytest.mark.parametrize("fill", [uniform, signed])
def test_that_a_correct_float32_kernel_passes(size, fill) -> None:
    a, b = fill(*size)
    accuracy = check(one_by_one(a, b), build_reference(a, b))
    assert accuracy.passed
    assert (accuracy.method, accuracy.unwritten, accuracy.elements) == ("float64", 0, size[0] * size[1])
    assert accuracy.max_error_over_ug <= min(size[2], 50)
    assert accuracy.relative_frobenius < 1e-5


def test_that_one_product_is_rounded_once() -> None:
    a, b = signed(33, 17, 1)
    accuracy = check(one_by_one(a, b), build_reference(a, b))
    assert 0.5 < accuracy.max_error_over_ug <= 1.0
    assert 0.25 < accuracy.max_ulp <= 0.5
    assert accuracy.exact_matches == 33 * 17


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_that_the_figures_are_those_of_exact_arithmetic(seed: int) -> None:
    m, n, k = 3, 4, 7
    a, b = signed(m, n, k, seed)
    c = one_by_one(a, b)
    errors, products, quotients, ulp = [], [], [], [0.0]
    for i in range(m):
        for j in range(n):
            terms = [Fraction(float(a[i, x])) * Fraction(float(b[x, j])) for x in range(k)]
            r, g = sum(terms, Fraction()), sum((abs(term) for term in terms), Fraction())
            error = abs(Fraction(float(c[i, j])) - r)
            errors.append(float(error))
            products.append(float(r))
            quotients.append(float(error * 2**24 / g))
            if abs(r) > g / 100:
                exponent = math.frexp(abs(float(np.float32(float(r)))))[1]
                ulp.append(float(error / Fraction(2) ** (exponent - 24)))
    accuracy = check(c, build_reference(a, b))
    # R itself is rounded to float64: at most k·2^-53 of G, which is k·2^-29 of u·G and some of that in ULP.
    assert accuracy.max_error_over_ug == pytest.approx(max(quotients), rel=1e-6, abs=1e-7)
    assert accuracy.relative_frobenius == pytest.approx(math.hypot(*errors) / math.hypot(*products), rel=1e-6)
    assert accuracy.max_ulp == pytest.approx(max(ulp), rel=1e-6, abs=1e-5)


def test_that_integer_inputs_are_exact_in_every_order() -> None:
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-8, 9, shape).astype(np.float32) for shape in ((33, 129), (129, 17)))
    accuracy = check(one_by_one(a[:, ::-1], b[::-1]), build_reference(a, b), one_by_one(a, b), "one by one")
    assert (accuracy.relative_frobenius, accuracy.max_error_over_ug, accuracy.max_ulp) == (0.0, 0.0, 0.0)
    assert (accuracy.exact_matches, accuracy.first_mismatches) == (33 * 17, ())
    assert accuracy.exact_reference == "one by one"


def test_that_one_wrong_element_fails() -> None:
    a, b = uniform(33, 17, 64)
    c = one_by_one(a, b)
    c[20, 3] *= np.float32(1.001)
    accuracy = check(c, build_reference(a, b))
    assert not accuracy.passed
    assert accuracy.max_error_over_ug == pytest.approx(0.001 / U, rel=0.01)


def test_that_a_missing_term_fails() -> None:
    a, b = uniform(17, 33, 65)
    assert not check(one_by_one(a[:, :64], b[:64]), build_reference(a, b)).passed


def test_that_the_bound_grows_with_k() -> None:
    one_in_a_thousand = np.full((1, 3), 1.0 + 500 * U, np.float32)
    short, long = (accuracy_of(one_in_a_thousand, 1.0, 1.0, k) for k in (499, 500))
    assert (short.bound, short.passed) == (499.0, False)
    assert (long.bound, long.passed) == (500.0, True)
    assert long.max_error_over_ug == 500.0


def test_that_shortened_inputs_are_a_thousand_times_worse_than_float32() -> None:
    a, b = uniform(64, 64, 1024)
    reference = build_reference(a, b)
    float32 = check(one_by_one(a, b), reference).max_error_over_ug
    tf32 = check(one_by_one(truncated(a, 13), truncated(b, 13)), reference).max_error_over_ug
    bf16 = check(one_by_one(truncated(a, 16), truncated(b, 16)), reference).max_error_over_ug
    assert float32 < 100
    assert 3_000 < tf32 < 17_000
    assert 6 < bf16 / tf32 < 10


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_that_a_value_that_is_no_number_fails_without_a_warning(value: float) -> None:
    a, b = uniform(17, 33, 1)
    c = one_by_one(a, b)
    c[16, 32] = value
    accuracy = check(c, build_reference(a, b))
    assert not accuracy.passed
    for figure in (accuracy.max_error_over_ug, accuracy.relative_frobenius, accuracy.max_ulp):
        assert math.isnan(figure) if math.isnan(value) else figure == math.inf
    assert accuracy.unwritten == 0
    assert accuracy.exact_matches == 17 * 33 - 1
    assert [(mismatch.row, mismatch.column) for mismatch in accuracy.first_mismatches] == [(16, 32)]


def test_that_a_nan_in_the_first_block_is_not_lost_in_later_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = uniform(17, 33, 5)
    c = one_by_one(a, b)
    c[0, 0] = math.nan
    monkeypatch.setattr(module, "row_blocks", lambda rows, columns: row_blocks(rows, columns, elements=40))
    accuracy = check(c, build_reference(a, b))
    assert math.isnan(accuracy.max_error_over_ug)
    assert not accuracy.passed


def test_that_unwritten_elements_fail_and_their_count_is_kept() -> None:
    a, b = uniform(17, 33, 5)
    c = np.empty((17, 33), np.float32)
    poison(c)
    c[:16, :32] = one_by_one(a, b)[:16, :32]
    accuracy = check(c, build_reference(a, b), unwritten=count_poison(c))
    assert accuracy.unwritten == 17 * 33 - 16 * 32
    assert not accuracy.passed


def test_that_zero_over_zero_is_no_error() -> None:
    accuracy = accuracy_of(np.zeros((1, 4), np.float32), 0.0, 0.0)
    assert (accuracy.relative_frobenius, accuracy.max_error_over_ug, accuracy.max_ulp) == (0.0, 0.0, 0.0)
    assert accuracy.passed


def test_that_an_error_over_zero_is_infinite() -> None:
    accuracy = accuracy_of(np.full((1, 4), 1e-30, np.float32), 0.0, 0.0)
    assert (accuracy.relative_frobenius, accuracy.max_error_over_ug) == (math.inf, math.inf)
    assert not accuracy.passed


def test_that_a_nan_over_zero_stays_a_nan() -> None:
    accuracy = accuracy_of(np.full((1, 4), math.nan, np.float32), 0.0, 0.0)
    assert math.isnan(accuracy.relative_frobenius)
    assert math.isnan(accuracy.max_error_over_ug)
    assert not accuracy.passed


def test_that_ulp_are_not_counted_where_cancellation_made_the_result() -> None:
    c = np.full((1, 2), 1.0 + 2.0**-20, np.float32)
    assert accuracy_of(c, 1.0, 99.0).max_ulp == 8.0
    assert accuracy_of(c, 1.0, 101.0).max_ulp == 0.0


def test_that_a_result_beyond_float32_is_infinitely_far_in_ulp() -> None:
    accuracy = accuracy_of(np.full((1, 2), math.inf, np.float32), 1e39, 1e39)
    assert accuracy.max_ulp == math.inf
    assert accuracy.exact_matches == 2


def test_that_the_largest_float32_is_as_far_from_its_neighbours_as_the_rest_of_its_binade() -> None:
    largest = float(np.finfo(np.float32).max)
    accuracy = accuracy_of(np.full((1, 2), largest, np.float32), largest - 2.0**104, largest)
    assert accuracy.max_ulp == 1.0


def test_that_without_a_kernel_to_compare_with_the_rounded_product_serves() -> None:
    accuracy = accuracy_of(np.full((1, 2), 0.1, np.float32), 0.1, 0.1)
    assert (accuracy.exact_reference, accuracy.exact_matches) == (ROUNDED_NAME, 2)


def test_that_blocks_change_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = signed(33, 17, 65)
    c, reference = one_by_one(a, b), build_reference(a, b)
    whole = check(c, reference)
    monkeypatch.setattr(module, "row_blocks", lambda rows, columns: row_blocks(rows, columns, elements=40))
    blocks = check(c, reference)
    assert blocks.relative_frobenius == pytest.approx(whole.relative_frobenius, rel=1e-12)
    assert (blocks.max_error_over_ug, blocks.max_ulp) == (whole.max_error_over_ug, whole.max_ulp)


@pytest.mark.parametrize(
    "c", [np.zeros((17, 33), np.int32), np.zeros((33, 17), np.float32), np.zeros((17, 66), np.float32)[:, ::2]]
)
def test_that_a_result_of_another_kind_is_refused(c: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"give contiguous float32 of shape \(17, 33\)"):
        check(c, build_reference(*uniform(17, 33, 5)))


def test_that_a_comparison_result_of_another_shape_is_refused_by_its_name() -> None:
    a, b = uniform(17, 33, 5)
    with pytest.raises(ValueError, match="library is float32"):
        check(one_by_one(a, b), build_reference(a, b), np.zeros((1, 33), np.float32), "library")
