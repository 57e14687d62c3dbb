"""What a frame shows of each element and of each shared slot, as arrays of small numbers for the painter's tables."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import OTHER, PADDING, UNWRITTEN, AccessKind, BlockTrace, MappedArray
from gemmviz.gui.memory_view.pooled import Pyramid
from gemmviz.gui.memory_view.timeline import NEVER, Timeline, Touched
from gemmviz.trace.frame_regions import Rectangle, bounding
from gemmviz.trace.frame_values import Frame, SharedContents

Roles = NDArray[np.uint8]


class Role(IntEnum):
    """What becomes of an element of a matrix; seen from far, the highest of a bin is shown."""

    UNTOUCHED = 0
    TO_COME = 1
    LOADED_BEFORE = 2
    STORED_BEFORE = 3
    LOADED_NOW = 4
    STORED_NOW = 5


class Slot(IntEnum):
    """What a shared slot holds; the flags STALE, READ and WRITTEN are added to it."""

    UNWRITTEN = 0
    ZERO = 1
    OTHER = 2
    A = 3
    B = 4
    UNUSED = 5


STALE, READ, WRITTEN = 8, 16, 32
"""Stored in an earlier phase than the newest store to the array; read, written in this frame."""
HELD = 7
"""The bits of a shade that are its Slot."""


class MatrixShade:
    """The roles of the elements of one matrix in one frame; everything outside `box` is UNTOUCHED."""

    def __init__(self, array: MappedArray, box: Rectangle, firsts: Firsts, frame: Frame, span: tuple[int, int]) -> None:
        self.array = array
        self.box = box
        self._firsts = firsts
        self._begin, self._end = span
        touched = ((frame.touch(array.name, kind), role) for kind, role in _NOW)
        self._now = tuple((touch, role) for touch, role in touched if touch is not None)
        self.now = tuple((touch.kind, touch.box) for touch, _ in self._now)

    def roles(self) -> Roles:
        """One Role for each element of `box`, shape (box.rows, box.columns)."""
        found = self._before(self._firsts.loaded.full, self._firsts.stored.full)
        for touch, role in self._now:
            found[touch.rows - self.box.row_start, touch.columns - self.box.column_start] = role
        return found

    def pooled(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Roles:
        """The highest Role in each bin; edges of bins, counted from the corner of `box`, shape (bins + 1,)."""
        found = self._before(self._firsts.loaded.pooled(rows, columns), self._firsts.stored.pooled(rows, columns))
        for touch, role in self._now:
            row, column = touch.rows - self.box.row_start, touch.columns - self.box.column_start
            seen = (row >= rows[0]) & (row < rows[-1]) & (column >= columns[0]) & (column < columns[-1])
            down = np.searchsorted(rows, row[seen], side="right") - 1
            across = np.searchsorted(columns, column[seen], side="right") - 1
            found[down, across] = role
        return found

    def to_come(self) -> Rectangle | None:
        """The rectangle around what is touched for the first time after this frame; None if nothing is."""
        rows, columns = (np.flatnonzero(latest >= self._end) for latest in self._firsts.latest)
        if rows.size == 0:
            return None
        top, left = self.box.row_start, self.box.column_start
        return Rectangle(int(rows[0]) + top, int(rows[-1]) + 1 + top, int(columns[0]) + left, int(columns[-1]) + 1 + left)

    def _before(self, loaded: NDArray[np.int32], stored: NDArray[np.int32]) -> Roles:
        found = np.zeros(loaded.shape, np.uint8)
        first = np.minimum(loaded, stored)
        found[(first >= self._end) & (first != NEVER)] = Role.TO_COME
        found[loaded < self._begin] = Role.LOADED_BEFORE
        found[stored < self._begin] = Role.STORED_BEFORE
        return found


class Firsts:
    """What all frames of a block have in common for one matrix: when its elements are touched first."""

    def __init__(self, touched: Touched) -> None:
        self.array, self.box = touched.array, touched.box
        self.loaded, self.stored = Pyramid(touched.loaded), Pyramid(touched.stored)
        first = np.minimum(touched.loaded, touched.stored)
        known = np.where(first == NEVER, -1, first)
        self.latest = tuple(known.max(axis=axis, initial=-1) for axis in (1, 0))
        """The latest first touch in each row, and in each column."""


@dataclass(frozen=True, slots=True, eq=False)
class SharedShade:
    """The slots of a shared array when a frame begins and when it ends: each a Slot with flags, shape (rows, columns).

    `read` and `written` are the rectangles around what the frame touches, None if nothing.
    """

    array: MappedArray
    before: Roles
    after: Roles
    contents: SharedContents
    read: Rectangle | None
    written: Rectangle | None

    def holds(self) -> str:
        """What lies there when the frame ends: "A[16:32, 32:48]", "" if no element of a matrix does."""
        said = []
        for matrix, name in enumerate("AB"):
            here = (self.contents.after.origin >= 0) & (self.contents.after.matrix == matrix)
            if here.any():
                said.append((name, self.contents.after.origin[here]))
        return " ".join(name for name, _ in said)


def shared_shade(trace: BlockTrace, timeline: Timeline, frame: Frame, contents: SharedContents) -> SharedShade:
    """The shades of one shared array in a frame."""
    array = contents.array
    begin, end = timeline.span(frame)
    unused = np.ones((array.rows, array.columns), np.bool_)
    touched = timeline.shared[array.name]
    box = touched.box
    unused[box.row_start : box.row_stop, box.column_start : box.column_stop] = (
        np.minimum(touched.loaded, touched.stored) == NEVER
    )
    shades = []
    for snapshot, until in ((contents.before, begin), (contents.after, end)):
        shade = held(snapshot.origin, snapshot.matrix)
        shade[unused & (shade == Slot.UNWRITTEN)] = Slot.UNUSED
        shade[_stale(trace, timeline, array, until) & (shade != Slot.UNWRITTEN)] |= STALE
        shades.append(shade)
    boxes: dict[AccessKind, Rectangle] = {}
    for kind, flag in ((AccessKind.LOAD, READ), (AccessKind.STORE, WRITTEN)):
        touch = frame.touch(array.name, kind)
        if touch is not None:
            shades[1][touch.rows, touch.columns] |= flag
            boxes[kind] = touch.box
    return SharedShade(
        array, shades[0], shades[1], contents, boxes.get(AccessKind.LOAD), boxes.get(AccessKind.STORE)
    )


def held(origin: NDArray[np.int64], matrix: NDArray[np.int8]) -> Roles:
    """The Slot of each slot of a snapshot, same shape."""
    found = np.where(matrix == 0, Slot.A, Slot.B).astype(np.uint8)
    for code, slot in ((UNWRITTEN, Slot.UNWRITTEN), (PADDING, Slot.ZERO), (OTHER, Slot.OTHER)):
        found[origin == code] = slot
    return found


def _stale(trace: BlockTrace, timeline: Timeline, array: MappedArray, until: int) -> NDArray[np.bool_]:
    """The slots whose last store before a position lies in an earlier epoch than the newest store to the array."""
    stores = timeline.stores[array.name]
    done = int(np.searchsorted(stores.position, until))
    epochs = np.full(array.rows * array.columns, -1, np.int64)
    if done:
        epochs[stores.element[:done]] = trace.slot_epoch[stores.position[:done] // timeline.warps]
    return ((epochs >= 0) & (epochs < epochs.max(initial=-1))).reshape(array.rows, array.columns)


def matrix_shade(timeline: Timeline, firsts: Firsts, frame: Frame) -> MatrixShade:
    """The shade of a matrix in a frame."""
    return MatrixShade(firsts.array, firsts.box, firsts, frame, timeline.span(frame))


_NOW = ((AccessKind.LOAD, Role.LOADED_NOW), (AccessKind.STORE, Role.STORED_NOW))

__all__ = [
    "HELD", "READ", "STALE", "WRITTEN", "Firsts", "MatrixShade", "Role", "SharedShade", "Slot", "bounding", "held",
    "matrix_shade", "shared_shade",
]  # fmt: skip
