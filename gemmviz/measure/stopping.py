"""When a series of samples has said enough. Pure: no clock, no state; the elapsed time is an argument.

The criteria follow nvbench's stdrel (a minimum count, a minimum time, a noise target) and its remedy for a
noise that will never reach the target: stop once the noise itself is steady. The IQR stands in for the
standard deviation, because the times of a kernel have a long right tail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from gemmviz.domain.runs.result import FloatColumn
from gemmviz.domain.terms import StopReason

CHECK_EVERY_SAMPLE_TO = 64
NOISE_PREFIXES = (4, 5, 6, 7, 8)
"""The noise is compared over the first 4, 5, 6, 7 and 8 eighths of the series."""


def is_check_due(count: int) -> bool:
    """Whether statistics over `count` samples are worth their time.

    Always up to CHECK_EVERY_SAMPLE_TO, then each time the series has grown by a 64th to a 32nd of its length,
    so that the checks of n samples cost O(n) statistics in all, not O(n²).
    """
    if count <= CHECK_EVERY_SAMPLE_TO:
        return True
    return count % (1 << (count.bit_length() - 6)) == 0


def relative_iqr(samples: FloatColumn) -> float:
    """IQR over median of `samples`, shape (n,), n >= 1: 0 where all are equal, also where all are zero."""
    first, median, third = np.percentile(samples, (25.0, 50.0, 75.0))
    iqr = float(third - first)
    if iqr == 0.0:
        return 0.0
    return iqr / float(median) if median > 0 else float("inf")


def is_noise_steady(samples: FloatColumn, tolerance: float) -> bool:
    """Whether the IQR of the series, shape (n,), changed by at most `tolerance` over its second half.

    The IQR and not its quotient by the median: with two modes of equal weight the median jumps between them.
    The IQR of a drifting series grows with its length.
    """
    iqrs = []
    for eighths in NOISE_PREFIXES:
        first, third = np.percentile(samples[: max(1, samples.size * eighths // 8)], (25.0, 75.0))
        iqrs.append(float(third - first))
    return max(iqrs) - min(iqrs) <= tolerance * iqrs[-1]


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """When a series ends.

    Steady: `min_samples` and `min_seconds` are reached and IQR / median is at most `relative_iqr`. Steady
    noise: four times the samples and seconds, and the IQR within `noise_tolerance` over the second half.
    Both limits win over the minima. Seconds run from the start of the series on the host's clock and include
    what happens between samples (cache flushes), so that a short kernel's series ends as well.

    Raises:
        ValueError: a field is out of range.
    """

    min_samples: int = 10
    min_seconds: float = 0.5
    relative_iqr: float = 0.01
    noise_tolerance: float = 0.1
    limit_seconds: float = 15.0
    max_samples: int = 10_000

    def __post_init__(self) -> None:
        for name, value, least in (
            ("min_samples", self.min_samples, 1),
            ("min_seconds", self.min_seconds, 0),
            ("relative_iqr", self.relative_iqr, 0),
            ("noise_tolerance", self.noise_tolerance, 0),
            ("limit_seconds", self.limit_seconds, 0),
            ("max_samples", self.max_samples, 1),
        ):
            if not value >= least:
                raise ValueError(f"{name} is {value}: give at least {least}")

    def verdict(self, samples_ms: Sequence[float], elapsed_s: float) -> StopReason | None:
        """Why the series ends after these samples, or None while it goes on. A series never ends empty."""
        count = len(samples_ms)
        if count == 0:
            return None
        if elapsed_s >= self.limit_seconds:
            return StopReason.TIME_LIMIT
        if count >= self.max_samples:
            return StopReason.SAMPLE_LIMIT
        if count < self.min_samples or elapsed_s < self.min_seconds or not is_check_due(count):
            return None
        samples = np.asarray(samples_ms, dtype=np.float64)
        if relative_iqr(samples) <= self.relative_iqr:
            return StopReason.STEADY
        long_enough = count >= 4 * self.min_samples and elapsed_s >= 4 * self.min_seconds
        if long_enough and is_noise_steady(samples, self.noise_tolerance):
            return StopReason.STEADY_NOISE
        return None

    def spent(self, count: int, elapsed_s: float) -> float:
        """The part of the time or of the samples that is used up, whichever is more; from 0 to 1."""
        of_time = elapsed_s / self.limit_seconds if self.limit_seconds > 0 else 1.0
        return min(1.0, max(of_time, count / self.max_samples))


@dataclass(frozen=True, slots=True)
class WarmUpRule:
    """By count *and* by time, until steady; `limit_seconds` wins.

    Steady means that the medians of the last two quarters of the runs differ by at most `tolerance`.
    """

    min_runs: int = 3
    min_seconds: float = 0.1
    limit_seconds: float = 1.0
    tolerance: float = 0.02

    def is_over(self, kernel_ms: Sequence[float], elapsed_s: float) -> bool:
        """Whether the device is warm after these runs, or the time for it is spent."""
        if elapsed_s >= self.limit_seconds:
            return True
        count = len(kernel_ms)
        if count < max(2, self.min_runs) or elapsed_s < self.min_seconds or not is_check_due(count):
            return False
        quarter = max(1, count // 4)
        last, before = median(kernel_ms[-quarter:]), median(kernel_ms[-2 * quarter : -quarter])
        return abs(last - before) <= self.tolerance * before
