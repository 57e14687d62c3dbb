"""Which slots make which frame. A position is slot · warps + warp: the place of a warp request in lockstep order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace


class FrameMode(StrEnum):
    """How a trace is divided into frames.

    PHASE: one frame for each barrier interval. STEP: these cut further, into equal shares of their loop iterations.
    REQUEST: one frame for each warp and slot with an active lane; barriers have none.
    """

    PHASE = "barrier"
    STEP = "step"
    REQUEST = "request"

    @classmethod
    def _missing_(cls, value: object) -> FrameMode | None:
        return cls.PHASE if value == "phase" else None  # in files of earlier versions

    @property
    def words(self) -> str:
        """What one frame is: "barrier interval", "step" or "warp request"."""
        return _WORDS[self]


_WORDS = {FrameMode.PHASE: "barrier interval", FrameMode.STEP: "step", FrameMode.REQUEST: "warp request"}


@dataclass(frozen=True, slots=True, eq=False)
class FramePlan:
    """Columns of shape (frames,): frame i runs slots first[i] to last[i] - 1 of one warp, or of all (warp[i] is -1).

    `requests` counts the warp requests of each frame. `warps` is the number of warps of the block.
    """

    warps: int
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    warp: NDArray[np.int32]
    requests: NDArray[np.int64]

    def starts(self) -> NDArray[np.int64]:
        """The first position of each frame, ascending, shape (frames,)."""
        return self.first.astype(np.int64) * self.warps + np.maximum(self.warp, 0)

    def end(self, index: int) -> int:
        """The position after the last of a frame."""
        if self.warp[index] < 0:
            return int(self.last[index]) * self.warps
        return int(self.first[index]) * self.warps + int(self.warp[index]) + 1


@dataclass(frozen=True, slots=True)
class FrameSpan:
    """What a frame runs: slots `slots[0]` to `slots[1]` - 1 of warps `warps[0]` to `warps[1]` - 1."""

    mode: FrameMode
    slots: tuple[int, int]
    warps: tuple[int, int]


def plan_frames(trace: BlockTrace, mode: FrameMode, most_steps: int) -> FramePlan:
    """Divide a trace.

    A phase ends with a barrier slot at which some thread arrived, so a barrier in a branch that nobody took divides
    nothing, and with an epoch that ends without one, as where warps wait for each other in other ways; slots in which
    no lane is active at the end of the trace make no phase. In STEP mode an iteration begins
    at a slot whose site has run since the last iteration began; every phase gets a share of `most_steps` in proportion
    to its active slots, at least one, and its iterations are divided as evenly as they can be: into equal steps where
    more than half of its share allows it. There are never more steps than the larger of `most_steps` and the number of
    phases.
    """
    active = (trace.addresses != INACTIVE).any(axis=2)  # (warps, slots)
    warps = int(active.shape[0])
    is_barrier = trace.slot_site == BARRIER_SITE
    runs = active.any(axis=0)
    if mode is FrameMode.REQUEST:
        slot, warp = np.nonzero((active & ~is_barrier).T)
        first = slot.astype(np.int32)
        return FramePlan(warps, first, first + 1, warp.astype(np.int32), np.ones(slot.size, np.int64))
    bounds = _phase_bounds(runs, is_barrier, trace.slot_epoch)
    if mode is FrameMode.STEP:
        bounds = _step_bounds(trace.slot_site, runs & ~is_barrier, bounds, most_steps)
    done = np.concatenate(([0], np.cumsum((active & ~is_barrier).sum(axis=0))))
    first, last = bounds[:-1], bounds[1:]
    return FramePlan(warps, first, last, np.full(first.size, -1, np.int32), done[last] - done[first])


def _phase_bounds(
    runs: NDArray[np.bool_], is_barrier: NDArray[np.bool_], slot_epoch: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Where phases begin, and where the last ends, shape (phases + 1,)."""
    running = np.flatnonzero(runs)
    if running.size == 0:
        return np.zeros(1, np.int32)
    last = int(running[-1]) + 1
    ends = np.union1d(np.flatnonzero(runs & is_barrier), np.flatnonzero(np.diff(slot_epoch[:last]))) + 1
    if ends.size == 0 or ends[-1] != last:
        ends = np.append(ends, last)
    return np.concatenate(([0], ends)).astype(np.int32)


def _step_bounds(
    slot_site: NDArray[np.int32], runs: NDArray[np.bool_], phases: NDArray[np.int32], most_steps: int
) -> NDArray[np.int32]:
    """Where steps begin, and where the last ends: every phase's bounds, and cuts between its iterations."""
    done = np.concatenate(([0], np.cumsum(runs)))[phases]
    spare = max(most_steps - (phases.size - 1), 0)
    bounds: list[int] = [int(phases[0])]
    for i in range(phases.size - 1):
        share = 1 + spare * int(done[i + 1] - done[i]) // max(int(done[-1]), 1)
        begin = int(phases[i])
        slots = begin + np.flatnonzero(runs[begin : phases[i + 1]])
        iterations = _iterations(slots, slot_site[slots]) if share > 1 else []
        parts = _even(min(share, len(iterations)), len(iterations))
        bounds += [iterations[len(iterations) * part // parts] for part in range(1, parts)]
        bounds.append(int(phases[i + 1]))
    return np.array(bounds, np.int32)


def _even(most: int, iterations: int) -> int:
    """The most steps, at most `most`, that are all equal; `most` itself if these were half as many or fewer."""
    return next((parts for parts in range(most, most // 2, -1) if iterations % parts == 0), most)


def _iterations(slots: NDArray[np.intp], sites: NDArray[np.int32]) -> list[int]:
    """The slots at which an iteration begins: the first, and each whose site has run since the last beginning."""
    begins: list[int] = []
    seen: set[int] = set()
    for slot, site in zip(slots.tolist(), sites.tolist(), strict=True):
        if site in seen or not begins:
            begins.append(slot)
            seen.clear()
        seen.add(site)
    return begins
