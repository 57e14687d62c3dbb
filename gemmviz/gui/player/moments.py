"""The same moment in other frames: of the same block in another mode, or of another block of the launch. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gemmviz.explain.requests.frame_facts import FrameFacts

_ROUNDING = 1e-9


def first_frame(_: FrameFacts) -> int:
    """Where one begins who has not been anywhere yet."""
    return 0


@dataclass(frozen=True, slots=True, eq=False)
class FrameMoment:
    """Frame `index` of a block in one mode; called with other frames it gives the frame that holds the same moment."""

    before: FrameFacts
    index: int

    def __call__(self, after: FrameFacts) -> int:
        return same_moment(self.before, self.index, after)


def same_moment(before: FrameFacts, index: int, after: FrameFacts) -> int:
    """The frame of `after` that holds the moment at which frame `index` of `before` begins; the first stays the first.

    The same requests in another code are at the same one, and so is another block that has as many frames in this mode.
    Any other is where the same share of its requests is done at the middle of the frame, and at its last frame if
    `before` is.
    """
    if not 0 < index < before.count or after.count < 2:
        return 0
    is_same_block = after.trace.block == before.trace.block
    if is_same_block and after.mode is before.mode:
        return after.index_of_recorded(before.recorded_index(index))
    if after.mode is before.mode and after.count == before.count:
        return index
    if not is_same_block and index == before.count - 1:
        return after.count - 1
    begin, end = float(before.shares[index - 1]), float(before.shares[index])
    at = begin + _ROUNDING if is_same_block else (begin + end) / 2
    return min(int(np.searchsorted(after.shares, at)), after.count - 1)
