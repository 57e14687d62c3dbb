import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.domain.terms import Verdict
from gemmviz.measure.compare import ComparisonRule, compare, judge

OPPOSITE = {
    Verdict.FASTER: Verdict.SLOWER,
    Verdict.SLOWER: Verdict.FASTER,
    Verdict.SAME: Verdict.SAME,
    Verdict.CANNOT_TELL: Verdict.CANNOT_TELL,
}
POSITIVE_MS = st.floats(1e-4, 1e4)


@pytest.fixture
def order() -> list[str]:
    return []


@pytest.fixture
def sampler(clock, order: list[str]) -> Callable[..., Callable[[], float]]:
    """Makes samplers that log their name, advance the clock and report one time after the other."""

    def make(name: str, time_ms: Callable[[int], float]) -> Callable[[], float]:
        def take() -> float:
            value_ms = time_ms(order.count(name))
            order.append(name)
            clock.advance_ms(value_ms if value_ms > 0 else 0.0)
            return value_ms

        return take

    return make


def test_that_each_two_pairs_have_both_orders(sampler, clock, order) -> None:
    rng = np.random.default_rng(3)
    result = compare(sampler("a", lambda _: 1.0), sampler("b", lambda _: 2.0), clock, ComparisonRule(pairs=7), rng=rng)
    swaps = ["".join(order[begin : begin + 4]) for begin in range(0, 12, 4)]
    assert set(swaps) == {"abba", "baab"}
    assert sorted(order[12:]) == ["a", "b"]
    assert (result.verdict, result.ratio) == (Verdict.FASTER, pytest.approx(0.5))
    assert (result.a_median_ms, result.b_median_ms) == (1.0, 2.0)
    assert (list(result.a_ms), list(result.b_ms)) == ([1.0] * 7, [2.0] * 7)


def test_that_twice_the_time_is_slower(sampler, clock) -> None:
    assert compare(sampler("a", lambda _: 2.0), sampler("b", lambda _: 1.0), clock).verdict is Verdict.SLOWER


def test_that_one_percent_is_the_same(sampler, clock) -> None:
    result = compare(sampler("a", lambda _: 1.01), sampler("b", lambda _: 1.0), clock)
    assert result.verdict is Verdict.SAME


def test_that_a_drift_common_to_both_does_not_hide_a_difference(sampler, clock) -> None:
    def slower_and_slower(index: int) -> float:
        return 10.0 * 1.1**index

    result = compare(sampler("a", lambda index: 0.9 * slower_and_slower(index)), sampler("b", slower_and_slower), clock)
    assert (result.verdict, result.ratio) == (Verdict.FASTER, pytest.approx(0.9))


def test_that_two_modes_in_one_of_them_cannot_be_told(sampler, clock) -> None:
    modes = np.random.default_rng(1).integers(0, 2, 96)
    result = compare(sampler("a", lambda index: (1.0, 3.0)[modes[index]]), sampler("b", lambda _: 1.6), clock)
    assert result.verdict is Verdict.CANNOT_TELL
    assert result.low < 1.0 < result.high


def test_that_a_difference_about_as_large_as_the_threshold_cannot_be_told() -> None:
    ratios = np.array([1.01, 1.015, 1.017, 1.018, 1.025, 1.03, 1.035])
    assert judge(ratios, np.ones(7)).verdict is Verdict.CANNOT_TELL
    ratios[3] = 1.022
    assert judge(ratios, np.ones(7)).verdict is Verdict.SLOWER


def test_that_an_interval_across_one_cannot_be_told_even_if_the_ratio_is_far() -> None:
    result = judge(np.array([0.5, 1.5, 1.5, 1.5, 1.5, 1.5]), np.ones(6))
    assert (result.verdict, result.ratio) == (Verdict.CANNOT_TELL, pytest.approx(1.5))


def test_that_five_pairs_are_too_few() -> None:
    few, enough = (judge(np.full(n, 1.0), np.full(n, 2.0)) for n in (5, 6))
    assert (few.verdict, few.ratio) == (Verdict.CANNOT_TELL, 0.5)
    assert math.isnan(few.low)
    assert enough.verdict is Verdict.FASTER


