import pytest

from gemmviz.backends.base import LaunchError
from gemmviz.domain.runs.gauges import Reading
from gemmviz.domain.terms import StopReason
from gemmviz.measure.cancel import CancelledError, never, unheard
from gemmviz.measure.sampling import MeasurementError
from gemmviz.measure.series import collect
from gemmviz.measure.stopping import StoppingRule

RULE = StoppingRule()


def test_that_a_steady_series_ends_after_half_a_second(launcher, clock) -> None:
    series = collect(launcher.run, RULE, clock, never, unheard)
    assert series.stopped_by is StopReason.STEADY
    assert series.kernel_ms.size == series.host_ms.size == series.unsynchronised_ms.size
    assert 0.5 <= clock.ns / 1e9 < 0.52
    assert set(series.kernel_ms) == {2.0}


def test_that_every_sample_is_kept_in_order(launcher, clock, device) -> None:
    device.launch_ms = lambda index: 60.0 + index % 3
    series = collect(launcher.run, RULE, clock, never, unheard)
    assert list(series.kernel_ms) == [60.0 + i % 3 for i in range(series.kernel_ms.size)]
    assert device.launched == series.kernel_ms.size


def test_that_a_drift_ends_at_the_time_limit(launcher, clock, device) -> None:
    device.launch_ms = lambda index: 5.0 + 0.1 * index
    series = collect(launcher.run, RULE, clock, never, unheard)
    assert series.stopped_by is StopReason.TIME_LIMIT
    assert clock.ns / 1e9 == pytest.approx(15.0, abs=0.1)


def test_that_two_modes_end_as_steady_noise(launcher, clock, device) -> None:
    device.launch_ms = lambda index: (10.0, 30.0)[index % 2]
    assert collect(launcher.run, RULE, clock, never, unheard).stopped_by is StopReason.STEADY_NOISE


def test_that_a_launch_longer_than_the_limit_is_one_sample(launcher, clock, device) -> None:
    device.launch_ms = lambda _: 20_000.0
    series = collect(launcher.run, RULE, clock, never, unheard)
    assert (series.stopped_by, list(series.kernel_ms)) == (StopReason.TIME_LIMIT, [20_000.0])


def test_that_a_throttled_device_is_measured_as_it_is(launcher, clock, device) -> None:
    device.launch_ms = lambda _: 400.0
    series = collect(launcher.run, RULE, clock, never, unheard)
    assert series.stopped_by is StopReason.STEADY
    assert list(series.kernel_ms) == [400.0] * 10


def test_that_a_clock_of_zeros_ends_at_the_sample_limit(launcher, clock, device) -> None:
    device.launch_ms = lambda _: 0.0
    series = collect(launcher.run, StoppingRule(max_samples=30), clock, never, unheard)
    assert (series.stopped_by, set(series.kernel_ms)) == (StopReason.SAMPLE_LIMIT, {0.0})


def test_that_a_cancel_before_the_first_sample_leaves_nothing(launcher, clock, device) -> None:
    with pytest.raises(CancelledError):
        collect(launcher.run, RULE, clock, lambda: True, unheard)
    assert device.launched == 0


def test_that_a_cancel_keeps_what_there_is(launcher, clock, device) -> None:
    series = collect(launcher.run, RULE, clock, lambda: device.launched == 3, unheard)
    assert (series.stopped_by, series.kernel_ms.size) == (StopReason.CANCELLED, 3)


def test_that_a_series_a_rule_has_ended_is_not_called_cancelled(launcher, clock, device) -> None:
    device.launch_ms = lambda _: 100.0
    series = collect(launcher.run, RULE, clock, lambda: device.launched == 10, unheard)
    assert (series.stopped_by, series.kernel_ms.size) == (StopReason.STEADY, 10)


def test_that_a_nan_in_the_middle_of_a_series_is_an_error(launcher, clock, device) -> None:
    device.launch_ms = lambda index: float("nan") if index == 5 else 2.0
    with pytest.raises(MeasurementError, match="nan ms"):
        collect(launcher.run, RULE, clock, never, unheard)
    assert device.launched == 6


def test_that_a_fault_of_the_device_is_not_swallowed(launcher, clock, device) -> None:
    device.faulty = 4
    with pytest.raises(LaunchError, match="on fire"):
        collect(launcher.run, RULE, clock, never, unheard)


def test_that_progress_rises_in_hundredths_to_one(launcher, clock, device) -> None:
    device.launch_ms = lambda index: 1.0 + 0.001 * index
    heard: list[float] = []
    series = collect(launcher.run, StoppingRule(relative_iqr=0.0), clock, never, heard.append)
    assert series.kernel_ms.size > 1000
    assert heard == sorted(heard)
    assert 50 < len(heard) <= 101
    assert heard[-1] == 1.0


def test_that_progress_ends_at_one_when_the_series_ends_early(launcher, clock) -> None:
    heard: list[float] = []
    collect(launcher.run, RULE, clock, never, heard.append)
    assert heard[-1] == 1.0
    assert max(heard[:-1]) < 0.1


def test_that_the_gauges_stand_beside_their_samples(launcher, clock, device) -> None:
    device.readings = [Reading(1980.0, 3201.0, 40.0, 500.0, 0), Reading(1410.0, 3201.0, 80.0, 700.0, 0x4)]
    series = collect(launcher.run, StoppingRule(max_samples=5), clock, never, unheard)
    assert series.gauges.clock_mhz.tolist() == [1980.0, 1410.0, 1980.0, 1410.0, 1980.0]
    assert series.gauges.throttled.tolist() == [False, True, False, True, False]


def test_that_a_device_without_gauges_leaves_no_column(launcher, clock) -> None:
    assert collect(launcher.run, StoppingRule(max_samples=5), clock, never, unheard).gauges.count == 0
