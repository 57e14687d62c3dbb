from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.domain.terms import StopReason
from gemmviz.measure.stopping import StoppingRule, is_check_due, is_noise_steady, relative_iqr

RULE = StoppingRule()
LONG_ENOUGH_S = 2.0


def test_that_ten_equal_samples_over_half_a_second_are_steady() -> None:
    assert RULE.verdict([2.0] * 10, 0.5) is StopReason.STEADY


def test_that_nine_samples_are_too_few() -> None:
    assert RULE.verdict([2.0] * 9, LONG_ENOUGH_S) is None


def test_that_less_than_half_a_second_is_too_short() -> None:
    assert RULE.verdict([2.0] * 50, 0.499) is None


def test_that_a_series_of_zeros_is_steady() -> None:
    assert RULE.verdict([0.0] * 10, LONG_ENOUGH_S) is StopReason.STEADY


def test_that_a_constantly_slow_series_is_steady() -> None:
    assert RULE.verdict([900.0] * 10, 9.0) is StopReason.STEADY


def test_that_a_relative_iqr_above_one_percent_is_not_steady() -> None:
    samples = np.linspace(1.0, 1.04, 20)
    assert relative_iqr(samples) > 0.015
    assert RULE.verdict(list(samples), LONG_ENOUGH_S) is None


def test_that_an_outlier_does_not_keep_a_series_from_being_steady() -> None:
    assert RULE.verdict([2.0] * 19 + [80.0], LONG_ENOUGH_S) is StopReason.STEADY


def test_that_drift_runs_into_the_time_limit() -> None:
    samples = [1.0 + 0.01 * i for i in range(512)]
    verdicts = {RULE.verdict(samples[:n], LONG_ENOUGH_S) for n in range(10, 513)}
    assert verdicts == {None}
    assert RULE.verdict(samples, 15.0) is StopReason.TIME_LIMIT


def test_that_two_modes_end_as_steady_noise() -> None:
    samples = [1.0 + (i * 7 % 2) for i in range(64)]
    assert RULE.verdict(samples, LONG_ENOUGH_S) is StopReason.STEADY_NOISE


def test_that_steady_noise_needs_four_times_the_samples_and_seconds() -> None:
    samples = [1.0, 2.0] * 20
    assert RULE.verdict(samples, LONG_ENOUGH_S * 0.99) is None
    assert RULE.verdict(samples[:39], LONG_ENOUGH_S) is None
    assert RULE.verdict(samples, LONG_ENOUGH_S) is StopReason.STEADY_NOISE


def test_that_a_noise_that_grows_is_not_steady() -> None:
    assert not is_noise_steady(np.array([1.0 + (-1) ** i * 0.001 * i for i in range(200)]), 0.05)


def test_that_the_limit_wins_over_the_least_number_of_samples() -> None:
    assert RULE.verdict([20_000.0], 20.0) is StopReason.TIME_LIMIT


def test_that_the_largest_number_of_samples_ends_a_series_however_short() -> None:
    rule = StoppingRule(max_samples=12)
    assert rule.verdict([1.0, 2.0] * 6, 0.0) is StopReason.SAMPLE_LIMIT
    assert rule.verdict([1.0] * 11, 0.0) is None


def test_that_a_series_never_ends_empty() -> None:
    assert RULE.verdict([], 1000.0) is None


def test_that_a_median_of_zero_beside_other_times_is_infinitely_noisy() -> None:
    assert relative_iqr(np.array([0.0, 0.0, 0.0, 5.0, 6.0])) == float("inf")


def test_that_relative_iqr_is_iqr_over_median() -> None:
    assert relative_iqr(np.array([1.0, 2.0, 4.0, 6.0, 7.0])) == 1.0


def test_that_checks_come_with_every_early_sample_and_then_ever_more_rarely() -> None:
    due = [n for n in range(1, 10_001) if is_check_due(n)]
    assert due[:64] == list(range(1, 65))
    late = [n for n in due if n >= 64]
    assert all(after - before <= before / 32 for before, after in pairwise(late))
    assert len(due) < 400


def test_that_the_budget_is_spent_by_time_or_by_samples() -> None:
    rule = StoppingRule(limit_seconds=10.0, max_samples=100)
    assert rule.spent(10, 5.0) == 0.5
    assert rule.spent(75, 5.0) == 0.75
    assert rule.spent(10, 50.0) == 1.0
    assert StoppingRule(limit_seconds=0.0).spent(1, 0.0) == 1.0


@pytest.mark.parametrize("field", ["min_samples", "min_seconds", "relative_iqr", "limit_seconds", "max_samples"])
def test_that_a_rule_out_of_range_is_refused_by_name(field: str) -> None:
    with pytest.raises(ValueError, match=f"{field} is -1"):
        StoppingRule(**{field: -1})


@given(st.lists(st.floats(0.001, 1000.0), min_size=10, max_size=64), st.floats(0.5, 14.9), st.floats(1e-3, 1e3))
def test_that_the_verdict_does_not_depend_on_the_unit(samples: list[float], elapsed: float, unit: float) -> None:
    noise = relative_iqr(np.array(samples))
    scaled = relative_iqr(np.array(samples) * unit)
    assert scaled == pytest.approx(noise, rel=1e-6, abs=1e-9)
    if noise <= 0.0099:
        assert RULE.verdict([sample * unit for sample in samples], elapsed) is StopReason.STEADY
