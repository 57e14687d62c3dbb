"""What is known of a block's frames before one of them is made: how many, where barriers and hazards lie, the work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.explain.requests.machine_requests import MachineRequests
from gemmviz.trace.barriers import barriers_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode, plan_frames
from gemmviz.trace.hazards.barrier_faults import BarrierFault
from gemmviz.trace.hazards.rules.table import RULES

FrameIndices = NDArray[np.int32]
"""Frames, counted from 0, ascending, each once; shape (n,)."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameMarks:
    """Frames to be marked: those in which an epoch ends at a barrier, and those in which a hazard lies.

    Of hazards the first examples are known at once; `are_all` once every frame was looked for in which one takes place,
    but of races between blocks, which no block shows alone: `first_between_blocks` tells that there are such. `beside`
    are frames that go with those of another picture in which a hazard lies.
    """

    barriers: FrameIndices
    hazards: FrameIndices
    are_all: bool = False
    beside: FrameIndices = field(default_factory=lambda: np.zeros(0, np.int32))
    first_between_blocks: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class FrameFacts:
    """The frames of one block in one mode.

    `shares`, shape (count,), is the share of all warp requests done when each frame ends. `trace` is the recording
    they are made from. `hazards` are those of the block, each with the frame it lies in; `barriers_at_fault` are
    barriers at fault, each with its frame and its kind of hazard. `terms`, shape (count,), is the share of its K
    products that every sum of the block has been given when each frame ends, and `stored` the share of the block's
    elements of the result that are stored by then; None where that is not known. `merged` has the requests of the block
    in SASS beside those recorded, where they are known; `trace` is then either block, both of the same slots.
    """

    trace: BlockTrace
    mode: FrameMode
    count: int
    marks: FrameMarks
    shares: NDArray[np.float64]
    hazards: tuple[tuple[int, Hazard], ...] = ()
    barriers_at_fault: tuple[tuple[int, HazardKind, BarrierFault], ...] = ()
    terms: NDArray[np.float64] | None = None
    stored: NDArray[np.float64] | None = None
    merged: MachineRequests | None = None

    @property
    def work(self) -> NDArray[np.float64] | None:
        """How much is done when each frame ends: 0 to 1 for the products, 1 to 2 for the stores after them."""
        return self.terms if self.terms is None or self.stored is None else self.terms + self.stored

    @property
    def phases(self) -> int:
        """How often the block comes to a barrier, and once more."""
        return int(self.marks.barriers.size) + 1

    def recorded_index(self, index: int) -> int:
        """The frame that frame `index` is among those of the recorded requests: of one that SASS merged its first."""
        if not self._is_of_sass or self.merged is None:
            return index
        slot, warp = (int(column[index]) for column in self._requests(self.trace))
        return self._place(self.merged.recorded, self.merged.first_piece(warp, slot), warp)

    def index_of_recorded(self, index: int) -> int:
        """The frame that has the recorded request `index`; past the last where there is no such request."""
        if not self._is_of_sass or self.merged is None:
            return index
        slots, warps = self._requests(self.merged.recorded)
        if index >= slots.size:
            return self.count
        warp = int(warps[index])
        return self._place(self.trace, int(self.merged.trace.slot_of[warp, slots[index]]), warp)

    @property
    def _is_of_sass(self) -> bool:
        return self.merged is not None and self.trace is self.merged.trace.block

    @staticmethod
    def _requests(trace: BlockTrace) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        plan = plan_frames(trace, FrameMode.REQUEST, 1)
        return plan.first, plan.warp

    def _place(self, trace: BlockTrace, slot: int, warp: int) -> int:
        slots, warps = self._requests(trace)
        return int(np.argmax((slots == slot) & (warps == warp)))

    def hazards_in(self, index: int) -> tuple[Hazard, ...]:
        """The hazards that lie in a frame."""
        return tuple(hazard for frame, hazard in self.hazards if frame == index)

    def frame_of(self, hazard: Hazard) -> int | None:
        """The frame a hazard lies in, also one that another recording of the block found; None for another block's."""
        return next((frame for frame, each in self.hazards if _what(each) == _what(hazard)), None)


def facts_of(frames: Frames, hazards: Sequence[Hazard], merged: MachineRequests | None = None) -> FrameFacts:
    """What there is to know of them; hazards of other blocks count for nothing."""
    if not len(frames):
        return FrameFacts(frames.trace, frames.mode, 0, NO_MARKS, frames.shares(), merged=merged)
    placed = placed_hazards(frames, hazards)
    marks = FrameMarks(barrier_frames(frames), _distinct([frame for frame, _ in placed]))
    return FrameFacts(
        frames.trace,
        frames.mode,
        len(frames),
        marks,
        _shares(frames, merged),
        placed,
        _barriers_at_fault(frames, hazards),
        merged=merged,
    )


def _shares(frames: Frames, merged: MachineRequests | None) -> NDArray[np.float64]:
    """The share of all recorded warp requests done when each frame ends; of merged ones all with the one of SASS."""
    if merged is None or frames.trace is not merged.trace.block:
        return frames.shares()
    slot, warp = np.nonzero((is_active(merged.recorded) & (merged.recorded.slot_site != BARRIER_SITE)).T)
    at = frames.frames_at(merged.trace.slot_of[warp, slot].astype(np.int64) * merged.recorded.addresses.shape[0] + warp)
    return np.cumsum(np.bincount(at, minlength=len(frames))) / max(slot.size, 1)


def is_active(trace: BlockTrace) -> NDArray[np.bool_]:
    """Whether a warp has an active lane in a slot, shape (warps, slots)."""
    active: NDArray[np.bool_] = np.any(trace.addresses != INACTIVE, axis=2)
    return active


def barrier_frames(frames: Frames) -> FrameIndices:
    """The frames that end at a barrier; of warp requests, the last before one."""
    trace = frames.trace
    barriers = barriers_of(trace)
    reached = barriers.slots[barriers.reached]
    last_warp = trace.addresses.shape[0] - 1
    return _distinct([frames.frame_at(slot, last_warp) for slot in reached.tolist()])


def placed_hazards(frames: Frames, hazards: Sequence[Hazard]) -> tuple[tuple[int, Hazard], ...]:
    """The hazards of this block, each with the frame in which its first access at fault lies."""
    trace = frames.trace
    here = [(RULES[hazard.kind].place(trace, hazard), hazard) for hazard in hazards if hazard.block == trace.block]
    return tuple((frames.frame_at(*place), hazard) for place, hazard in here if place is not None)


def _barriers_at_fault(frames: Frames, hazards: Sequence[Hazard]) -> tuple[tuple[int, HazardKind, BarrierFault], ...]:
    last_warp = frames.trace.addresses.shape[0] - 1
    return tuple(
        (frames.frame_at(fault.slot, last_warp), kind, fault)
        for kind in dict.fromkeys(hazard.kind for hazard in hazards)
        if (barriers := RULES[kind].barriers) is not None
        for fault in barriers(frames.trace)
    )


def _what(hazard: Hazard) -> tuple[object, ...]:
    return hazard.kind, hazard.line, hazard.block, hazard.sites


def _distinct(indices: list[int]) -> FrameIndices:
    return np.unique(np.array(indices, np.int32))


NO_FRAMES = _distinct([])
NO_MARKS = FrameMarks(NO_FRAMES, NO_FRAMES)
