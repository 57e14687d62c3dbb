"""Two kernels side by side: which frame of the second goes with a frame of the first. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gemmviz.explain.requests.frame_facts import FrameFacts, FrameIndices

_ROUNDING = 1e-9

Floats = NDArray[np.float64]


class PairStep(StrEnum):
    """What the frames of two kernels are aligned by: barrier intervals, the share of the work that is done, or frames.

    WORK means the products added to each sum, or all requests where it is not known how far the sums have come.
    FRAME goes on by one frame in both, until the one with fewer frames waits at its end.
    """

    PHASE = "phase"
    WORK = "work"
    FRAME = "frame"


def usual_step(first: FrameFacts, second: FrameFacts) -> PairStep:
    """By barrier interval where both have barriers, else by the work that is done."""
    return PairStep.PHASE if min(first.phases, second.phases) > 1 else PairStep.WORK


def waiting_words(first: tuple[int, str], second: tuple[int, str]) -> str:
    """Which of two, each a number of barrier intervals and a kernel, waits for the other; "" for neither."""
    (fewer, name), (more, other) = sorted(_told_apart(first, second))
    if fewer == more:
        return ""
    few = "no barrier" if fewer == 1 else f"{fewer} barrier intervals"
    return (
        f"{name} has {few} and waits at its end, because {other} has {more} barrier intervals. "
        "Align by work done to play both to the end."
    )


def _told_apart(first: tuple[int, str], second: tuple[int, str]) -> tuple[tuple[int, str], tuple[int, str]]:
    """Two kernels by their names; where these are the same, also by the side on which each is played."""
    if first[1] != second[1]:
        return first, second
    return (first[0], f"{first[1]} (left)"), (second[0], f"{second[1]} (right)")


def second_leads(first: FrameFacts, second: FrameFacts, step: PairStep) -> bool:
    """Whether the second is the one to follow: it has more phases, or by its work or by its frames more frames.

    So nothing of either is left out, and the one with fewer phases waits at its end. By their work, the one that adds
    more products at a time leads: the other can stop where as many have been added. But not where it has a single frame
    each time, in which the loads of the other would never be seen.
    """
    if step is PairStep.PHASE and first.phases != second.phases:
        return second.phases > first.phases
    if step is PairStep.WORK and first.terms is not None and second.terms is not None:
        stops, others = (int(np.unique(terms[terms > 0]).size) for terms in (first.terms, second.terms))
        if stops != others:
            coarse, count = (first, stops) if stops < others else (second, others)
            return (coarse is second) == (coarse.count > count + 1)
    return second.count > first.count


def aligned_frames(first: FrameFacts, second: FrameFacts, step: PairStep) -> FrameIndices:
    """The frame of the second that goes with each frame of the first, shape (first.count,).

    It never goes back, and the last goes with the last.

    Raises:
        IndexError: the second has no frames.
    """
    if not second.count:
        raise IndexError("the second has no frames")
    if step is PairStep.PHASE:
        ends, others = (np.append(facts.marks.barriers + 1, facts.count) for facts in (first, second))
        found = np.concatenate([np.zeros(0, np.int64), *_of_runs(ends, others, second.count)])
    elif step is PairStep.FRAME:
        found = np.minimum(np.arange(first.count), second.count - 1)
    elif first.terms is not None and second.terms is not None:
        found = _by_terms(first.terms, second.terms)
    else:
        found = np.minimum(np.searchsorted(second.shares, first.shares - _ROUNDING), second.count - 1)
    if step is not PairStep.PHASE and found.size:
        found[-1] = second.count - 1
    return found.astype(np.int32)


def leading(index: int, aligned: FrameIndices) -> int:
    """The earliest frame of the first with which frame `index` of the second goes, or a later one of the second."""
    return min(int(np.searchsorted(aligned, index)), aligned.size - 1)


def _by_terms(terms: Floats, others: Floats) -> NDArray[np.int64]:
    """By the products added to each sum: both reach at once what both ever reach, and the second is never ahead.

    Between two such frames it is as far within its own, as far as it adds no more than the first.
    """
    terms, others = np.round(terms, 9), np.round(others, 9)
    common = np.intersect1d(terms, others)
    ends, ends_there = (np.append(np.searchsorted(each, common[common > 0]) + 1, each.size) for each in (terms, others))
    found = np.concatenate([np.zeros(0, np.int64), *_of_runs(ends, ends_there, others.size)])
    most = np.searchsorted(others, terms, side="right") - 1  # the last frame that adds no more
    return np.maximum.accumulate(np.maximum(np.minimum(found, most), 0))


def _of_runs(ends: NDArray[np.integer], others: NDArray[np.integer], count: int) -> Iterator[NDArray[np.int64]]:
    """The aligned frames of each run, in order; runs are told by the frames after their last ones.

    Those of a run go with those of the same run of the second, of `count` frames in all, the last with the last; the
    second stays at its last frame once its runs are over.
    """
    begin, other_begin = 0, 0
    for run, end in enumerate(ends.tolist()):
        own = np.arange(begin, end) - begin
        other_end = int(others[run]) if run < others.size else count
        if own.size and other_begin >= count:
            yield np.full(own.size, count - 1)
        elif own.size:
            at = np.minimum(other_begin + own * (other_end - other_begin) // own.size, other_end - 1)
            at[-1] = other_end - 1
            yield at
        begin, other_begin = end, other_end
