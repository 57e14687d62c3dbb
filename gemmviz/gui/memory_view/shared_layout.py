"""Where the shared arrays lie in the corner that paper leaves empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain.access import MappedArray
from gemmviz.gui.memory_view.box import Box

HEAD, NAME, CAPTION, APART = 24.0, 20.0, 20.0, 20.0
LEAST_WIDTH = 152.0
"""What the caption of an array needs."""
"""Heights of the head of the corner, of an array's name above it and of its caption below it; the gap between two."""
LARGEST_CELL = 60.0
TOLD_APART = 5.0
WHOLE_FROM = 4.0
"""Cells of that size are made whole pixels large, so that their edges are sharp."""
BANKS = 32
"""A long row is broken after so many slots: one line of the picture is then one row of banks."""


@dataclass(frozen=True, slots=True)
class SharedPlace:
    """A shared array on the stage: `rows` x `columns` cells fill `box`; a row of slots is broken after `columns`."""

    array: MappedArray
    box: Box
    rows: int
    columns: int

    def slot_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Row and column of the slot at a point of the stage."""
        if not self.box.holds(x, y):
            return None
        row = min(int((y - self.box.y) / self.box.height * self.rows), self.rows - 1)
        column = min(int((x - self.box.x) / self.box.width * self.columns), self.columns - 1)
        index = row * self.columns + column
        return divmod(index, self.array.columns) if index < self.array.rows * self.array.columns else None

    def cell_of(self, row: int, column: int) -> Box:
        """Where a slot lies on the stage."""
        down, across = divmod(row * self.array.columns + column, self.columns)
        return self.box.part(self.rows, self.columns, down, across)

    @property
    def is_broken(self) -> bool:
        return self.columns != self.array.columns


def cells_of(array: MappedArray) -> tuple[int, int]:
    """Rows and columns of cells an array is drawn in."""
    if array.rows == 1 and array.columns > BANKS:
        return -(-array.columns // BANKS), BANKS
    return array.rows, array.columns


def wanted_height(arrays: Sequence[MappedArray]) -> float:
    """The height of a corner in which the slots can be told apart."""
    rows = max((cells_of(array)[0] for array in arrays), default=0)
    return HEAD + NAME + CAPTION + rows * TOLD_APART


def place_shared(arrays: Sequence[MappedArray], corner: Box, foot: float = 0.0) -> tuple[SharedPlace, ...]:
    """All arrays side by side or one below the other, whichever makes the cells larger; all cells of one size.

    `foot` of the corner's height stays free.
    """
    if not arrays:
        return ()
    cells = [cells_of(array) for array in arrays]
    width, height = corner.width, max(corner.height - HEAD - foot, 24.0)
    around, apart = NAME + CAPTION, len(arrays) - 1
    beside = min(
        (width - apart * APART) / sum(columns for _, columns in cells),
        (height - around) / max(rows for rows, _ in cells),
    )
    below = min(
        width / max(columns for _, columns in cells),
        (height - len(arrays) * around) / sum(rows for rows, _ in cells),
    )
    edge = min(max(beside, below, 0.5), LARGEST_CELL)
    edge = float(int(edge)) if edge >= WHOLE_FROM else edge
    places, x, y = [], corner.x, corner.y + HEAD
    for array, (rows, columns) in zip(arrays, cells, strict=True):
        box = Box(x, y + NAME, columns * edge, rows * edge)
        places.append(SharedPlace(array, box, rows, columns))
        if beside >= below:
            x = max(box.right, x + LEAST_WIDTH) + APART
        else:
            y = box.bottom + CAPTION
    return tuple(places)
