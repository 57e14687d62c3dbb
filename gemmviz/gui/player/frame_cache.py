"""Frames that were made already: the least recently used go when there are too many bytes."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from numpy.typing import NDArray

from gemmviz.trace.frames.values import Frame

MOST_BYTES = 64 * 2**20


class FrameCache:
    """Keeps frames by index. The newest is kept whatever its size."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._frames: OrderedDict[int, tuple[Frame, int]] = OrderedDict()
        self._nbytes = 0

    def __contains__(self, index: int) -> bool:
        """Whether the frame is kept; asking does not count as use."""
        return index in self._frames

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays of the frames kept."""
        return self._nbytes

    def get(self, index: int) -> Frame | None:
        """The frame, or None."""
        if index not in self._frames:
            return None
        self._frames.move_to_end(index)
        return self._frames[index][0]

    def put(self, frame: Frame) -> None:
        """Keep a frame."""
        _, before = self._frames.pop(frame.index, (None, 0))
        nbytes = frame_bytes(frame)
        self._frames[frame.index] = (frame, nbytes)
        self._nbytes += nbytes - before
        while self._nbytes > self._most_bytes and len(self._frames) > 1:
            _, (_, freed) = self._frames.popitem(last=False)
            self._nbytes -= freed

    def clear(self) -> None:
        """Keep none."""
        self._frames.clear()
        self._nbytes = 0


def frame_bytes(frame: Frame) -> int:
    """Bytes of the arrays of a frame."""
    arrays: list[NDArray[Any]] = [frame.out_of_bounds.thread, frame.out_of_bounds.site, frame.out_of_bounds.address]
    for touch in frame.touches:
        arrays += [touch.rows, touch.columns, touch.counts, touch.access_thread, touch.access_element]
    for held in frame.shared:
        arrays += [held.before.origin, held.before.matrix, held.after.origin, held.after.matrix]
    return sum(int(array.nbytes) for array in arrays)
