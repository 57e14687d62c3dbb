import pytest

from gemmviz.measure.cancel import CancelledError, never
from gemmviz.measure.stopping import WarmUpRule
from gemmviz.measure.warmup import time_first_launch, warm_up

RULE = WarmUpRule()


def test_that_the_first_launch_is_read_from_the_hosts_clock(launcher, device) -> None:
    device.busy_ms = lambda time_ms: time_ms + 40.0
    assert time_first_launch(launcher) == pytest.approx(42.004)
    assert device.limits == [7.0]


def test_that_a_warm_up_takes_three_runs_even_if_one_lasts_longer_than_its_time(launcher, clock, device) -> None:
    device.launch_ms = lambda _: 150.0
    warmed = warm_up(launcher.run, clock, RULE, 0.0, never)
    assert (warmed.discarded, warmed.launch_ms) == (3, 150.0)


def test_that_a_warm_up_takes_a_tenth_of_a_second_even_if_three_runs_are_over_sooner(launcher, clock) -> None:
    warmed = warm_up(launcher.run, clock, RULE, 0.0, never)
    assert clock.ns >= 100_000_000
    assert 50 <= warmed.discarded <= 52


def test_that_a_warm_up_goes_on_until_the_time_of_a_launch_is_steady(launcher, clock, device) -> None:
    device.launch_ms = lambda index: 10.0 * 0.9**index + 2.0 if index < 60 else 2.0
    at_once = WarmUpRule(tolerance=float("inf"))
    assert warm_up(launcher.run, clock, at_once, 0.0, never).discarded < 25
    device.launched = 0
    warmed = warm_up(launcher.run, clock, RULE, 0.0, never)
    assert warmed.discarded > 50
    assert warmed.launch_ms == pytest.approx(2.0, rel=0.05)


def test_that_a_drift_without_end_stops_at_the_limit(launcher, clock, device) -> None:
    device.launch_ms = lambda index: 1.1**index
    warmed = warm_up(launcher.run, clock, RULE, 0.0, never)
    assert 1.0 <= clock.ns / 1e9 < 1.2
    assert warmed.discarded == device.launched


def test_that_a_kernel_whose_first_launch_took_longer_than_the_limit_is_not_warmed_up(launcher, clock, device) -> None:
    warmed = warm_up(launcher.run, clock, RULE, 1200.0, never)
    assert (warmed.discarded, warmed.launch_ms) == (0, 1200.0)
    assert device.log == []


def test_that_a_device_clock_that_sees_nothing_gives_way_to_the_hosts(launcher, clock, device) -> None:
    device.launch_ms = lambda _: 0.0
    device.busy_ms = lambda _: 30.0
    assert warm_up(launcher.run, clock, RULE, 0.0, never).launch_ms == pytest.approx(30.004)


def test_that_a_warm_up_can_be_cancelled(launcher, clock, device) -> None:
    with pytest.raises(CancelledError, match="before its first sample"):
        warm_up(launcher.run, clock, RULE, 0.0, lambda: device.launched == 2)
    assert device.launched == 2


def test_that_clocks_of_zero_end_a_warm_up_by_count_alone() -> None:
    assert WarmUpRule(min_seconds=0.0).is_over([0.0, 0.0, 0.0], 0.0)
    assert not WarmUpRule(min_seconds=0.0).is_over([0.0, 0.0], 0.0)
