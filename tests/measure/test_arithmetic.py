"""Rounding to formats, and which models explain which probes."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from gemmviz.domain.terms import Arithmetic
from gemmviz.measure.arithmetic.formats import (
    BFLOAT16,
    FLOAT32,
    FLOAT32_CUT,
    FLOAT64,
    HALF,
    TF32,
    TF32_AWAY,
    TF32_CUT,
    Model,
)
from gemmviz.measure.arithmetic.probes import SumProbe, explains, probes


@pytest.mark.parametrize("seed", range(3))
def test_that_half_and_float32_round_as_numpy_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for value in rng.normal(size=200) * 2.0 ** rng.integers(-30, 20, 200):
        with np.errstate(over="ignore"):
            assert float(HALF.round(Fraction(value))) == float(np.float16(value))
            assert float(FLOAT32.round(Fraction(value))) == float(np.float32(value))


def test_that_ties_and_cuts_differ() -> None:
    tie = Fraction(1) + Fraction(1, 2**11)
    up = 1.0 + 2.0**-10
    assert (float(TF32.round(tie)), float(TF32_AWAY.round(tie)), float(TF32_CUT.round(tie))) == (1.0, up, 1.0)
    assert float(TF32_AWAY.round(-tie)) == -up
    assert HALF.round(Fraction(2**17)) == math.inf


@pytest.mark.parametrize(
    ("model", "claimed", "meets"),
    [
        (Model(FLOAT32, FLOAT32), Arithmetic.FP32, True),
        (Model(FLOAT32, FLOAT32_CUT), Arithmetic.FP32, False),
        (Model(FLOAT32, HALF), Arithmetic.FP32, False),
        (Model(TF32, FLOAT32), Arithmetic.FP32, False),
        (Model(TF32_CUT, FLOAT32_CUT), Arithmetic.TF32, True),
        (Model(BFLOAT16, FLOAT32), Arithmetic.TF32, False),
        (Model(HALF, HALF), Arithmetic.FP16, False),
        (Model(FLOAT32, FLOAT32), Arithmetic.FP64, False),
        (Model(HALF, FLOAT32, HALF), Arithmetic.FP16, False),
    ],
)
def test_which_models_are_as_exact_as_a_claim(model: Model, claimed: Arithmetic, meets: bool) -> None:
    assert model.meets(claimed) is meets


def test_that_probes_of_half_inputs_hold_in_half() -> None:
    for probe in probes(HALF):
        assert all(float(np.float16(value)) == value for term in probe.terms for value in term)


def probe_of(words: str) -> SumProbe:
    return next(probe for probe in probes(FLOAT32) if probe.words == words)


def test_that_probes_tell_formats_apart() -> None:
    one, exact = Model(FLOAT32, FLOAT32), Model(FLOAT64, FLOAT64)
    assert explains(one, probe_of("(1 + 2^-23)·1"), FLOAT32, 1.0 + 2.0**-23)
    assert not explains(Model(TF32, FLOAT32), probe_of("(1 + 2^-23)·1"), FLOAT32, 1.0 + 2.0**-23)
    assert explains(Model(TF32, FLOAT32), probe_of("(1 + 2^-12)·1 - 1·1"), FLOAT32, 0.0)
    assert not explains(one, probe_of("2^24 + 1"), FLOAT64, 2.0**24 + 1)
    assert explains(exact, probe_of("2^24 + 1"), FLOAT64, 2.0**24 + 1)
    assert explains(Model(FLOAT32, FLOAT32_CUT), probe_of("2^24 + 1.5"), FLOAT32, 2.0**24)
    assert not explains(one, probe_of("2^24 + 1.5"), FLOAT32, 2.0**24)
    assert explains(Model(FLOAT32, HALF), probe_of("2^11 + 1"), FLOAT32, 2.0**11)
    assert explains(Model(HALF, FLOAT32), probe_of("2^17·2^-4"), FLOAT32, math.inf)


def test_that_products_rounded_alone_are_told_from_sums_in_few_bits() -> None:
    rounded, square = Model(HALF, FLOAT32, HALF), probe_of("(1 + 2^-8)²")
    assert explains(rounded, square, FLOAT32, 1.0 + 2.0**-7)
    assert not explains(Model(HALF, FLOAT32), square, FLOAT32, 1.0 + 2.0**-7)
    assert explains(rounded, probe_of("2^11 + 1"), FLOAT32, 2.0**11 + 1.0)
    assert not explains(Model(HALF, HALF), probe_of("2^11 + 1"), FLOAT32, 2.0**11 + 1.0)
    assert rounded.words_for((HALF, HALF)) == "inputs as half, products rounded to half, sums in float32"


def test_that_a_sum_of_three_in_float32_depends_on_its_order_and_one_in_float64_does_not() -> None:
    swallowed = next(probe for probe in probes(FLOAT32) if probe.words == "2^24 + 1 - 2^24")
    assert explains(Model(FLOAT32, FLOAT32), swallowed, FLOAT32, 0.0)
    assert explains(Model(FLOAT32, FLOAT32), swallowed, FLOAT32, 1.0)
    assert not explains(Model(FLOAT32, FLOAT64), swallowed, FLOAT32, 0.0)
