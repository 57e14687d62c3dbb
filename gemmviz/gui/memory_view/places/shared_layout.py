"""Arrays as grids of cells in the layout: the shared arrays, and pieces of A, B and C seen enlarged."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.recordings.access import MappedArray
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Touch
from gemmviz.trace.model.rules import BANKS

_SLENDER = 2
"""Lines over columns; a broken row that would be more slender gets longer lines."""


@dataclass(frozen=True, slots=True)
class SharedArrayPlace:
    """An array in the layout: `rows` x `columns` cells fill `box`; a row of slots is broken after `columns`."""

    array: MappedArray
    box: Box
    rows: int
    columns: int

    def slot_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Row and column of the slot at a point of the layout."""
        if not self.box.holds(x, y):
            return None
        row = min(int((y - self.box.y) / self.box.height * self.rows), self.rows - 1)
        column = min(int((x - self.box.x) / self.box.width * self.columns), self.columns - 1)
        index = row * self.columns + column
        return divmod(index, self.array.columns) if index < self.array.rows * self.array.columns else None

    def cell_of(self, row: int, column: int) -> Box:
        """Where a slot lies in the layout."""
        down, across = divmod(row * self.array.columns + column, self.columns)
        return self.box.part(self.rows, self.columns, down, across)

    def part_of(self, part: Rectangle) -> Box:
        """Where a rectangle of slots lies; of a broken row the lines that hold it."""
        if not self.is_broken:
            return self.box.part(self.rows, self.columns, part.row_start, part.column_start, part.rows, part.columns)
        first = self.cell_of(part.row_start, part.column_start)
        last = self.cell_of(max(part.row_stop - 1, part.row_start), max(part.column_stop - 1, part.column_start))
        whole = first.y != last.y
        left, right = (self.box.x, self.box.right) if whole else (first.x, last.right)
        return Box(left, first.y, right - left, last.bottom - first.y)

    @property
    def is_broken(self) -> bool:
        return self.columns != self.array.columns


@dataclass(frozen=True, slots=True)
class Lens:
    """The elements `part` of a matrix, seen enlarged. `read` is how threads have read them; None for sums."""

    name: str
    part: Rectangle
    place: SharedArrayPlace
    read: Touch | None = None

    def element_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Row and column, in the matrix, of the element at a point of the layout."""
        found = self.place.slot_at(x, y)
        return None if found is None else (found[0] + self.part.row_start, found[1] + self.part.column_start)

    def seen(self, part: Rectangle) -> Box | None:
        """Where elements of the matrix are seen through it; None if they are not."""
        row, column = max(part.row_start, self.part.row_start), max(part.column_start, self.part.column_start)
        row_stop, column_stop = min(part.row_stop, self.part.row_stop), min(part.column_stop, self.part.column_stop)
        if row >= row_stop or column >= column_stop:
            return None
        top, left = self.part.row_start, self.part.column_start
        return self.place.part_of(Rectangle(row - top, row_stop - top, column - left, column_stop - left))


def cells_of(rows: int, columns: int) -> tuple[int, int]:
    """Rows and columns of cells an array is drawn in.

    A long row is broken after as many slots as there are banks, or a multiple: a line of the picture is then whole rows
    of banks.
    """
    if rows == 1 and columns > BANKS:
        across = BANKS
        while -(-columns // across) > _SLENDER * across:
            across *= 2
        return -(-columns // across), across
    return rows, columns
