"""How many times as fast a run is as another one, and whether the two can be ranked. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.domain import figures
from gemmviz.domain.runs.baselines import Baseline, baseline_places
from gemmviz.domain.runs.doubts import NOISY, THROTTLED
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import Verdict
from gemmviz.explain.figures.run_facts import RunFacts, facts_of
from gemmviz.explain.figures.spread import Spread
from gemmviz.measure.compare import judge

SEPARATE = "from separate series"
IN_TURN = "sampled in turn"
LEAST_APART = 1.05
"""Kernels that were not sampled in turn are ranked from this factor on: within one series they drift by up
to 4 % in the examples, with the GPU's clock.
"""
TOO_NEAR = f"less than {100 * (LEAST_APART - 1):.0f} % ranks neither"
AT_THESE_CLOCKS = "at these clocks"
"""Weakens a verdict about two kernels of which the slower one's clock was throttled."""
UNSURE = "≈"
"""Stands before a ratio that could as well be 1."""
_FAR = 2.0
"""From this factor on spread does not matter."""
WHY_UNRANKED = "The times are too close together, or scatter too much, to say which kernel is faster"
UNRANKED = f"{Verdict.CANNOT_TELL.words}: {WHY_UNRANKED[:1].lower()}{WHY_UNRANKED[1:]} (the glossary has the rule)"
"""What the verdict means; shown wherever it is."""


@dataclass(frozen=True, slots=True)
class Speedup:
    """How many times faster a run is than its baseline, from `low` to `high`; `verdict` is about the run."""

    ratio: float
    low: float
    high: float
    verdict: Verdict
    in_turn: bool
    baseline: RunFacts
    is_in_doubt: bool = False
    """Whether a throttled clock may have made the slower of the two the slower one."""
    is_noisy: bool = False
    """Whether the samples of one of the two scatter so much that the ratio means little."""

    @property
    def words(self) -> str:
        """The verdict, weakened where a throttled clock may have brought it about."""
        is_weak = self.is_in_doubt and self.verdict in (Verdict.FASTER, Verdict.SLOWER)
        return f"{self.verdict.words} {AT_THESE_CLOCKS}" if is_weak else self.verdict.words

    @property
    def figure(self) -> str:
        """The ratio with the digits that its noise allows."""
        return figures.ratio(self.ratio, self.low, self.high, is_noisy=self.is_noisy)

    @property
    def is_rough(self) -> bool:
        """Whether the samples scatter so much that the ratio is said as a range."""
        return figures.is_rough(self.ratio, self.low, self.high, is_noisy=self.is_noisy)

    @property
    def times(self) -> str:
        """How many times as fast the faster of the two is, as a part of a sentence: "roughly 15 to 170 times"."""
        one = self._of_faster
        return figures.times(one.ratio, one.low, one.high, is_noisy=self.is_noisy)

    @property
    def label(self) -> str:
        """The same in a bar: "roughly 15 to 170×"."""
        return f"{self._of_faster.range}×"

    @property
    def range(self) -> str:
        """The ratio, or between what it lies where it is rough."""
        return figures.rough_ratio(self.ratio, self.low, self.high, is_noisy=self.is_noisy)

    @property
    def _of_faster(self) -> Speedup:
        return self if self.ratio >= 1 else self.inverted

    @property
    def inverted(self) -> Speedup:
        """How many times as long the run takes as its baseline."""
        ends = self.ratio, self.high, self.low
        ratio, low, high = (math.nan if math.isnan(value) else _quotient(1.0, value) for value in ends)
        return replace(self, ratio=ratio, low=low, high=high)


def speedup_of(fact: RunFacts, baseline: RunFacts) -> Speedup:
    """A run against one under the same conditions.

    Of samples taken in turn the ratio is that of `judge`, with its interval over blocks of pairs; else that of the
    medians, from quartile to quartile, which are ranked where they `are_apart`.
    """
    is_noisy = NOISY in (*fact.doubts, *baseline.doubts)
    if fact.run.sweep != 0 and fact.run.sweep == baseline.run.sweep:
        mine, others = fact.run.timing.kernel_samples_ms, baseline.run.timing.kernel_samples_ms
        pairs = min(mine.size, others.size)
        found = judge(mine[:pairs], others[:pairs])
        ratio, low, high = (1 / value if value > 0 else math.nan for value in (found.ratio, found.high, found.low))
        return Speedup(ratio, low, high, found.verdict, True, baseline, _is_in_doubt(fact, baseline, ratio), is_noisy)
    mine_ms, other_ms = fact.device_ms, baseline.device_ms
    ratio = _quotient(other_ms.median, mine_ms.median)
    low, high = _quotient(other_ms.first, mine_ms.third), _quotient(other_ms.third, mine_ms.first)
    verdict = Verdict.CANNOT_TELL
    if fact is not baseline and are_apart(mine_ms, other_ms):
        verdict = Verdict.FASTER if ratio > 1 else Verdict.SLOWER
    return Speedup(ratio, low, high, verdict, False, baseline, _is_in_doubt(fact, baseline, ratio), is_noisy)


def are_apart(one: Spread, other: Spread) -> bool:
    """Whether times of separate series can be ranked: they are LEAST_APART apart and their interquartile ranges do not
    overlap, or their medians differ by a factor of 2.
    """
    ratio = _quotient(other.median, one.median)
    factor = max(ratio, _quotient(1.0, ratio))
    return factor >= _FAR or (factor >= LEAST_APART and not one.overlaps(other))


def _is_in_doubt(fact: RunFacts, baseline: RunFacts, ratio: float) -> bool:
    """Whether the clock of the slower one was throttled and the ratio is one that this might explain."""
    slower = baseline if ratio > 1 else fact
    return fact is not baseline and 1 / _FAR < ratio < _FAR and THROTTLED in slower.doubts


def speedups_of(
    facts: Sequence[RunFacts], baseline: Baseline, others: Sequence[RunResult] = ()
) -> tuple[Speedup | None, ...]:
    """One for each run; None where the baseline ran under the same conditions neither among them nor among `others`."""
    known = *facts_of(others), *facts  # what is shown is taken rather than what is not
    places = baseline_places([fact.run for fact in known], baseline)[len(others) :]
    return tuple(
        None if place is None else speedup_of(fact, known[place]) for fact, place in zip(facts, places, strict=True)
    )


def _quotient(value: float, by: float) -> float:
    if by > 0:
        return value / by
    return math.inf if value > 0 else math.nan
