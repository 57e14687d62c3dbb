"""What a frame shows of each element of a matrix, as arrays of small numbers for the painter's tables."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, MappedArray
from gemmviz.explain.block.pooled import Pyramid
from gemmviz.explain.block.timeline import NEVER, Timeline, Touched
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Frame

Roles = NDArray[np.uint8]


class ElementRole(IntEnum):
    """What becomes of an element of a matrix; seen from far, the highest of a bin is shown."""

    UNTOUCHED = 0
    TO_COME = 1
    LOADED_BEFORE = 2
    STORED_BEFORE = 3
    LOADED_NOW = 4
    STORED_NOW = 5


_NOW = ((AccessKind.LOAD, ElementRole.LOADED_NOW), (AccessKind.STORE, ElementRole.STORED_NOW))


class MatrixShade:
    """The roles of the elements of one matrix in one frame; everything outside `box` is UNTOUCHED."""

    def __init__(self, array: MappedArray, box: Rectangle, firsts: Firsts, frame: Frame, span: tuple[int, int]) -> None:
        self.array = array
        self.box = box
        self._firsts = firsts
        self._begin, self._end = span
        touched = ((frame.touch(array.name, kind), role) for kind, role in _NOW)
        self._now = tuple((touch, role) for touch, role in touched if touch is not None)

    def roles(self) -> Roles:
        """One Role for each element of `box`, shape (box.rows, box.columns)."""
        found = self._before(self._firsts.loaded.full, self._firsts.stored.full)
        for touch, role in self._now:
            found[touch.rows - self.box.row_start, touch.columns - self.box.column_start] = role
        return found

    def is_stored(self, row: int, column: int, *, arrived: bool = True) -> bool:
        """Whether an element has been stored when the frame ends, or when it begins."""
        if not self.box.holds(row, column):
            return False
        return bool(self.stored(arrived=arrived)[row - self.box.row_start, column - self.box.column_start])

    def stored(self, *, arrived: bool = True) -> NDArray[np.bool_]:
        """Which elements of `box` have been stored when the frame ends, or when it begins."""
        return self._firsts.stored.full < (self._end if arrived else self._begin)

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
        return Rectangle(
            int(rows[0]) + top, int(rows[-1]) + 1 + top, int(columns[0]) + left, int(columns[-1]) + 1 + left
        )

    def _before(self, loaded: NDArray[np.int32], stored: NDArray[np.int32]) -> Roles:
        found = np.zeros(loaded.shape, np.uint8)
        first = np.minimum(loaded, stored)
        found[(first >= self._end) & (first != NEVER)] = ElementRole.TO_COME
        found[loaded < self._begin] = ElementRole.LOADED_BEFORE
        found[stored < self._begin] = ElementRole.STORED_BEFORE
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


def matrix_shade(timeline: Timeline, firsts: Firsts, frame: Frame) -> MatrixShade:
    """The shade of a matrix in a frame."""
    return MatrixShade(firsts.array, firsts.box, firsts, frame, timeline.span(frame))
