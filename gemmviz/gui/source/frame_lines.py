"""Which lines a frame runs, which frame runs a line next, how far to scroll for it. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gemmviz.trace.frame_values import Frame

MARGIN = 2
"""Lines shown above and below those that run, where there is room."""


def lines_of_frame(frame: Frame | None) -> tuple[int, ...]:
    """The source lines that run in a frame, ascending, from 1; none without a frame."""
    return () if frame is None else frame.lines


def next_frame_of(frames_of_line: NDArray[np.int32], current: int) -> int | None:
    """The next frame after `current` of those that run a line, or else the first of them; None if it never runs.

    `frames_of_line` ascend, shape (n,), as `Frames.frames_of_line` gives them.
    """
    if not frames_of_line.size:
        return None
    place = int(np.searchsorted(frames_of_line, current, side="right"))
    return int(frames_of_line[place if place < frames_of_line.size else 0])


def top_row_for(rows: Sequence[int], top: int, visible: int) -> int:
    """The row to show at the top so that `rows` are seen, given that `top` is there now and `visible` rows fit.

    Moves as little as that takes, and not at all where they are seen already. Where they do not all fit, the first do.
    """
    if not rows or visible < 1:
        return top
    first, last = min(rows), max(rows)
    if top <= first and last < top + visible:
        return top
    margin = min(MARGIN, max(visible - (last - first + 1), 0) // 2)
    if first < top or last - first >= visible:
        return max(first - margin, 0)
    return max(last + margin - visible + 1, 0)
