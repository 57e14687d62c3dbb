import math

import numpy as np
import pytest

from gemmviz.domain.runs.result import summarise
from gemmviz.explain.figures.spread import Spread, spread_of


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7, 8, 20, 41, 1000])
def test_that_quartiles_are_those_of_the_reports_to_the_last_bit(count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(30):
        samples = rng.lognormal(sigma=3.0, size=count)
        first, median, third = np.percentile(samples, (25.0, 50.0, 75.0)).tolist()
        assert spread_of(samples) == Spread(first, median, third, float(samples.min()), count)
        assert spread_of(samples).summary == summarise(samples)


def test_that_no_samples_are_no_numbers() -> None:
    assert math.isnan(spread_of(np.zeros(0)).median)
    assert spread_of(np.zeros(0)).n == 0


def test_that_ranges_overlap_where_they_touch() -> None:
    one, two, three = (Spread(first, first, third, first, 3) for first, third in ((1.0, 2.0), (2.0, 3.0), (2.1, 3.0)))
    assert one.overlaps(two)
    assert two.overlaps(one)
    assert not one.overlaps(three)
    assert not three.overlaps(one)
    assert one.overlaps(spread_of(np.zeros(0)))
