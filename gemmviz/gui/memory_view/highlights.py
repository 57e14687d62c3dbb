"""What a thread, a warp or an element has to do with a frame: the elements to mark."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.elements import element_name
from gemmviz.domain.recordings.access import AccessKind, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.gui.memory_view.example import rectangles
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import Rectangle, bounding
from gemmviz.trace.frames.values import Frame


@dataclass(frozen=True, slots=True, eq=False)
class Marked:
    """Elements of one array: rows and columns, shape (n,), and what is done with them."""

    name: str
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    kind: AccessKind

    @property
    def box(self) -> Rectangle:
        return bounding(self.rows, self.columns)


@dataclass(frozen=True, slots=True, eq=False)
class Highlights:
    """What to mark: `now` in this frame, `path` the elements of all frames; `words` name who it is about."""

    now: tuple[Marked, ...] = ()
    path: tuple[tuple[str, Rectangle], ...] = ()
    words: str = ""


NOTHING = Highlights()
MOST_PARTS = 512
"""Rectangles that mark what a thread touches of an array."""


def of_threads(frame: Frame, first: int, last: int) -> tuple[Marked, ...]:
    """What threads `first` to `last` touch in a frame."""
    found = []
    for touch in frame.touches:
        chosen = (touch.access_thread >= first) & (touch.access_thread <= last)
        if chosen.any():
            rows, columns = np.divmod(np.unique(touch.access_element[chosen]), touch.array.columns)
            found.append(Marked(touch.array.name, rows, columns, touch.kind))
    return tuple(found)


def thread_marks(frames: Frames, frame: Frame, thread: int) -> Highlights:
    """What a thread touches in a frame, and what of A, B and C in all frames.

    Raises:
        IndexError: the block has no such thread.
    """
    path = frames.thread_path(thread)
    boxes = []
    for index, array in enumerate(frames.trace.arrays):
        here = path.array == index
        if here.any() and array.space is Space.GLOBAL:
            boxes += [(array.name, part) for part in _parts(path.row[here], path.column[here])]
    return Highlights(of_threads(frame, thread, thread), tuple(boxes), f"thread {thread}")


def _parts(rows: NDArray[np.integer], columns: NDArray[np.integer]) -> tuple[Rectangle, ...]:
    """Elements as rectangles; one around all where there are more than MOST_PARTS, which have no room each."""
    found = rectangles(rows, columns, MOST_PARTS + 1)
    return found if len(found) <= MOST_PARTS else (bounding(rows, columns),)


def warp_marks(frame: Frame, warp: int) -> Highlights:
    """What the threads of a warp touch in a frame."""
    return Highlights(of_threads(frame, warp * LANES, warp * LANES + LANES - 1), (), f"warp {warp}")


def element_marks(frame: Frame, name: str, row: int, column: int) -> Highlights:
    """The element itself where it lies: in its matrix, and in the shared slots that hold it when the frame ends."""
    found = [Marked(name, np.array([row]), np.array([column]), AccessKind.LOAD)]
    array = next((a for a in frame.arrays if a.name == name), None)
    for contents in frame.shared:
        after = contents.after
        if contents.array.name == name and after.origin[row, column] >= 0:
            matrix = "AB"[int(after.matrix[row, column])]
            source = next((a for a in frame.arrays if a.name == matrix), None)
            if source is not None:
                at = divmod(int(after.origin[row, column]), source.columns)
                found.append(Marked(matrix, np.array([at[0]]), np.array([at[1]]), AccessKind.LOAD))
        elif array is not None and name in ("A", "B"):
            here = (after.origin == row * array.columns + column) & (after.matrix == "AB".index(name))
            rows, columns = np.nonzero(here)
            if rows.size:
                found.append(Marked(contents.array.name, rows, columns, AccessKind.LOAD))
    return Highlights(tuple(found), (), element_name(name, row, column))
