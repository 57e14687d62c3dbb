"""Two kernels side by side: the moments at which a frame of either begins, and which frames they show. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gemmviz.explain.requests.frame_facts import FrameFacts, FrameIndices

Floats = NDArray[np.float64]

_DIGITS = 9
"""Decimals to which shares are compared: that of the same work may be a quotient of other numbers."""


class PairStep(StrEnum):
    """What the frames of two kernels are aligned by: barrier intervals, the share of the work that is done, or frames.

    WORK means the products added to each sum and then the elements of C stored, or all requests where it is not known
    how far the sums have come. FRAME goes on by one frame in both, until the one with fewer frames waits at its end.
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


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """What one or two pictures show, moment after moment: `frames` has the frame of each, shape (count,), and at every
    moment after the first one picture or both go on by one frame, so that no frame is left out.

    `leader` is the picture whose barriers are marked: 0 for the first, 1 for the second.
    """

    frames: tuple[FrameIndices, ...]
    leader: int = 0

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.frames[0].size) if self.frames else 0

    def showing(self, side: int, frames: FrameIndices) -> FrameIndices:
        """The first moment at which picture `side` shows each of some frames."""
        found = np.searchsorted(self.frames[side], frames)
        return np.unique(np.minimum(found, max(self.count - 1, 0))).astype(np.int32)

    def first_showing(self, side: int, index: int) -> int:
        """The first moment at which picture `side` shows a frame; the last one for a frame that is not there."""
        return min(int(np.searchsorted(self.frames[side], index)), max(self.count - 1, 0))

    def nearest(self, first: int, second: int) -> int:
        """The moment that shows a frame of the first and one of the second; without one, the first of the former."""
        both = np.flatnonzero((self.frames[0] == first) & (self.frames[-1] == second))
        return int(both[0]) if both.size else self.first_showing(0, first)


def moments_alone(facts: FrameFacts) -> Moments:
    """Those of one picture: its frames."""
    return Moments((np.arange(facts.count, dtype=np.int32),))


def moments_of(first: FrameFacts, second: FrameFacts, step: PairStep) -> Moments:
    """Those of two pictures that both have frames.

    By work or by frames, the frame of either comes next that ends earliest; frames that end together come together. So
    both reach at once what both ever reach, and neither is ahead by more than a frame. By barrier interval, both enter
    an interval together, and each waits at its end for the other.
    """
    begins_together = step is PairStep.PHASE
    at_frames = (_intervals(first, 0), _intervals(second, 0)) if begins_together else _ends(first, second, step)
    own, others = _keys(*at_frames)
    at = np.unique(np.concatenate([own[1:], others[1:]]))
    frames = tuple(
        np.concatenate([[0], np.searchsorted(keys[1:], at, side="right")]).astype(np.int32) for keys in (own, others)
    )
    return Moments(frames, int(second.phases > first.phases))


def _ends(first: FrameFacts, second: FrameFacts, step: PairStep) -> tuple[Floats, Floats]:
    """How far each is when each of its frames ends, in what they are aligned by."""
    if step is PairStep.FRAME:
        return np.arange(first.count, dtype=np.float64), np.arange(second.count, dtype=np.float64)
    if step is PairStep.PHASE:
        return _intervals(first, 1), _intervals(second, 1)
    work, others = first.work, second.work
    return (first.shares, second.shares) if work is None or others is None else (work, others)


def _intervals(facts: FrameFacts, more: int) -> Floats:
    """The barrier intervals before each frame, or before the `more`-th after it; within one all frames are equal."""
    bounds = np.unique(np.concatenate([[0], facts.marks.barriers + 1, [facts.count]]))
    return np.round(np.interp(np.arange(facts.count) + more, bounds, np.arange(bounds.size)), _DIGITS)


def _keys(ends: Floats, others: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number for each frame of two kernels, ascending: the same for frames that end together, of several that end
    after the same work for the first of both, the second of both, and so on.
    """
    places = np.unique(np.round(np.concatenate([ends, others]), _DIGITS), return_inverse=True)[1]
    most = max(ends.size, others.size) + 1
    return _numbered(places[: ends.size], most), _numbered(places[ends.size :], most)


def _numbered(places: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """`most` for each place, and how many frames after frame 0 have stood there before."""
    begins = np.maximum(np.searchsorted(places, places), 1)
    return (places * most + np.maximum(np.arange(places.size) - begins, 0)).astype(np.int64)
