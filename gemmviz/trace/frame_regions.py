"""Rectangles of elements, and how they are written: A[16:32, 32:48]."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import MappedArray, Space


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Elements of a matrix: rows `row_start` to `row_stop` - 1, columns `column_start` to `column_stop` - 1."""

    row_start: int
    row_stop: int
    column_start: int
    column_stop: int

    @property
    def rows(self) -> int:
        return self.row_stop - self.row_start

    @property
    def columns(self) -> int:
        return self.column_stop - self.column_start

    @property
    def size(self) -> int:
        """Elements in it."""
        return self.rows * self.columns

    def holds(self, row: int, column: int) -> bool:
        """Whether the element lies in it."""
        return self.row_start <= row < self.row_stop and self.column_start <= column < self.column_stop


EMPTY = Rectangle(0, 0, 0, 0)


def bounding(rows: NDArray[np.integer], columns: NDArray[np.integer]) -> Rectangle:
    """The smallest rectangle around the elements (rows[i], columns[i]), both of shape (n,); EMPTY if there are none."""
    if rows.size == 0:
        return EMPTY
    return Rectangle(int(rows.min()), int(rows.max()) + 1, int(columns.min()), int(columns.max()) + 1)


def label(array: MappedArray, rectangle: Rectangle) -> str:
    """How a reader writes it: "A[16:32, 32:48]", "A[3, 0:4]", "C[1, 2]"; a shared row has one index, "sums[0:32]"."""
    columns = _extent(rectangle.column_start, rectangle.column_stop)
    if array.rows == 1 and array.space is Space.SHARED:
        return f"{array.name}[{columns}]"
    return f"{array.name}[{_extent(rectangle.row_start, rectangle.row_stop)}, {columns}]"


def _extent(start: int, stop: int) -> str:
    return str(start) if stop - start == 1 else f"{start}:{stop}"
