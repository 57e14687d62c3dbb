"""A series: sample after sample until a rule or a person ends it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gemmviz.domain.result import FloatColumn
from gemmviz.domain.terms import StopReason
from gemmviz.measure.cancel import Fraction, ShouldCancel, raise_if_cancelled
from gemmviz.measure.clock import Clock, elapsed_s
from gemmviz.measure.sampling import Sampler
from gemmviz.measure.stopping import StoppingRule


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Every sample of a series in the order taken, columns of shape (n,) in ms, n >= 1."""

    kernel_ms: FloatColumn
    host_ms: FloatColumn
    unsynchronised_ms: FloatColumn
    stopped_by: StopReason


def collect(
    take: Sampler,
    rule: StoppingRule,
    clock: Clock,
    should_cancel: ShouldCancel,
    on_progress: Fraction,
) -> Series:
    """Take samples until `rule` ends the series; it judges the device's times. No sample is left out.

    `on_progress` hears a fraction that never falls, at most once per hundredth, and 1 at the end.

    Raises:
        CancelledError: cancelled before the first sample; later a cancel only ends the series.
        MeasurementError, LaunchError: as `Launcher.run`.
    """
    kernel_ms: list[float] = []
    host_ms: list[float] = []
    unsynchronised_ms: list[float] = []
    told = 0.0
    start_ns = clock.now_ns()
    reason: StopReason | None = None
    raise_if_cancelled(should_cancel)
    while reason is None:
        sample = take()
        kernel_ms.append(sample.kernel_ms)
        host_ms.append(sample.host_ms)
        unsynchronised_ms.append(sample.unsynchronised_ms)
        spent_s = elapsed_s(start_ns, clock.now_ns())
        reason = rule.verdict(kernel_ms, spent_s)
        if reason is None and should_cancel():
            reason = StopReason.CANCELLED
        fraction = 1.0 if reason is not None else rule.spent(len(kernel_ms), spent_s)
        if fraction >= min(1.0, told + 0.01):
            told = fraction
            on_progress(fraction)
    return Series(np.array(kernel_ms), np.array(host_ms), np.array(unsynchronised_ms), reason)
