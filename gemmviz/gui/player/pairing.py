"""Two kernels side by side: which frame of the second goes with a frame of the first. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gemmviz.gui.player.frame_facts import FrameFacts, FrameIndices

_ROUNDING = 1e-9


class Step(StrEnum):
    """What the frames of two kernels are aligned by: barrier intervals, the share of the work that is done, or frames.

    FRAME goes on by one frame in both, until the one with fewer frames waits at its end.
    """

    PHASE = "phase"
    WORK = "work"
    FRAME = "frame"


def usual_step(first: FrameFacts, second: FrameFacts) -> Step:
    """By barrier interval where both have barriers, else by the work that is done."""
    return Step.PHASE if min(first.phases, second.phases) > 1 else Step.WORK


def waiting_words(first: tuple[int, str], second: tuple[int, str]) -> str:
    """Which of two, each a number of barrier intervals and a kernel, waits for the other; "" for neither."""
    (fewer, name), (more, other) = sorted((first, second))
    if fewer == more:
        return ""
    few = "no barrier" if fewer == 1 else f"{fewer} barrier intervals"
    return (
        f"{name} has {few} and waits at its end, because {other} has {more} barrier intervals. "
        "Align by work done to play both to the end."
    )


def second_leads(first: FrameFacts, second: FrameFacts, step: Step) -> bool:
    """Whether the second is the one to follow: it has more phases, or by its work or by its frames more frames.

    So nothing of either is left out, and the one with fewer phases waits at its end.
    """
    if step is Step.PHASE and first.phases != second.phases:
        return second.phases > first.phases
    return second.count > first.count


def partner(index: int, first: FrameFacts, second: FrameFacts, step: Step) -> int:
    """The frame of the second that goes with frame `index` of the first; the last goes with the last.

    It never goes back while `index` goes on.

    Raises:
        IndexError: the first has no such frame, or the second none at all.
    """
    if not 0 <= index < first.count:
        raise IndexError(f"frame {index}: the first has frames 0 to {first.count - 1}")
    if not second.count:
        raise IndexError("the second has no frames")
    if step is Step.FRAME:
        return second.count - 1 if index == first.count - 1 else min(index, second.count - 1)
    return _by_work(index, first, second) if step is Step.WORK else _by_phase(index, first, second)


def partners(first: FrameFacts, second: FrameFacts, step: Step) -> FrameIndices:
    """What `partner` says of each frame of the first, shape (first.count,), ascending.

    Raises:
        IndexError: the second has no frames.
    """
    if not second.count:
        raise IndexError("the second has no frames")
    if step is Step.WORK:
        found = np.minimum(np.searchsorted(second.shares, first.shares - _ROUNDING), second.count - 1)
    elif step is Step.FRAME:
        found = np.minimum(np.arange(first.count), second.count - 1)
    else:
        found = np.concatenate([np.zeros(0, np.int64), *_of_phases(first, second)])
    if step is not Step.PHASE and found.size:
        found[-1] = second.count - 1
    return found.astype(np.int32)


def _of_phases(first: FrameFacts, second: FrameFacts) -> Iterator[NDArray[np.int64]]:
    """The partners of the frames of each phase, in order."""
    ends, others = (np.append(facts.marks.barriers + 1, facts.count) for facts in (first, second))
    begin, other_begin = 0, 0
    for phase, end in enumerate(ends.tolist()):
        own = np.arange(begin, end) - begin
        other_end = int(others[phase]) if phase < others.size else second.count
        if own.size and other_begin >= second.count:
            yield np.full(own.size, second.count - 1)
        elif own.size:
            at = np.minimum(other_begin + own * (other_end - other_begin) // own.size, other_end - 1)
            at[-1] = other_end - 1
            yield at
        begin, other_begin = end, other_end


def leading(index: int, first: FrameFacts, second: FrameFacts, step: Step) -> int:
    """The earliest frame of the first with which frame `index` of the second goes, or a later one of the second."""
    found = bisect_left(range(first.count), index, key=lambda at: partner(at, first, second, step))
    return min(found, first.count - 1)


def _by_work(index: int, first: FrameFacts, second: FrameFacts) -> int:
    """The first frame of the second at whose end no less of its work is done."""
    if index == first.count - 1:
        return second.count - 1
    found = np.searchsorted(second.shares, first.shares[index] - _ROUNDING)
    return min(int(found), second.count - 1)


def _by_phase(index: int, first: FrameFacts, second: FrameFacts) -> int:
    """The same phase, and as far within it; the second stays at its last frame once its phases are over."""
    phase = int(np.searchsorted(first.marks.barriers, index))
    begin, end = _phase(first, phase)
    other_begin, other_end = _phase(second, phase)
    if other_begin >= second.count:
        return second.count - 1
    if index == end - 1:
        return other_end - 1
    return min(other_begin + (index - begin) * (other_end - other_begin) // (end - begin), other_end - 1)


def _phase(facts: FrameFacts, phase: int) -> tuple[int, int]:
    """The first frame of a phase and the one after its last; both `facts.count` beyond the last phase."""
    ends = facts.marks.barriers.tolist()
    begin = 0 if phase == 0 else ends[phase - 1] + 1 if phase <= len(ends) else facts.count
    return begin, ends[phase] + 1 if phase < len(ends) else facts.count
