"""alpha·A·B + beta·C0, held against float64; results of other types."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from usual_calls import usual_call

from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.stored import rounded
from gemmviz.domain.terms import Arithmetic, Element, Fill, InitialC
from gemmviz.measure.check.accuracy import check, rounded_name
from gemmviz.measure.check.bounds import error_bound
from gemmviz.measure.check.combination import Combination, operands_as_stored
from gemmviz.measure.check.freivalds import freivalds
from gemmviz.measure.check.reference import Reference, build_reference

OPERANDS = make_operands(Shape(33, 300, 40), Fill.NORMAL, 5)
A, B, C = OPERANDS.a, OPERANDS.b, OPERANDS.random_c()
BOTH = Combination(1.5, -0.25, C)


def computed(combination: Combination, dtype: type = np.float32) -> np.ndarray:
    """What a kernel computes in one type."""
    a, b, c = (matrix.astype(dtype) for matrix in (A, B, C))
    total = dtype(combination.alpha) * (a @ b)
    return np.asarray(total + dtype(combination.beta) * c if combination.c is not None else total)


def test_that_the_reference_is_scaled_and_added_to() -> None:
    product = build_reference(A, B)
    reference = BOTH.reference(product)
    np.testing.assert_allclose(reference.r, 1.5 * (A.astype(np.float64) @ B) - 0.25 * C, rtol=1e-12)
    np.testing.assert_allclose(reference.g, 1.5 * (np.abs(A.astype(np.float64)) @ np.abs(B)) + 0.25 * C, rtol=1e-12)
    assert (reference.roundings, Combination().reference(product)) == (42, product)
    assert Combination(2.0).reference(product).roundings == 42


@pytest.mark.parametrize("combination", [Combination(), Combination(1.5), BOTH, Combination(1.0, 2.0, C)], ids=str)
def test_that_both_checks_pass_what_is_right_and_nothing_else(combination: Combination) -> None:
    reference = combination.reference(build_reference(A, B))
    right = computed(combination)
    others = [right * np.float32(1.001), right + np.float32(0.01) * C, right[:, ::-1].copy()]
    for c, is_right in [(right, True), *((other, False) for other in others)]:
        assert check(c, reference).passed == is_right
        projected = freivalds(A, B, c, np.random.default_rng(1), combination=combination)
        assert projected.passed == is_right
        assert projected.bound == (40 if combination.is_plain else 42)


def test_that_a_double_is_held_to_its_own_bound() -> None:
    reference = BOTH.reference(build_reference(A, B))
    found = check(computed(BOTH, np.float64), reference, None, "", Arithmetic.FP64, Element.DOUBLE)
    assert found.passed
    assert found.exact_reference == "float64 rounded to double"
    single: np.ndarray = computed(BOTH).astype(np.float64)
    assert not check(single, reference, None, "", Arithmetic.FP64, Element.DOUBLE).passed
    assert check(computed(BOTH, np.float64).astype(np.float32), reference, None, "", Arithmetic.FP64).passed


@pytest.mark.parametrize("element", [Element.HALF, Element.BFLOAT16])
def test_that_a_result_of_fewer_bits_may_be_off_by_its_rounding_alone(element: Element) -> None:
    reference = build_reference(A, B)
    right = rounded(computed(Combination()), element)
    assert check(right, reference, None, "", Arithmetic.FP32, element).passed
    assert not check(right, reference).passed
    assert not check(right * np.float32(1.05), reference, None, "", Arithmetic.FP32, element).passed
    assert check(right, reference, None, "", Arithmetic.FP32, element).exact_matches > 0.9 * right.size
    assert freivalds(A, B, right, np.random.default_rng(1), result=element).passed
    assert rounded_name(element) == f"float64 rounded to {'half' if element is Element.HALF else 'bf16'}"


def test_that_bounds_grow_with_what_is_rounded() -> None:
    assert error_bound(Arithmetic.FP32, 40) == 40
    assert error_bound(Arithmetic.FP32, 40, Element.HALF) == pytest.approx(40 + 2**13, rel=1e-3)
    assert error_bound(Arithmetic.FP64, 40, Element.DOUBLE) == 80 * 2.0**-29
    assert error_bound(Arithmetic.FP64, 40) == 1 + 80 * 2.0**-29


@pytest.mark.parametrize("element", [Element.HALF, Element.BFLOAT16])
def test_that_inputs_of_fewer_bits_are_taken_as_they_are_stored(element: Element) -> None:
    storages = (Storage(element), Storage(element), Storage(), Storage())
    stored = operands_as_stored(replace(usual_call(Shape(33, 300, 40)), storages=storages), OPERANDS)
    assert (stored.a == rounded(A, element)).all()
    assert operands_as_stored(usual_call(Shape(33, 300, 40)), OPERANDS) is OPERANDS
    arithmetic = Arithmetic.FP16 if element is Element.HALF else Arithmetic.BF16
    reference = build_reference(stored.a, stored.b)
    right = stored.a @ stored.b
    found = check(right, reference, arithmetic=arithmetic, inputs_are_exact=True)
    assert (found.passed, found.bound) == (True, 80.0)
    half_sums = np.zeros_like(right)
    for k in range(40):  # as a kernel that adds up in the type of its inputs
        half_sums = rounded(half_sums + stored.a[:, k : k + 1] * stored.b[k], element)
    assert not check(half_sums, reference, arithmetic=arithmetic, inputs_are_exact=True).passed
    assert not check(half_sums, reference, None, "", arithmetic, element, inputs_are_exact=True).passed
    assert (
        freivalds(
            stored.a, stored.b, right, np.random.default_rng(1), arithmetic=arithmetic, inputs_are_exact=True
        ).bound
        == 80
    )


def test_that_c_is_added_as_it_is_stored() -> None:
    half = (Storage(), Storage(), Storage(Element.HALF), Storage(Element.HALF))
    call = replace(usual_call(Shape(33, 300, 40), c_begins=InitialC.RANDOM), storages=half, beta=0.5)
    found = Combination.of(call, OPERANDS)
    assert found.c is not None
    assert (found.c == rounded(C, Element.HALF)).all()


def test_that_a_result_in_half_may_lose_what_its_subnormal_numbers_cannot_hold() -> None:
    exact = np.array([[1.6849e-5, 2.0**-26]])
    reference = Reference(exact, abs(exact), 1)
    rounded_once = exact.astype(np.float16).astype(np.float32)
    assert check(rounded_once, reference, result=Element.HALF).passed
    assert not check(rounded_once, reference, result=Element.FLOAT32).passed
    assert not check(rounded_once + np.float32(2.0**-24), reference, result=Element.HALF).passed
