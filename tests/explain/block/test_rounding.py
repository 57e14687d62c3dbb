"""A fused multiply-add is the exact value rounded once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gemmviz.explain.block.rounding import Rounding, fused


def exactly(a: np.float32, b: np.float32, c: np.float32) -> np.float32:
    """The float32 that is nearest to the exact value, the even one of two."""
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    near = np.float32(float(exact))
    beside = (near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf)))
    return min(beside, key=lambda one: (abs(Fraction(float(one)) - exact), int(one.view(np.uint32)) & 1))


@pytest.mark.parametrize("spread", [1, 12, 30, 60])
def test_that_the_exact_value_is_rounded_once(spread: int) -> None:
    rng = np.random.default_rng(spread)
    numbers = rng.uniform(-1, 1, (3000, 3)) * 2.0 ** rng.integers(-spread, spread + 1, (3000, 3))
    coarse = np.round(rng.uniform(-1, 1, (3000, 3)) * 64) / 64  # where ties are
    for a, b, c in np.concatenate((numbers, coarse)).astype(np.float32):
        assert fused(a, b, c).view(np.uint32) == exactly(a, b, c).view(np.uint32), (a, b, c)


def test_that_a_tie_that_two_roundings_would_lose_is_decided_by_what_is_left() -> None:
    a = np.float32(1 + 2**-12)
    tiny, one = np.float32(2**-60), np.float32(1)
    half = fused(a, a, np.float32(2**-24 - 2**-23))  # 1 + 2^-11 and a half of the last place
    assert half == exactly(a, a, np.float32(2**-24 - 2**-23))
    assert fused(tiny, one, np.float32(1)) == np.float32(1)
    assert fused(tiny, tiny, np.float32(2**-149)) == exactly(tiny, tiny, np.float32(2**-149))


def test_that_what_is_no_number_stays_none() -> None:
    inf, nan, zero = np.float32(np.inf), np.float32(np.nan), np.float32(0)
    assert np.isnan(fused(inf, zero, zero))
    assert np.isnan(fused(nan, zero, zero))
    assert fused(inf, np.float32(2), zero) == inf
    assert Rounding.SEPARATE.added(np.float32(0.1), np.float32(0.1), zero) == np.float32(0.1) * np.float32(0.1)
