"""The time of a kernel: first launch, warm-up, whole runs, samples, in this order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from gemmviz.domain.runs.result import Timing
from gemmviz.domain.runs.whole_runs import WholeRuns
from gemmviz.domain.terms import Mode, StopReason
from gemmviz.measure.cancel import Fraction, ShouldCancel, never, raise_if_cancelled, unheard
from gemmviz.measure.sampling import Launcher, Sample, Sampler, batch_size
from gemmviz.measure.series import SampleSeries, collect
from gemmviz.measure.stopping import StoppingRule, WarmUpRule
from gemmviz.measure.warmup import time_first_launch, warm_up
from gemmviz.measure.whole_runs import HostAndDevice, WholeRunRule, time_whole_runs

STOPPING = StoppingRule()
WARM_UP = WarmUpRule()
WHOLE_RUN = WholeRunRule()


def measure_kernel(
    launcher: Launcher,
    operands: HostAndDevice,
    mode: Mode,
    *,
    compile_ms: float,
    first_launch_ms: float | None = None,
    rule: StoppingRule = STOPPING,
    warm_up_rule: WarmUpRule = WARM_UP,
    whole_run_rule: WholeRunRule = WHOLE_RUN,
    should_cancel: ShouldCancel = never,
    on_progress: Fraction = unheard,
) -> Timing:
    """Measure the launcher's kernel on the operands its arguments name.

    `first_launch_ms` comes from `time_first_launch` where the caller has made the first launch itself, for
    instance to check its result; None makes it here. Whole runs come before the samples, so that a cancel ends
    the series at once. All times in ms; a series may be all zeros where the device's clock is too coarse.

    Raises:
        CancelledError: cancelled before the first sample; later a cancel only ends the series.
        MeasurementError: a time is negative or not finite.
        KernelTimeoutError: launches did not end within the launcher's `limit_s`.
        LaunchError, BackendError: the device reports a fault or refuses.
    """
    raise_if_cancelled(should_cancel)
    if first_launch_ms is None:
        first_launch_ms = time_first_launch(launcher)
    warm = get_warm(launcher, operands, mode, first_launch_ms, rule, warm_up_rule, whole_run_rule, should_cancel)
    return warm.timing(collect(warm.take, rule, launcher.clock, should_cancel, on_progress), compile_ms)


def emulated_timing(once: Sample, mode: Mode, compile_ms: float) -> Timing:
    """What is kept of the one launch on an emulated device, which compiles for this CPU while it enqueues."""
    took = np.array([once.kernel_ms])
    return Timing(
        mode=mode,
        kernel_samples_ms=took,
        host_samples_ms=took,
        launches_per_sample=1,
        discarded=0,
        stopped_by=StopReason.SAMPLE_LIMIT,
        first_launch_ms=once.kernel_ms,
        compile_ms=compile_ms + once.unsynchronised_ms,
        unsynchronised_ms=0.0,
    )


@dataclass(frozen=True, slots=True)
class Warm:
    """A kernel that is ready for its samples: `take` takes one."""

    take: Sampler
    mode: Mode
    launches: int
    discarded: int
    first_launch_ms: float
    whole_runs: WholeRuns
    pinned_runs: WholeRuns

    def timing(self, series: SampleSeries, compile_ms: float) -> Timing:
        """The samples and the times around them."""
        return Timing(
            mode=self.mode,
            kernel_samples_ms=series.kernel_ms,
            host_samples_ms=series.host_ms,
            launches_per_sample=self.launches,
            discarded=self.discarded,
            stopped_by=series.stopped_by,
            first_launch_ms=self.first_launch_ms,
            compile_ms=compile_ms,
            unsynchronised_ms=float(np.median(series.unsynchronised_ms)),
            whole_runs=self.whole_runs,
            pinned_runs=self.pinned_runs,
            gauges=series.gauges,
        )


def get_warm(
    launcher: Launcher,
    operands: HostAndDevice,
    mode: Mode,
    first_launch_ms: float,
    rule: StoppingRule = STOPPING,
    warm_up_rule: WarmUpRule = WARM_UP,
    whole_run_rule: WholeRunRule = WHOLE_RUN,
    should_cancel: ShouldCancel = never,
) -> Warm:
    """Warm up, time whole runs, and decide how many launches make a sample.

    Raises:
        As `measure_kernel`.
    """
    single = launcher.cold if mode is Mode.COLD else launcher.run
    warmed = warm_up(single, launcher.clock, warm_up_rule, first_launch_ms, should_cancel)
    whole, pinned = time_whole_runs(launcher, operands, whole_run_rule, rule, should_cancel, mode is Mode.COLD)
    launches = 1 if mode is Mode.COLD else batch_size(warmed.launch_ms, rule)
    take = launcher.cold if mode is Mode.COLD else partial(launcher.run, launches)
    return Warm(take, mode, launches, warmed.discarded, first_launch_ms, whole, pinned)
