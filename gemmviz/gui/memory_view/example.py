"""One thread of the block, followed as an example: the factors it reads and the sum it adds them to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, MappedArray, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.gui.memory_view.block_analysis import thread_that_makes
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Frame

DOWN, ACROSS = 0.4, 0.6
"""Where in the block's part of C the example lies: off the middle, so that a row and a column are told apart."""
ASIDE = (0, -1, 1, -2, 2)
"""Columns beside that place in which another thread is looked for."""
MOST = 64
"""Rectangles that are drawn around what a thread reads."""


@dataclass(frozen=True, slots=True, eq=False)
class ThreadExample:
    """What a thread does in a frame.

    `read` are the rectangles it reads of each array, `now` the one element of each that it reads at the moment shown,
    `made` the rectangles of C it makes.
    """

    thread: int
    read: tuple[tuple[str, Rectangle], ...]
    now: tuple[tuple[str, Rectangle], ...]
    made: tuple[Rectangle, ...]


def thread_for_example(trace: BlockTrace, c: MappedArray, part: Rectangle) -> int | None:
    """The thread that makes an element near the middle of the block's part of C; one all of whose elements lie inside
    that, so that their frames are apart from its edge, where one is beside it.
    """
    row = part.row_start + int(DOWN * (part.rows - 1) + 0.5)
    column = part.column_start + int(ACROSS * (part.columns - 1) + 0.5)
    near = (thread_that_makes(trace, c, row, column + aside) for aside in ASIDE if part.holds(row, column + aside))
    threads = [thread for thread in near if thread is not None]
    inside = (thread for thread in threads if all(_is_inside(made, part) for made in elements_made(trace, c, thread)))
    return next(inside, next(iter(threads), None))


def _is_inside(made: Rectangle, part: Rectangle) -> bool:
    return part.column_start < made.column_start and made.column_stop < part.column_stop


def elements_made(trace: BlockTrace, c: MappedArray, thread: int) -> tuple[Rectangle, ...]:
    """The rectangles of C that a thread stores."""
    found: list[int] = []
    for site in trace.sites:
        if site.kind is AccessKind.STORE and site.space is Space.GLOBAL:
            slots = np.flatnonzero(trace.slot_site == site.index)
            addresses = trace.addresses[thread // LANES, slots, thread % LANES]
            inside = addresses[(addresses >= c.base) & (addresses < c.base + c.nbytes)]
            first = (inside - c.base) // c.element_bytes
            found += [
                int(element) + beside
                for element in first
                for beside in range(max(site.width_bytes // c.element_bytes, 1))
            ]
    if not found:
        return ()
    rows, columns = np.divmod(c.numbers_at(np.array(found, np.int64)), c.columns)
    return rectangles(rows, columns)


def example_of(frame: Frame, thread: int, made: tuple[Rectangle, ...], fraction: float) -> ThreadExample:
    """What a thread reads in a frame; `fraction` of the frame, 0 to 1, tells which elements it is at."""
    read: list[tuple[str, Rectangle]] = []
    now: list[tuple[str, Rectangle]] = []
    for touch in frame.touches:
        if touch.kind is not AccessKind.LOAD:
            continue
        elements = touch.access_element[touch.access_thread == thread]
        if not elements.size:
            continue
        rows, columns = np.divmod(elements, touch.array.columns)
        read += [(touch.array.name, part) for part in rectangles(rows, columns)]
        if fraction < 1.0:
            at = min(int(max(fraction, 0.0) * elements.size), elements.size - 1)
            row, column = int(rows[at]), int(columns[at])
            now.append((touch.array.name, Rectangle(row, row + 1, column, column + 1)))
    return ThreadExample(thread, tuple(read), tuple(now), made)


def rectangles(rows: NDArray[np.integer], columns: NDArray[np.integer], most: int = MOST) -> tuple[Rectangle, ...]:
    """The fewest rectangles that are these elements, if they are some rows crossed with some columns; else one each.

    Of more than `most` the first ones.
    """
    if rows.size == 0:
        return ()
    breadth = int(columns.max()) + 1
    distinct = np.unique(rows.astype(np.int64) * breadth + columns)
    down, across = np.unique(distinct // breadth), np.unique(distinct % breadth)
    if down.size * across.size == distinct.size:
        found = (Rectangle(*r, *c) for r in _runs(down) for c in _runs(across))
    else:
        found = (Rectangle(r, r + 1, c, c + 1) for r, c in (divmod(e, breadth) for e in distinct.tolist()))
    return tuple(part for part, _ in zip(found, range(most), strict=False))


def _runs(sorted_numbers: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Start and stop of each stretch of neighbours."""
    breaks = np.flatnonzero(np.diff(sorted_numbers) > 1) + 1
    return [(int(run[0]), int(run[-1]) + 1) for run in np.split(sorted_numbers, breaks)]
