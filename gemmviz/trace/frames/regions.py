"""Rectangles of elements, and how they are said: rows 16–31, columns 32–47 of A."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.elements import element_name, index_span
from gemmviz.domain.figures import count, counted
from gemmviz.domain.recordings.access import MappedArray


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


def region_words(array: MappedArray, rectangle: Rectangle) -> str:
    """Some elements as a reader says them: "rows 16–31, columns 32–47 of A", "C[1,2]", "elements 0–31 of sums".

    All of an array are "all of As".
    """
    if rectangle.size == 1:
        return array.name_of(rectangle.row_start, rectangle.column_start)
    if rectangle.size == array.rows * array.columns:
        return f"all of {array.name}"
    return f"{rows_and_columns(array, rectangle)} of {array.name}"


def touched_words(array: MappedArray, box: Rectangle, elements: int) -> str:
    """So many elements of a box: `region_words` if these are all, else "3 elements in rows 0–1, columns 0–3 of B",
    "3 of elements 0–7 of sums".
    """
    if elements == box.size:
        return region_words(array, box)
    if array.is_row and box.size < array.columns:
        return f"{count(elements)} of {region_words(array, box)}"
    where = "of" if box.size == array.rows * array.columns else f"in {rows_and_columns(array, box)} of"
    return f"{counted(elements, 'element')} {where} {array.name}"


def rows_and_columns(array: MappedArray, rectangle: Rectangle) -> str:
    """A part of a matrix: "rows 16–31, columns 32–47", "row 3, columns 0–3"; of an array of one row "elements 0–31"."""
    if array.is_row:
        return _span("element", rectangle.column_start, rectangle.column_stop)
    down = _span("row", rectangle.row_start, rectangle.row_stop)
    return f"{down}, {_span('column', rectangle.column_start, rectangle.column_stop)}"


def index_words(array: MappedArray, rectangle: Rectangle) -> str:
    """A part of a matrix as an index: "A[16–31,32–47]", "A[3,0–3]"; of an array of one row "elements 0–31"."""
    if array.is_row:
        return rows_and_columns(array, rectangle)
    down = index_span(rectangle.row_start, rectangle.row_stop)
    return element_name(array.name, down, index_span(rectangle.column_start, rectangle.column_stop))


def _span(noun: str, start: int, stop: int) -> str:
    return f"{noun}{'s'[: stop - start != 1]} {index_span(start, stop)}"
