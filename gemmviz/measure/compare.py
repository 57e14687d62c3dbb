"""Is A faster than B? Pairs of samples in an order drawn at random, and a verdict that may be "cannot tell"."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gemmviz.domain.runs.result import FloatColumn
from gemmviz.domain.terms import Verdict
from gemmviz.measure.balanced_order import balanced_rounds
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

    pairs: int = 96
    min_pairs: int = 6
    limit_seconds: float = 15.0
    threshold: float = 0.02
    confidence: float = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """A against B. `ratio` is A's time over B's, the median of the blocks' medians, and lies from `low` to `high`.

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

_BLOCK_COUNTS = (20, 15, 12, 9, 6)
"""Numbers of blocks whose interval by order statistics holds the median with hardly more than 95 %."""
_SWAPS_PER_BLOCK = 4
"""So many swaps in a block, where there are enough. If one launch in four reads long, half of the pairs have none, and
with eight pairs their median is hardly ever one of the others."""


def compare(
    take_a: TakeMs,
    take_b: TakeMs,
    clock: Clock,
    rule: ComparisonRule = COMPARISON,
    should_cancel: ShouldCancel = never,
    on_progress: Fraction = unheard,
    rng: np.random.Generator | None = None,
) -> Comparison:
    """Take pairs of samples, A B B A or B A A B as `rng` decides each time, and judge them. Both must be warm. A cancel
    ends it after the pair under way.

    Raises:
        MeasurementError, LaunchError: as the samplers.
    """
    takes: tuple[TakeMs, TakeMs] = (take_a, take_b)
    a_ms: list[float] = []
    b_ms: list[float] = []
    rounds = balanced_rounds(2, rng if rng is not None else np.random.default_rng())
    start_ns = clock.now_ns()
    while len(a_ms) < rule.pairs and elapsed_s(start_ns, clock.now_ns()) < rule.limit_seconds and not should_cancel():
        for which in next(rounds):
            (a_ms, b_ms)[which].append(takes[which]())
        on_progress(len(a_ms) / rule.pairs)
    return judge(np.array(a_ms, dtype=np.float64), np.array(b_ms, dtype=np.float64), rule)


def judge(a_ms: FloatColumn, b_ms: FloatColumn, rule: ComparisonRule = COMPARISON) -> Comparison:
    """The verdict on pairs of samples in balanced order, two columns of shape (n,) in ms: the pairs 0 and 1, 2 and 3, …
    were taken A B B A or B A A B.

    The interval is one for the median of blocks of successive pairs, by order statistics (the sign test inverted). For
    a kernel against itself it holds 1 with the stated confidence whatever the times are, dependent ones included:
    exchanging A and B in a block turns its median of log ratios into the negative, and both were equally likely.

    Same: the whole interval is within the threshold. Faster and slower: the whole interval is on one side of
    1 and the ratio beyond the threshold. Cannot tell: anything else, too few pairs, a NaN, or a time of zero.
    Swapping A and B inverts the ratio and the verdict.
    """
    verdict, ratio, low, high = Verdict.CANNOT_TELL, math.nan, math.nan, math.nan
    usable = bool((np.isfinite(a_ms) & np.isfinite(b_ms) & (a_ms > 0) & (b_ms > 0)).all())
    if usable and a_ms.size > 0:
        blocks = np.sort(block_medians(np.log(a_ms) - np.log(b_ms)))
        ratio = math.exp(float(np.median(blocks)))
        rank = _interval_rank(blocks.size, rule.confidence)
        if rank > 0 and a_ms.size >= rule.min_pairs:
            low, high = math.exp(blocks[rank - 1]), math.exp(blocks[-rank])
            verdict = _verdict(ratio, low, high, 1.0 + rule.threshold)
    return Comparison(verdict, ratio, low, high, _median(a_ms), _median(b_ms), a_ms, b_ms)


def block_medians(log_ratios: FloatColumn) -> FloatColumn:
    """The median of each block of successive pairs, of which `log_ratios`, shape (n,), has one figure each.

    The unit is the swap, two pairs A B B A or B A A B. Of 48 pairs and more a block has at least _SWAPS_PER_BLOCK
    swaps; 12 pairs and more make six blocks, the last of an odd number left out; below that each pair is a block.
    """
    swaps = log_ratios.size // 2
    if swaps < _BLOCK_COUNTS[-1]:
        return log_ratios
    count = next((count for count in _BLOCK_COUNTS if swaps >= _SWAPS_PER_BLOCK * count), _BLOCK_COUNTS[-1])
    size, longer = divmod(swaps, count)
    split = 2 * longer * (size + 1)  # the first blocks have one swap more
    first = log_ratios[:split].reshape(longer, 2 * (size + 1))
    others = log_ratios[split : 2 * swaps].reshape(count - longer, 2 * size)
    return np.concatenate([np.median(part, axis=1) for part in (first, others) if part.size])


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
