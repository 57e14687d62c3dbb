"""The bound of sums that are kept in few bits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gemmviz.measure.check.bounds import sum_bound


def test_that_it_is_infinite_where_roundings_may_lose_everything() -> None:
    assert sum_bound(0.0, 2.0**-11, 1024) == math.inf
    assert sum_bound(0.0, 2.0**-11, 1023) < math.inf


def test_that_without_sums_it_is_that_of_the_inputs() -> None:
    v = 2.0**-11
    assert sum_bound(v, 0.0, 100) == pytest.approx((2 * v + v * v) * 2.0**24)


@pytest.mark.parametrize("k", [1, 7, 64, 200])
def test_that_sums_in_half_stay_within_it(k: int) -> None:
    rng = np.random.default_rng(k)
    a, b = rng.random(k, np.float32).astype(np.float16), rng.random(k, np.float32).astype(np.float16)
    total = np.float16(0)
    for x, y in zip(a, b, strict=True):
        total = np.float16(total + np.float16(x * y))
    exact = float(a.astype(np.float64) @ b.astype(np.float64))
    assert abs(float(total) - exact) / (2.0**-24 * exact) <= sum_bound(0.0, 2.0**-11, k)
