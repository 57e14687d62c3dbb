"""Is A faster than B? Pairs of samples taken in turn, and a verdict that may be "cannot tell"."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gemmviz.domain.result import FloatColumn
from gemmviz.domain.terms import Verdict
from gemmviz.measure.cancel import Fraction, ShouldCancel, never, unheard
from gemmviz.measure.clock import Clock, elapsed_s

TakeMs = Callable[[], float]
"""Takes one sample; its time in ms."""


@dataclass(frozen=True, slots=True)
class ComparisonRule:
    """`pairs` pairs, or as many as `limit_seconds` allow; below `min_pairs` there is no verdict.

    `threshold` is the part by which times may differ and still count as the same. Six pairs are the fewest
    for which an interval of 95 % exists. The number of pairs is fixed beforehand: who stops as soon as the
    interval looks decisive finds differences that are none.
    """

    pairs: int = 40
    min_pairs: int = 6
    limit_seconds: float = 15.0
    threshold: float = 0.02
    confidence: float = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """A against B. `ratio` is the median of A's time over B's, pair by pair, and lies from `low` to `high`.

    Samples in ms, shape (n,), those of one pair at the same index. Without a verdict the ratio may be nan.
    """

    verdict: Verdict
    ratio: float
    low: float
    high: float
    a_median_ms: float
    b_median_ms: float
    a_ms: FloatColumn
    b_ms: FloatColumn


COMPARISON = ComparisonRule()


def compare(
    take_a: TakeMs,
    take_b: TakeMs,
    clock: Clock,
    rule: ComparisonRule = COMPARISON,
    should_cancel: ShouldCancel = never,
    on_progress: Fraction = unheard,
) -> Comparison:
    """Take samples A B A B … and judge them. Both must be warm. A cancel ends it after the pair under way.

    Raises:
        MeasurementError, LaunchError: as the samplers.
    """
    a_ms: list[float] = []
    b_ms: list[float] = []
    start_ns = clock.now_ns()
    while len(a_ms) < rule.pairs and elapsed_s(start_ns, clock.now_ns()) < rule.limit_seconds and not should_cancel():
        a_ms.append(take_a())
        b_ms.append(take_b())
        on_progress(len(a_ms) / rule.pairs)
    return judge(np.array(a_ms, dtype=np.float64), np.array(b_ms, dtype=np.float64), rule)


def judge(a_ms: FloatColumn, b_ms: FloatColumn, rule: ComparisonRule = COMPARISON) -> Comparison:
    """The verdict on pairs of samples, two columns of shape (n,) in ms.

    Same: the whole interval is within the threshold. Faster and slower: the whole interval is on one side of
    1 and the ratio beyond the threshold. Cannot tell: anything else, too few pairs, a NaN, or a time of zero.
    Swapping A and B inverts the ratio and the verdict.
    """
    verdict, ratio, low, high = Verdict.CANNOT_TELL, math.nan, math.nan, math.nan
    usable = bool((np.isfinite(a_ms) & np.isfinite(b_ms) & (a_ms > 0) & (b_ms > 0)).all())
    if usable and a_ms.size > 0:
        logarithms = np.sort(np.log(a_ms) - np.log(b_ms))
        ratio = math.exp(float(np.median(logarithms)))
        rank = _interval_rank(logarithms.size, rule.confidence)
        if rank > 0 and logarithms.size >= rule.min_pairs:
            low, high = math.exp(logarithms[rank - 1]), math.exp(logarithms[-rank])
            verdict = _verdict(ratio, low, high, 1.0 + rule.threshold)
    return Comparison(verdict, ratio, low, high, _median(a_ms), _median(b_ms), a_ms, b_ms)


def _verdict(ratio: float, low: float, high: float, same: float) -> Verdict:
    if 1.0 / same <= low and high <= same:
        return Verdict.SAME
    if high < 1.0 and ratio < 1.0 / same:
        return Verdict.FASTER
    if low > 1.0 and ratio > same:
        return Verdict.SLOWER
    return Verdict.CANNOT_TELL


def _interval_rank(count: int, confidence: float) -> int:
    """The largest k for which the k-th smallest and k-th largest of `count` values enclose the median with at
    least `confidence`; 0 if none. By the binomial distribution (Conover, Practical Nonparametric Statistics,
    3rd ed., section 3.2).
    """
    most = (1.0 - confidence) / 2.0
    tail, rank = 0.0, 0
    while rank < count // 2:
        tail += math.exp(
            math.lgamma(count + 1) - math.lgamma(rank + 1) - math.lgamma(count - rank + 1) - count * math.log(2.0)
        )
        if tail > most:
            break
        rank += 1
    return rank


def _median(samples_ms: FloatColumn) -> float:
    return float(np.median(samples_ms)) if samples_ms.size else math.nan
