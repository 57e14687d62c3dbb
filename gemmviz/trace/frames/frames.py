"""From a trace to the frames of its animation. Pure: frames depend on the trace alone and touch no clock."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, AccessKind, BlockTrace, SharedSnapshot, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.access import LaneAccesses, decode
from gemmviz.trace.frames.arrivals import arriving_slots, slots_filled
from gemmviz.trace.frames.build import (
    check_trace,
    outside_of,
    path_of,
    request_of,
    sites_of,
    touches_by_path,
    touches_of,
)
from gemmviz.trace.frames.caption import head, phase_clauses, request_clauses
from gemmviz.trace.frames.history import AccessHistory
from gemmviz.trace.frames.other_paths import OTHER_PATHS, moved_clauses
from gemmviz.trace.frames.plan import FrameMode, FrameSpan, plan_frames
from gemmviz.trace.frames.shared import SharedTimeline
from gemmviz.trace.frames.values import Frame, Heat, SharedContents, ThreadPath, Touch

MOST_STEPS = 64
"""How many frames a kernel without barriers is cut into, unless the caller says otherwise."""

MOST_KEPT = 4096
"""Slots of a trace up to which the accesses of a warp are kept between questions: some megabytes."""


class Frames:
    """The frames of one block's trace in one mode, each made when asked for.

    `most_steps` bounds the frames of STEP mode (see `plan_frames`) and means nothing in the others. `codes` names the
    code that the requests of some sites are of, by the site's index, for the captions of REQUEST mode. Not for several
    threads at once: counts are kept between questions.

    Raises:
        ValueError: the trace's columns do not fit each other, a snapshot does not fit its array, or `most_steps` < 1.
    """

    def __init__(
        self,
        trace: BlockTrace,
        mode: FrameMode = FrameMode.PHASE,
        most_steps: int = MOST_STEPS,
        codes: Mapping[int, str] | None = None,
    ) -> None:
        if most_steps < 1:
            raise ValueError(f"at most {most_steps} steps: give 1 or more")
        check_trace(trace)
        self.trace = trace
        self.mode = mode
        self._codes = codes or {}
        self._plan = plan_frames(trace, mode, most_steps)
        self._starts = self._plan.starts()
        self._arriving = arriving_slots(trace)
        self._history = AccessHistory(trace)
        self._shared = SharedTimeline(trace, self._history)
        self._of_warp: tuple[int, LaneAccesses] | None = None

    def __len__(self) -> int:
        return int(self._plan.first.size)

    def span(self, index: int) -> FrameSpan:
        """What frame `index` runs, without making it.

        Raises:
            IndexError: there is no such frame.
        """
        self._check(index)
        plan, warp = self._plan, int(self._plan.warp[index])
        warps = (0, plan.warps) if warp < 0 else (warp, warp + 1)
        return FrameSpan(self.mode, (int(plan.first[index]), int(plan.last[index])), warps)

    def frame(self, index: int) -> Frame:
        """Frame `index`, counted from 0.

        Raises:
            IndexError: there is no such frame.
        """
        trace, span = self.trace, self.span(index)
        (first, last), warps, warp = span.slots, span.warps, int(self._plan.warp[index])
        accesses = decode(trace, np.arange(first, last), warps)
        touches, outside = touches_of(trace, accesses), outside_of(accesses)
        epoch = int(trace.slot_epoch[last - 1])
        shared = self._contents(index, epoch)
        ends = warp < 0 and bool(
            trace.slot_site[last - 1] == BARRIER_SITE and np.any(trace.addresses[:, last - 1] != INACTIVE)
        )
        request = request_of(trace, accesses, first, warp) if warp >= 0 else None
        if request is None:
            plain, moved = self._by_instructions(accesses, touches)
            deed = phase_clauses(plain, shared, outside.thread.size, ends, moved)
        else:
            arrives, code = bool(self._arriving[first]), self._codes.get(request.site.index, "")
            deed = request_clauses(request, touches, outside.thread.size, arrives=arrives, code=code)
        caption = f"{head(self.mode, index, len(self))}: {deed}"
        return Frame(
            index,
            len(self),
            self.mode,
            trace.block,
            epoch,
            (first, last),
            warps,
            ends,
            trace.arrays,
            sites_of(trace, accesses),
            touches,
            outside,
            shared,
            request,
            caption,
        )

    def heat(self, name: str, index: int, kind: AccessKind = AccessKind.LOAD) -> Heat:
        """How often each element of an array was touched up to and including frame `index`; the last has it all.

        Raises:
            IndexError: there is no such frame.
            KeyError: there is no such array.
        """
        self._check(index)
        array = self._array(name)
        counts = self._history.counts(array, kind, self._plan.end(index))
        return Heat(self.trace.arrays[array], self._history.track(array, kind).box, counts)

    def last_stored(self, name: str, index: int) -> NDArray[np.int32]:
        """The frame that last stored each element of an array, up to frame `index`; -1 if none, shape (rows, columns).

        Meant for shared arrays: `index` minus it is the age of what lies there, in frames.

        Raises:
            IndexError: there is no such frame.
            KeyError: there is no such array.
        """
        self._check(index)
        array = self._array(name)
        track, shape = self._history.track(array, AccessKind.STORE), self.trace.arrays[array]
        cells = track.between(0, self._plan.end(index))
        newest = np.full(track.box.size, -1, np.int32)
        newest[cells] = self.frames_at(track.position[: cells.size])  # of repeated cells the last one stays
        stored = np.full((shape.rows, shape.columns), -1, np.int32)
        box = track.box
        stored[box.row_start : box.row_stop, box.column_start : box.column_stop] = newest.reshape(box.rows, box.columns)
        return stored

    def thread_path(self, thread: int) -> ThreadPath:
        """The elements a thread touches, frame by frame.

        Raises:
            IndexError: the block has no such thread.
        """
        if not 0 <= thread < self.trace.threads:
            raise IndexError(f"thread {thread}: the block has threads 0 to {self.trace.threads - 1}")
        return path_of(self.trace, self._accesses_of(thread), thread, self.frames_at)

    def _accesses_of(self, thread: int) -> LaneAccesses:
        """The accesses of a thread, and where there are few also those of its warp, which are kept: who asks for the
        path of a thread of a small block asks for the next one's, too.
        """
        warp, lane = divmod(thread, LANES)
        if self.trace.slot_site.size > MOST_KEPT:
            slots = np.flatnonzero(self.trace.addresses[warp, :, lane] != INACTIVE)
            return decode(self.trace, slots, (warp, warp + 1))
        kept = self._of_warp
        if kept is None or kept[0] != warp:
            kept = warp, decode(self.trace, np.arange(self.trace.slot_site.size), (warp, warp + 1))
            self._of_warp = kept  # as one, since frames may be asked for on another thread meanwhile
        return kept[1]

    def at_barrier(self, name: str, epoch: int) -> SharedSnapshot | None:
        """What a shared array holds at the barrier that ends an epoch, or at the nearest one after it where that is not
        known, else at the last; None where nothing is known.
        """
        return self._shared.at_barrier(name, epoch)

    def frame_at(self, slot: int, warp: int = 0) -> int:
        """The frame in which a warp runs a slot, or the last one that began before it; 0 before the first.

        Raises:
            IndexError: the trace has no such slot or warp.
        """
        warps, slots, _ = self.trace.addresses.shape
        if not (0 <= slot < slots and 0 <= warp < warps):
            raise IndexError(f"slot {slot} of warp {warp}: there are {slots} slots and {warps} warps")
        return int(self.frames_at(np.array([slot * warps + warp]))[0])

    def frames_at(self, positions: NDArray[np.integer]) -> NDArray[np.int32]:
        """The frames of positions (slot · warps + warp), shape (n,), as `frame_at` tells them; for any thread."""
        return np.maximum(np.searchsorted(self._starts, positions, side="right") - 1, 0).astype(np.int32)

    def frames_of_line(self, line: int) -> NDArray[np.int32]:
        """The frames in which a source line runs, ascending, shape (n,); none if it never does."""
        sites = [site.index for site in self.trace.sites if site.line == line]
        slots = np.flatnonzero(np.isin(self.trace.slot_site, sites) & (self.trace.slot_site != BARRIER_SITE))
        slot, warp = np.nonzero((self.trace.addresses[:, slots] != INACTIVE).any(axis=2).T)
        return np.unique(self.frames_at(slots[slot] * self._plan.warps + warp))

    def shares(self) -> NDArray[np.float64]:
        """The share of all warp requests done when each frame ends, ascending to 1.0, shape (frames,)."""
        done = np.cumsum(self._plan.requests)
        return done / max(int(done[-1]), 1) if done.size else np.zeros(0)

    def ends(self) -> NDArray[np.int64]:
        """The position after the last of each frame, shape (frames,)."""
        return np.array([self._plan.end(index) for index in range(len(self))], np.int64)

    def _by_instructions(
        self, accesses: LaneAccesses, touches: tuple[Touch, ...]
    ) -> tuple[tuple[Touch, ...], tuple[tuple[int, str], ...]]:
        """What load and store instructions touch, and clauses for what moves by other ways."""
        other = [site.index for site in self.trace.sites if site.path in OTHER_PATHS]
        is_other = np.isin(accesses.site, other)
        if not is_other.any():
            return touches, ()
        filled = slots_filled(accesses, self._arriving)
        moved = moved_clauses(touches_by_path(self.trace, accesses.only(is_other)), filled)
        return touches_of(self.trace, accesses.only(~is_other)), moved

    def _contents(self, index: int, epoch: int) -> tuple[SharedContents, ...]:
        begin, end = int(self._starts[index]), self._plan.end(index)
        return tuple(
            SharedContents(array, self._shared.at(i, begin, epoch), self._shared.at(i, end, epoch))
            for i, array in enumerate(self.trace.arrays)
            if array.space is Space.SHARED
        )

    def _array(self, name: str) -> int:
        for i, array in enumerate(self.trace.arrays):
            if array.name == name:
                return i
        raise KeyError(f"there is no array {name}: the trace has {', '.join(a.name for a in self.trace.arrays)}")

    def _check(self, index: int) -> None:
        if not 0 <= index < len(self):
            raise IndexError(f"frame {index}: there are frames 0 to {len(self) - 1}")


def natural_mode(trace: BlockTrace) -> FrameMode:
    """The mode that suits a block best: PHASE if there are three phases (load, compute, store) or more, else STEP."""
    phases = plan_frames(trace, FrameMode.PHASE, MOST_STEPS).first.size
    return FrameMode.PHASE if phases >= 3 else FrameMode.STEP
