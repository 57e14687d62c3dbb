"""A series: sample after sample until a rule or a person ends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gemmviz.domain.runs.gauges import NO_GAUGES, Gauges, gauges_of
from gemmviz.domain.runs.result import FloatColumn
from gemmviz.domain.terms import StopReason
from gemmviz.measure.balanced_order import balanced_block
from gemmviz.measure.cancel import Fraction, ShouldCancel, raise_if_cancelled
from gemmviz.measure.clock import Clock, elapsed_s
from gemmviz.measure.sampling import Sample, Sampler
from gemmviz.measure.stopping import StoppingRule, is_check_due


@dataclass(frozen=True, slots=True, eq=False)
class SampleSeries:
    """Every sample of a series in the order taken, columns of shape (n,) in ms, n >= 1; `gauges` stand beside them."""

    kernel_ms: FloatColumn
    host_ms: FloatColumn
    unsynchronised_ms: FloatColumn
    stopped_by: StopReason
    gauges: Gauges = NO_GAUGES


def collect_in_turn(
    takes: Sequence[Sampler],
    rule: StoppingRule,
    clock: Clock,
    should_cancel: ShouldCancel,
    on_progress: Fraction,
    rng: np.random.Generator | None = None,
) -> list[SampleSeries]:
    """Several series at once, a sample of each in every round, so that what disturbs one disturbs all.

    Samples of the same index were taken in the same round, and each round has an order of its own: `rng` draws that of
    the rounds 0, 2, 4, …, the rounds 1, 3, 5, … reverse it. A series the rule has ended, and whose quartiles are all
    above those of the best, takes no more samples; the others go on until the rule has ended all of them. The rule's
    seconds are those of the series' own samples. A cancel ends all after the round under way.

    Raises:
        CancelledError: cancelled before the first sample.
        MeasurementError, LaunchError: as `Launcher.run`.
    """
    raise_if_cancelled(should_cancel)
    rng = rng if rng is not None else np.random.default_rng()
    growing = [_Growing(take) for take in takes]
    under_way = list(growing)
    told = 0.0
    while any(one.reason is None for one in under_way):
        for order in balanced_block(len(under_way), rng):
            for place in order:
                under_way[place].grow(rule, clock)
            if should_cancel():
                for one in under_way:
                    one.reason = one.reason or StopReason.CANCELLED
            if all(one.reason is not None for one in under_way):
                break
            share = sum(one.share(rule) for one in growing) / len(growing)
            if share >= min(1.0, told + 0.01):
                told = share
                on_progress(share)
        if is_check_due(max(len(one.samples) for one in under_way)):
            best_third = min(one.quartiles() for one in growing)[1]
            under_way = [one for one in under_way if one.reason is None or one.quartiles()[0] <= best_third]
    on_progress(1.0)
    return [one.series() for one in growing]


class _Growing:
    """A series that is not at its end yet."""

    def __init__(self, take: Sampler) -> None:
        self._take = take
        self._kernel_ms: list[float] = []
        self.samples: list[Sample] = []
        self.spent_s = 0.0
        self.reason: StopReason | None = None

    def grow(self, rule: StoppingRule, clock: Clock) -> None:
        start_ns = clock.now_ns()
        self.samples.append(self._take())
        self._kernel_ms.append(self.samples[-1].kernel_ms)
        self.spent_s += elapsed_s(start_ns, clock.now_ns())
        verdict = rule.verdict(self._kernel_ms, self.spent_s)
        limits = (StopReason.TIME_LIMIT, StopReason.SAMPLE_LIMIT)
        self.reason = verdict if verdict in limits else self.reason or verdict

    def share(self, rule: StoppingRule) -> float:
        """The part of its budget that is spent, 1 at its end."""
        return 1.0 if self.reason else rule.spent(len(self.samples), self.spent_s)

    def quartiles(self) -> tuple[float, float]:
        first, third = np.percentile(self._kernel_ms, (25.0, 75.0))
        return float(first), float(third)

    def series(self) -> SampleSeries:
        return _series(self.samples, self.reason or StopReason.CANCELLED)


def _series(samples: Sequence[Sample], stopped_by: StopReason) -> SampleSeries:
    return SampleSeries(
        np.array([sample.kernel_ms for sample in samples]),
        np.array([sample.host_ms for sample in samples]),
        np.array([sample.unsynchronised_ms for sample in samples]),
        stopped_by,
        gauges_of([sample.reading for sample in samples]),
    )


def collect(
    take: Sampler,
    rule: StoppingRule,
    clock: Clock,
    should_cancel: ShouldCancel,
    on_progress: Fraction,
) -> SampleSeries:
    """Take samples until `rule` ends the series; it judges the device's times. No sample is left out.

    `on_progress` hears a fraction that never falls, at most once per hundredth, and 1 at the end.

    Raises:
        CancelledError: cancelled before the first sample; later a cancel only ends the series.
        MeasurementError, LaunchError: as `Launcher.run`.
    """
    samples: list[Sample] = []
    kernel_ms: list[float] = []
    told = 0.0
    start_ns = clock.now_ns()
    reason: StopReason | None = None
    raise_if_cancelled(should_cancel)
    while reason is None:
        samples.append(take())
        kernel_ms.append(samples[-1].kernel_ms)
        spent_s = elapsed_s(start_ns, clock.now_ns())
        reason = rule.verdict(kernel_ms, spent_s)
        if reason is None and should_cancel():
            reason = StopReason.CANCELLED
        fraction = 1.0 if reason is not None else rule.spent(len(kernel_ms), spent_s)
        if fraction >= min(1.0, told + 0.01):
            told = fraction
            on_progress(fraction)
    return _series(samples, reason)
