import pytest

from gemmviz.measure import whole_runs as whole_runs_module
from gemmviz.measure.cancel import CancelledError, never
from gemmviz.measure.sampling import MeasurementError
from gemmviz.measure.stopping import StoppingRule
from gemmviz.measure.whole_runs import WholeRunRule, time_whole_runs

A_IN, B_IN, C_OUT = "upload (17, 5) A", "upload (5, 33) B", "download C (17, 33)"
SAMPLES = StoppingRule()


def test_that_a_whole_run_is_timed_by_parts_in_one_pass(launcher, operands, device) -> None:
    runs, pinned = time_whole_runs(launcher, operands, WholeRunRule(most=1), SAMPLES, never)
    assert device.log == [A_IN, B_IN, "launch 1", C_OUT]
    assert device.limits == [7.0]
    (run,) = runs.runs
    assert (run.in_ms, run.kernel_ms, run.out_ms) == pytest.approx((6.0, 2.0, 2.0))
    assert run.waiting_ms == pytest.approx(0.004)
    assert run.whole_ms == pytest.approx(10.004)
    assert pinned.count == 0


def test_that_the_parts_of_every_run_add_up_to_its_whole(launcher, operands, device) -> None:
    device.launch_ms = lambda index: 1.0 + 0.37 * index
    device.busy_ms = lambda time_ms: 1.7 * time_ms
    runs, _ = time_whole_runs(launcher, operands, WholeRunRule(), SAMPLES, never)
    assert runs.count == 15
    for run in runs.runs:
        assert run.in_ms + run.kernel_ms + run.waiting_ms + run.out_ms == pytest.approx(run.whole_ms, rel=1e-12)


def test_that_what_the_host_waits_beyond_the_devices_time_is_launching_and_waiting(launcher, operands, device) -> None:
    device.busy_ms = lambda time_ms: time_ms + 1.5
    runs, _ = time_whole_runs(launcher, operands, WholeRunRule(), SAMPLES, never)
    assert [run.waiting_ms for run in runs.runs] == pytest.approx([1.504] * 15)


def test_that_a_device_clock_ahead_of_the_hosts_makes_no_run_shorter_than_its_parts(launcher, operands, device) -> None:
    device.busy_ms = lambda time_ms: time_ms / 2
    (run, *_) = time_whole_runs(launcher, operands, WholeRunRule(), SAMPLES, never)[0].runs
    assert (run.kernel_ms, run.waiting_ms) == (pytest.approx(1.004), pytest.approx(0.0, abs=1e-9))


@pytest.mark.parametrize(("launch_ms", "count"), [(2.0, 15), (400.0, 3), (600.0, 3), (1500.0, 1), (20_000.0, 1)])
def test_that_slow_runs_are_fewer_but_always_of_an_odd_number(launcher, operands, device, launch_ms, count) -> None:
    device.launch_ms = lambda _: launch_ms
    assert time_whole_runs(launcher, operands, WholeRunRule(), SAMPLES, never)[0].count == count


def test_that_a_small_budget_of_samples_leaves_less_for_whole_runs(launcher, operands) -> None:
    rule = StoppingRule(limit_seconds=0.2)
    assert time_whole_runs(launcher, operands, WholeRunRule(), rule, never)[0].count == 5


def test_that_cold_runs_begin_with_caches_that_were_overwritten_outside_of_them(launcher, operands, device) -> None:
    runs, _ = time_whole_runs(launcher, operands, WholeRunRule(most=3), SAMPLES, never, cold=True)
    assert device.log == ["flush", A_IN, B_IN, "launch 1", C_OUT] * 3
    assert [run.whole_ms for run in runs.runs] == pytest.approx([10.004] * 3)


def test_that_whole_runs_can_be_cancelled_between_two(launcher, operands, device) -> None:
    with pytest.raises(CancelledError):
        time_whole_runs(launcher, operands, WholeRunRule(), SAMPLES, lambda: C_OUT in device.log)
    assert device.log.count(C_OUT) == 1


def test_that_a_time_that_cannot_be_makes_no_whole_run(launcher, operands, device) -> None:
    device.launch_ms = lambda _: float("nan")
    with pytest.raises(MeasurementError, match="the device's time of a launch is nan"):
        time_whole_runs(launcher, operands, WholeRunRule(), SAMPLES, never)


def test_that_page_locked_memory_has_whole_runs_of_its_own(launcher, operands, device) -> None:
    device.pins = True
    pageable, pinned = time_whole_runs(launcher, operands, WholeRunRule(most=3), SAMPLES, never)
    assert (pageable.count, pinned.count) == (3, 3)
    assert (pageable.runs[0].in_ms, pageable.runs[0].out_ms) == (pytest.approx(6.0), pytest.approx(2.0))
    assert (pinned.runs[0].in_ms, pinned.runs[0].out_ms) == (pytest.approx(3.0), pytest.approx(1.0))
    assert pinned.runs[0].whole_ms == pytest.approx(6.004)


def test_that_operands_too_large_to_lock_are_not_copied(launcher, operands, device, monkeypatch) -> None:
    device.pins = True
    monkeypatch.setattr(whole_runs_module, "PINNED_BYTES", operands.a.nbytes)
    assert time_whole_runs(launcher, operands, WholeRunRule(), SAMPLES, never)[1].count == 0
