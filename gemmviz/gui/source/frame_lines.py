"""Which lines a frame runs, which frame runs a line next, how far to scroll for it. No Qt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.trace.barriers import barriers_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame

MARGIN = 2
"""Lines shown above and below those that run, where there is room."""


def lines_of_frame(frame: Frame | None, block: BlockTrace | None = None) -> tuple[int, ...]:
    """The source lines that run in a frame, ascending, from 1; none without a frame.

    With the block's trace also that of the barrier at which the frame ends, where the recording names its barriers.
    """
    if frame is None:
        return ()
    line = barrier_line(frame, block) if block is not None else 0
    return tuple(sorted({*frame.lines, line})) if line else frame.lines


def barrier_line(frame: Frame, block: BlockTrace) -> int:
    """The line of the barrier a frame ends at; 0 if it ends at none, or at one that is not named."""
    if not frame.ends_at_barrier:
        return 0
    return barriers_of(block).place_at(frame.slots[1] - 1).line


def frames_of_line(frames: Frames, line: int) -> NDArray[np.int32]:
    """The frames in which a line runs, or which end at a barrier of it, ascending, shape (n,). For the frames' thread.

    Between warp requests a barrier has no frame of its own: the last one before it stands for it.
    """
    trace = frames.trace
    barriers = barriers_of(trace)
    is_there = np.array([place.line == line for place in barriers.places], np.bool_) & barriers.reached
    last_warp = trace.addresses.shape[0] - 1
    ends = [frames.frame_at(slot, last_warp) for slot in barriers.slots[is_there].tolist()]
    return np.union1d(frames.frames_of_line(line), np.array(ends, np.int32)).astype(np.int32)


def next_frame_of(frames_of_line: NDArray[np.int32], current: int) -> int | None:
    """The next frame after `current` of those that run a line, or else the first of them; None if it never runs.

    `frames_of_line` ascend, shape (n,), as `Frames.frames_of_line` gives them.
    """
    if not frames_of_line.size:
        return None
    place = int(np.searchsorted(frames_of_line, current, side="right"))
    return int(frames_of_line[place if place < frames_of_line.size else 0])


def top_for(first: int, end: int, top: int, room: int, row: int) -> int:
    """The pixel to show at the top so that the pixels `first` to `end` are seen, given that `top` is there now and
    `room` pixels fit; a line is `row` pixels high.

    Moves as little as that takes, and not at all where they are seen already. Where they do not all fit, the first do.
    """
    if room < row or (top <= first and end <= top + room):
        return top
    margin = min(MARGIN * row, max(room - (end - first), 0) // 2)
    if first < top or end - first > room:
        return max(first - margin, 0)
    return max(end + margin - room, 0)
