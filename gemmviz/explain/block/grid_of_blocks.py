"""Which part of C each block of the grid makes, read off the blocks that were recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from gemmviz.domain.recordings.access import INACTIVE, AccessKind, BlockTrace, MappedArray, Site, Space
from gemmviz.domain.spec import Launch
from gemmviz.explain.block.timeline import stores_of
from gemmviz.trace.frames.regions import EMPTY, Rectangle, bounding

Block = tuple[int, int]
"""x and y of a block in the grid."""


class Order(Enum):
    """How the blocks lie on C: x along its columns, x along its rows, or x through its elements as they lie."""

    ACROSS = "across"
    DOWN = "down"
    THROUGH = "through"


@dataclass(frozen=True, slots=True)
class BlockGrid:
    """Every block makes `height` x `width` elements of C, or `width` in a stretch; the last ones may make fewer."""

    order: Order
    rows: int
    columns: int
    height: int
    width: int
    grid: tuple[int, int]

    def block_at(self, row: int, column: int) -> Block | None:
        """The block that makes an element of C; None beyond the grid."""
        match self.order:
            case Order.ACROSS:
                x, y = column // self.width, row // self.height
            case Order.DOWN:
                x, y = row // self.height, column // self.width
            case Order.THROUGH:
                x, y = (row * self.columns + column) // self.width, 0
        return (x, y) if 0 <= x < self.grid[0] and 0 <= y < self.grid[1] else None

    def part_of(self, x: int, y: int) -> Rectangle:
        """The rectangle around what a block makes; EMPTY if it has no element of C."""
        if self.order is Order.THROUGH:
            first, last = x * self.width, min((x + 1) * self.width, self.rows * self.columns) - 1
            if last < first:
                return EMPTY
            row, end = first // self.columns, last // self.columns
            if row == end:
                return Rectangle(row, row + 1, first % self.columns, last % self.columns + 1)
            return Rectangle(row, end + 1, 0, self.columns)
        across, down = (x, y) if self.order is Order.ACROSS else (y, x)
        top, left = down * self.height, across * self.width
        if top >= self.rows or left >= self.columns:
            return EMPTY
        return Rectangle(top, min(top + self.height, self.rows), left, min(left + self.width, self.columns))

    @property
    def has_lines(self) -> bool:
        """Whether blocks are rectangles beside each other."""
        return self.order is not Order.THROUGH


def grid_of(
    launch: Launch, c: MappedArray, parts: Mapping[Block, Rectangle], goes_down: bool = False
) -> BlockGrid | None:
    """The grid that agrees with the parts of C that recorded blocks stored; None if no order of blocks does.

    `goes_down` tells that neighbours in x store one below the other: it decides where both orders would agree.
    """
    parts = {block: part for block, part in parts.items() if part.size}
    if not parts or launch.grid[2] > 1:
        return None
    orders = (_down, _across, _through) if goes_down else (_across, _down, _through)
    for order in orders:
        found = order(launch, c, parts)
        if found is not None and all(found.part_of(*block) == part for block, part in parts.items()):
            return found
    return None


def part_of_c(trace: BlockTrace, c: MappedArray) -> tuple[Rectangle, bool]:
    """The rectangle around what a block stores in C, and whether thread 1 stores below thread 0, not beside it."""
    elements = stores_of(trace, c).element
    rows, columns = np.divmod(elements, c.columns)
    slots = np.flatnonzero(np.isin(trace.slot_site, [site.index for site in trace.sites if _stores(site)]))
    pairs = trace.addresses[0, slots, :2]
    pairs = pairs[np.all((pairs != INACTIVE) & (pairs >= c.base) & (pairs < c.base + c.nbytes), axis=1)]
    first, second = c.numbers_at((pairs[0] - c.base) // c.element_bytes).tolist() if pairs.size else (0, 0)
    return bounding(rows, columns), second - first >= c.columns > 1


def _stores(site: Site) -> bool:
    return site.kind is AccessKind.STORE and site.space is Space.GLOBAL


def _across(launch: Launch, c: MappedArray, parts: Mapping[Block, Rectangle]) -> BlockGrid | None:
    width = _pitch(((x, p.column_start, p.column_stop) for (x, _), p in parts.items()), launch.grid[0], c.columns)
    height = _pitch(((y, p.row_start, p.row_stop) for (_, y), p in parts.items()), launch.grid[1], c.rows)
    return _grid(Order.ACROSS, launch, c, height, width)


def _down(launch: Launch, c: MappedArray, parts: Mapping[Block, Rectangle]) -> BlockGrid | None:
    height = _pitch(((x, p.row_start, p.row_stop) for (x, _), p in parts.items()), launch.grid[0], c.rows)
    width = _pitch(((y, p.column_start, p.column_stop) for (_, y), p in parts.items()), launch.grid[1], c.columns)
    return _grid(Order.DOWN, launch, c, height, width)


def _through(launch: Launch, c: MappedArray, _parts: Mapping[Block, Rectangle]) -> BlockGrid | None:
    if launch.grid[1] != 1:
        return None
    elements = launch.threads_per_block
    if -(-(c.rows * c.columns) // elements) != launch.grid[0]:
        return None
    return BlockGrid(Order.THROUGH, c.rows, c.columns, 1, elements, (launch.grid[0], 1))


def _grid(order: Order, launch: Launch, c: MappedArray, height: int | None, width: int | None) -> BlockGrid | None:
    if height is None or width is None:
        return None
    return BlockGrid(order, c.rows, c.columns, height, width, launch.grid[:2])


def _pitch(ends: Iterable[tuple[int, int, int]], blocks: int, elements: int) -> int | None:
    """How far blocks lie apart along one axis, from (number, start, stop) of those known; None if that cannot be."""
    for number, start, stop in sorted(ends, reverse=True):
        pitch = start // number if number else stop - start
        if pitch > 0 and -(-elements // pitch) == blocks:
            return pitch
    return None
