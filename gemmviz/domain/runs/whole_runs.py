"""Whole runs: A and B to the device, one launch, C back, each timed part by part in one pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.figures import has_quartiles
from gemmviz.domain.session.column_ranges import PartsColumn

_PARTS = 4
_ROUNDING = 1e-9
"""By so much parts may exceed their sum."""


@dataclass(frozen=True, slots=True)
class WholeRun:
    """One whole run in ms: A and B to the device, the kernel on the device's clock, C back, the whole on the host's.

    `kernel_ms` is nan where the parts of the whole were not told apart, as in files before version 8.
    """

    in_ms: float
    kernel_ms: float
    out_ms: float
    whole_ms: float

    @property
    def waiting_ms(self) -> float:
        """Launching and waiting: what the host's clock reads from the launch to its end beyond the device's time."""
        return max(0.0, self.whole_ms - (self.in_ms + self.kernel_ms + self.out_ms))


@dataclass(frozen=True, slots=True)
class WholeTime:
    """What is told of `n` whole runs, in ms: the quartiles of the whole, and parts that add up to its median.

    `is_estimate`: the parts were not timed in the same pass as the whole, and nobody knows of how many runs it is the
    median. Parts that do not fit into the whole are unknown: all four are nan. Without a whole run n is 0 and the times
    are nan.
    """

    first: float
    median: float
    third: float
    n: int
    in_ms: float
    kernel_ms: float
    waiting_ms: float
    out_ms: float
    is_estimate: bool = False

    @property
    def parts(self) -> tuple[float, float, float, float]:
        """In, kernel, launching and waiting, out."""
        return self.in_ms, self.kernel_ms, self.waiting_ms, self.out_ms

    @property
    def are_parts_unknown(self) -> bool:
        """Whether there is a whole whose parts nobody can tell."""
        return self.n > 0 and not all(map(math.isfinite, self.parts))

    @property
    def iqr(self) -> float:
        return self.third - self.first

    @property
    def error_bar(self) -> tuple[float, float]:
        """From quartile to quartile; nan where so few runs have none."""
        return (self.first, self.third) if has_quartiles(self.n) else (math.nan, math.nan)


@dataclass(frozen=True, slots=True, eq=False)
class WholeRuns:
    """Whole runs in the order taken.

    `samples_ms` has shape (4·n,), a `WholeRun` after the other: one column, because a file keeps each of its own.

    Raises:
        ValueError: a run is not whole, has a time below 0, or is shorter than its parts.
    """

    samples_ms: PartsColumn

    def __post_init__(self) -> None:
        if self.samples_ms.size % _PARTS:
            raise ValueError(f"{self.samples_ms.size} figures are no whole runs of {_PARTS} each")
        # Where a part is unknown, and so nan, no comparison holds.
        if (self.samples_ms < 0).any():
            raise ValueError("a whole run has a time below 0")
        rows = self.samples_ms.reshape(-1, _PARTS)
        if (rows[:, :-1].sum(axis=1) > (1.0 + _ROUNDING) * rows[:, -1]).any():
            raise ValueError("a whole run is shorter than its parts")

    @property
    def count(self) -> int:
        return self.samples_ms.size // _PARTS

    @property
    def runs(self) -> tuple[WholeRun, ...]:
        return tuple(WholeRun(*row) for row in self.samples_ms.reshape(-1, _PARTS).tolist())

    def time(self, kernel_samples_ms: NDArray[np.float64]) -> WholeTime:
        """The median whole run. Its parts are those of the run whose whole is nearest to the median, scaled to it where
        the number of runs is even. The median of the kernel's own samples, shape (n,), stands in for the part that an
        earlier version did not tell apart.
        """
        rows: list[list[float]] = self.samples_ms.reshape(-1, _PARTS).tolist()
        if not rows:
            return NO_WHOLE_TIME
        if len(rows) == 1 and math.isnan(rows[0][1]):
            return _estimate(WholeRun(*rows[0]), float(np.median(kernel_samples_ms)))
        wholes = [row[-1] for row in rows]
        first, median, third = quantiles(wholes, n=4, method="inclusive") if len(wholes) > 1 else wholes * 3
        nearest = WholeRun(*min(rows, key=lambda row: abs(row[-1] - median)))
        scale = median / nearest.whole_ms if nearest.whole_ms > 0 else 1.0
        in_ms, kernel_ms, waiting_ms, out_ms = (
            scale * part for part in (nearest.in_ms, nearest.kernel_ms, nearest.waiting_ms, nearest.out_ms)
        )
        return WholeTime(first, median, third, len(rows), in_ms, kernel_ms, waiting_ms, out_ms)


def whole_runs_of(runs: Sequence[WholeRun]) -> WholeRuns:
    """The runs as a column."""
    rows = [(run.in_ms, run.kernel_ms, run.out_ms, run.whole_ms) for run in runs]
    return WholeRuns(np.array(rows, np.float64).reshape(-1))


def _estimate(run: WholeRun, kernel_ms: float) -> WholeTime:
    """The parts of a whole that was not told apart: the kernel has the median of its own samples, launching and waiting
    the rest; without a whole the rest is 0. All are unknown where together they are longer than the whole.
    """
    whole_ms, in_ms, out_ms = run.whole_ms, run.in_ms, run.out_ms
    waiting_ms = 0.0
    if not math.isnan(whole_ms):
        told_ms = in_ms + kernel_ms + out_ms
        waiting_ms = max(0.0, whole_ms - told_ms)
        if not told_ms <= (1.0 + _ROUNDING) * whole_ms < math.inf:
            in_ms = kernel_ms = waiting_ms = out_ms = math.nan
    return WholeTime(whole_ms, whole_ms, whole_ms, 1, in_ms, kernel_ms, waiting_ms, out_ms, is_estimate=True)


NO_WHOLE_RUNS = whole_runs_of([])
NO_WHOLE_TIME = WholeTime(math.nan, math.nan, math.nan, 0, math.nan, math.nan, math.nan, math.nan)
