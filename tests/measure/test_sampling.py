import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.measure.sampling import BATCH_MS, MAX_BATCH, Launcher, MeasurementError, batch_size
from gemmviz.measure.stopping import StoppingRule

RULE = StoppingRule()


def test_that_a_sample_has_the_times_of_device_and_host(launcher, device) -> None:
    sample = launcher.run()
    assert sample.kernel_ms == 2.0
    assert sample.host_ms == pytest.approx(2.004)
    assert sample.unsynchronised_ms == pytest.approx(0.004)
    assert device.limits == [7.0]


def test_that_a_batch_is_divided_by_its_launches(launcher, device) -> None:
    device.launch_ms = lambda index: 1.0 + index
    sample = launcher.run(4)
    assert device.log == ["launch 4"]
    assert sample.kernel_ms == 2.5
    assert sample.host_ms == pytest.approx((10.0 + 0.004) / 4)


def test_that_caches_are_flushed_before_a_cold_sample_and_outside_its_window(launcher, device) -> None:
    sample = launcher.cold()
    assert device.log == ["flush", "launch 1"]
    assert sample.host_ms == pytest.approx(2.004)


@pytest.mark.parametrize("reported_ms", [float("nan"), float("inf"), -1.0])
def test_that_an_impossible_time_is_named(launcher, device, reported_ms: float) -> None:
    device.launch_ms = lambda _: reported_ms
    with pytest.raises(MeasurementError, match=rf"the device's time of a launch is {reported_ms} ms"):
        launcher.run()


def test_that_a_host_clock_that_goes_back_is_named(launcher, device) -> None:
    device.busy_ms = lambda _: -5.0
    with pytest.raises(MeasurementError, match=r"the host's time of a launch is -4\.996 ms"):
        launcher.run()


def test_that_a_time_of_zero_is_a_sample(launcher: Launcher, device) -> None:
    device.launch_ms = lambda _: 0.0
    assert launcher.run().kernel_ms == 0.0


@pytest.mark.parametrize(("launch_ms", "batch"), [(0.01, 500), (0.3, 17), (4.9, 2), (5.0, 1), (9000.0, 1)])
def test_that_a_batch_lasts_five_milliseconds(launch_ms: float, batch: int) -> None:
    assert batch_size(launch_ms, RULE) == batch


def test_that_a_launch_of_no_length_gets_the_largest_batch() -> None:
    assert batch_size(0.0, RULE) == MAX_BATCH
    assert batch_size(5e-324, RULE) == MAX_BATCH


def test_that_a_batch_leaves_time_for_the_smallest_series() -> None:
    assert batch_size(0.01, StoppingRule(limit_seconds=0.01, min_samples=10)) == 100


@given(st.floats(0.0, 1e6), st.floats(0.0, 100.0))
def test_that_a_batch_stays_within_its_bounds(launch_ms: float, limit_s: float) -> None:
    batch = batch_size(launch_ms, StoppingRule(limit_seconds=limit_s))
    assert 1 <= batch <= MAX_BATCH
    if batch > 1:
        assert (batch - 1) * launch_ms < BATCH_MS