def test_that_a_rule_may_ask_for_more_pairs() -> None:
    rule = ComparisonRule(min_pairs=10)
    assert judge(np.full(9, 1.0), np.full(9, 2.0), rule).verdict is Verdict.CANNOT_TELL
    assert judge(np.full(10, 1.0), np.full(10, 2.0), rule).verdict is Verdict.FASTER


@pytest.mark.parametrize("value_ms", [math.nan, math.inf, 0.0, -1.0])
def test_that_a_time_that_cannot_be_leaves_the_verdict_open(value_ms: float) -> None:
    a_ms = np.full(20, 1.0)
    a_ms[7] = value_ms
    result = judge(a_ms, np.full(20, 2.0))
    assert result.verdict is Verdict.CANNOT_TELL
    assert math.isnan(result.ratio)


def test_that_the_time_limit_leaves_fewer_pairs(sampler, clock) -> None:
    rule = ComparisonRule(limit_seconds=1.0)
    result = compare(sampler("a", lambda _: 200.0), sampler("b", lambda _: 100.0), clock, rule)
    assert result.a_ms.size == result.b_ms.size == 4
    assert result.verdict is Verdict.CANNOT_TELL


def test_that_a_cancel_ends_after_a_whole_pair(sampler, clock, order) -> None:
    take_a, take_b = sampler("a", lambda _: 1.0), sampler("b", lambda _: 2.0)
    result = compare(take_a, take_b, clock, should_cancel=lambda: len(order) >= 3)
    assert (order.count("a"), order.count("b")) == (2, 2)
    assert result.a_ms.size == result.b_ms.size == 2


def test_that_a_cancel_before_the_first_pair_tells_nothing(sampler, clock, order) -> None:
    take = sampler("a", lambda _: 1.0)
    result = compare(take, take, clock, should_cancel=lambda: True)
    assert (order, result.verdict, result.a_ms.size) == ([], Verdict.CANNOT_TELL, 0)
    assert math.isnan(result.a_median_ms)


def test_that_progress_counts_pairs(sampler, clock) -> None:
    heard: list[float] = []
    take = sampler("a", lambda _: 1.0)
    compare(take, take, clock, ComparisonRule(pairs=4), on_progress=heard.append)
    assert heard == [0.25, 0.5, 0.75, 1.0]


@given(st.lists(st.tuples(POSITIVE_MS, POSITIVE_MS), min_size=1, max_size=60))
def test_that_swapping_a_and_b_inverts_the_verdict(pairs: list[tuple[float, float]]) -> None:
    a_ms, b_ms = np.array(pairs).T
    one, other = judge(a_ms, b_ms), judge(b_ms, a_ms)
    assert other.ratio == pytest.approx(1.0 / one.ratio)
    assert other.verdict is OPPOSITE[one.verdict]


@given(st.lists(st.tuples(POSITIVE_MS, POSITIVE_MS), min_size=6, max_size=60))
def test_that_the_ratio_lies_in_its_interval(pairs: list[tuple[float, float]]) -> None:
    result = judge(*np.array(pairs).T)
    assert result.low <= result.ratio <= result.high


@pytest.mark.parametrize("count", [6, 15, 40])
def test_that_the_interval_holds_the_true_ratio_95_times_in_100(count: int) -> None:
    rng = np.random.default_rng(count)
    held = 0
    for _ in range(400):
        result = judge(1.1 * rng.lognormal(0.0, 0.3, count), rng.lognormal(0.0, 0.3, count))
        held += result.low <= 1.1 <= result.high
    assert held >= 0.93 * 400


def test_that_more_pairs_make_the_interval_narrower() -> None:
    rng = np.random.default_rng(0)
    few, many = (judge(rng.lognormal(0.0, 0.1, n), np.ones(n)) for n in (10, 1000))
    assert many.high - many.low < 0.3 * (few.high - few.low)


def test_that_equal_kernels_are_hardly_ever_told_apart() -> None:
    rng = np.random.default_rng(11)
    verdicts = [judge(rng.lognormal(0.0, 0.1, 40), rng.lognormal(0.0, 0.1, 40)).verdict for _ in range(400)]
    assert sum(verdict in (Verdict.FASTER, Verdict.SLOWER) for verdict in verdicts) <= 0.06 * 400
