import numpy as np
import pytest

from gemmviz.backends.base import LaunchError
from gemmviz.domain.terms import Mode, StopReason
from gemmviz.measure.cancel import CancelledError
from gemmviz.measure.sampling import MeasurementError
from gemmviz.measure.stopping import StoppingRule
from gemmviz.measure.timing import measure_kernel

COMPILE_MS = 123.0


def test_that_a_cold_timing_flushes_before_every_sample_and_counts_neither_first_nor_warm_up(
    launcher, operands, device
) -> None:
    device.launch_ms = lambda index: 500.0 if index == 0 else 2.0
    timing = measure_kernel(launcher, operands, Mode.COLD, compile_ms=COMPILE_MS)
    assert device.log[0] == "launch 1"
    assert device.log[-2:] == ["flush", "launch 1"]
    assert (timing.mode, timing.launches_per_sample, timing.compile_ms) == (Mode.COLD, 1, COMPILE_MS)
    assert timing.first_launch_ms == pytest.approx(500.004)
    assert timing.stopped_by is StopReason.STEADY
    assert set(timing.kernel_samples_ms) == {2.0}
    assert timing.host_clock_ms.median == pytest.approx(2.004)
    assert timing.unsynchronised_ms == pytest.approx(0.004)
    whole = timing.whole
    assert whole.parts == pytest.approx((6.0, 2.0, 0.004, 2.0))
    assert (whole.median, whole.n) == (pytest.approx(10.004), 15)
    assert device.launched == 1 + timing.discarded + whole.n + timing.kernel_ms.n
    assert device.log.count("flush") == timing.discarded + whole.n + timing.kernel_ms.n


def test_that_a_hot_timing_launches_batches_and_never_flushes(launcher, operands, device) -> None:
    device.launch_ms = lambda _: 0.5
    timing = measure_kernel(launcher, operands, Mode.HOT, compile_ms=COMPILE_MS)
    assert "flush" not in device.log
    assert (timing.mode, timing.launches_per_sample) == (Mode.HOT, 10)
    assert device.log[-1] == "launch 10"
    assert timing.kernel_ms.median == pytest.approx(0.5)
    assert timing.host_clock_ms.median == pytest.approx(0.5 + 0.004 / 10)
    assert timing.unsynchronised_ms == pytest.approx(0.004 / 10)


def test_that_a_first_launch_made_by_the_caller_is_not_made_again(launcher, operands, device) -> None:
    timing = measure_kernel(launcher, operands, Mode.COLD, compile_ms=COMPILE_MS, first_launch_ms=77.0)
    assert timing.first_launch_ms == 77.0
    assert device.log[0] == "flush"


def test_that_a_kernel_longer_than_every_limit_is_launched_three_times_in_all(launcher, operands, device) -> None:
    device.launch_ms = lambda _: 20_000.0
    timing = measure_kernel(launcher, operands, Mode.HOT, compile_ms=COMPILE_MS)
    assert device.launched == 3
    assert (timing.kernel_ms.n, timing.discarded, timing.launches_per_sample) == (1, 0, 1)
    assert timing.stopped_by is StopReason.TIME_LIMIT


@pytest.mark.parametrize("mode", list(Mode))
def test_that_a_device_clock_of_zeros_gives_a_timing_of_zeros(launcher, operands, device, mode: Mode) -> None:
    device.launch_ms = lambda _: 0.0
    device.busy_ms = lambda _: 0.001
    timing = measure_kernel(launcher, operands, mode, compile_ms=COMPILE_MS)
    assert (timing.kernel_ms.median, timing.kernel_ms.iqr) == (0.0, 0.0)
    assert timing.host_clock_ms.median > 0


def test_that_drift_before_the_samples_is_discarded(launcher, operands, device) -> None:
    device.launch_ms = lambda index: max(2.0, 12.0 - 0.5 * index)
    timing = measure_kernel(launcher, operands, Mode.HOT, compile_ms=COMPILE_MS)
    assert np.allclose(timing.kernel_samples_ms, 2.0)
    assert timing.discarded >= 20


def test_that_a_cancel_during_the_samples_keeps_them(launcher, operands) -> None:
    heard: list[float] = []
    timing = measure_kernel(
        launcher,
        operands,
        Mode.COLD,
        compile_ms=COMPILE_MS,
        should_cancel=lambda: bool(heard),
        on_progress=heard.append,
        rule=StoppingRule(limit_seconds=1.0),
    )
    assert timing.stopped_by is StopReason.CANCELLED
    assert 1 <= timing.kernel_ms.n < 10


def test_that_a_cancel_before_anything_launches_nothing(launcher, operands, device) -> None:
    with pytest.raises(CancelledError):
        measure_kernel(launcher, operands, Mode.COLD, compile_ms=COMPILE_MS, should_cancel=lambda: True)
    assert device.log == []


def test_that_a_cancel_before_the_first_sample_leaves_no_timing(launcher, operands, device) -> None:
    with pytest.raises(CancelledError):
        measure_kernel(launcher, operands, Mode.COLD, compile_ms=1.0, should_cancel=lambda: device.launched == 4)


def test_that_a_device_that_fails_in_its_first_launch_says_so(launcher, operands, device) -> None:
    device.faulty = 0
    with pytest.raises(LaunchError, match="on fire"):
        measure_kernel(launcher, operands, Mode.COLD, compile_ms=COMPILE_MS)


def test_that_a_nan_from_the_device_makes_no_timing(launcher, operands, device) -> None:
    device.launch_ms = lambda _: float("nan")
    with pytest.raises(MeasurementError, match="the device's time"):
        measure_kernel(launcher, operands, Mode.COLD, compile_ms=COMPILE_MS)
