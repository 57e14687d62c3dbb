"""What travels between two frames: tiles from the matrices into shared memory, and on to the block's part of C."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from gemmviz.domain.recordings.access import OTHER, AccessKind, MappedArray, Space, result_name
from gemmviz.explain.block.partial_sums import PartialSums
from gemmviz.trace.frames.regions import Rectangle, bounding
from gemmviz.trace.frames.values import FACTORS, Frame, SharedContents, Touch

MOST_SINGLE = 32
"""Elements that move one by one."""


@dataclass(frozen=True, slots=True)
class TileMotion:
    """Elements of one array go to a place in another; `matrix` is whose elements they are, "" for computed values.

    `is_alike`: whether they lie there as they lay before; not those of a transposed tile.
    """

    source: str
    source_part: Rectangle
    target: str
    target_part: Rectangle
    matrix: str
    is_alike: bool = True


def tile_motions(
    frame: Frame,
    part_of_c: Rectangle | None,
    kept: Collection[str] = (),
    partial_sums: PartialSums | None = None,
) -> tuple[TileMotion, ...]:
    """What a frame moves.

    Elements of A and B go to the shared slots that hold them from this frame on, also where an earlier frame loaded
    them. Other loads go to the registers of the block's threads, drawn at its part of C, but not those of matrices that
    are `kept` in shared memory: a later frame stores them there. Values of shared memory that are read go to the
    registers as well. Factors of sums that threads store in shared memory, the `partial_sums`, go to their slots.
    """
    found: list[TileMotion] = []
    result = result_name(frame.arrays)
    for array in frame.arrays:
        load = frame.touch(array.name, AccessKind.LOAD)
        if array.space is Space.GLOBAL and array.name in FACTORS:
            into = _into_shared(frame, array, load)
            found += into
            if load is not None and not into and array.name not in kept:
                if partial_sums is not None:
                    found += _into_slots(load, partial_sums)
                else:
                    found += _into_registers(load, array.name, result, part_of_c)
        elif array.space is Space.SHARED and load is not None:
            found += _into_registers(load, _held(frame, load), result, part_of_c)
    return tuple(found)


def _into_shared(frame: Frame, array: MappedArray, load: Touch | None) -> list[TileMotion]:
    """The elements of a matrix that are stored into shared memory: of those that the frame loads, if it loads any."""
    matrix, columns = FACTORS.index(array.name), array.columns
    found = []
    for contents in frame.shared:
        stored = frame.touch(contents.array.name, AccessKind.STORE)
        if stored is None:
            continue
        origin = contents.after.origin[stored.rows, stored.columns]
        arrived = (origin >= 0) & (contents.after.matrix[stored.rows, stored.columns] == matrix)
        if load is not None:
            arrived &= np.isin(origin, load.rows.astype(np.int64) * columns + load.columns)
        if arrived.any():
            rows, across = np.divmod(origin[arrived], columns)
            slot_rows, slot_columns = stored.rows[arrived], stored.columns[arrived]
            source, target = bounding(rows, across), bounding(slot_rows, slot_columns)
            is_alike = np.array_equal(rows - source.row_start, slot_rows - target.row_start) and np.array_equal(
                across - source.column_start, slot_columns - target.column_start
            )
            found.append(TileMotion(array.name, source, contents.array.name, target, array.name, is_alike))
    return found


def _into_registers(load: Touch, matrix: str, result: str, part_of_c: Rectangle | None) -> list[TileMotion]:
    return [TileMotion(load.array.name, load.box, result, part_of_c, matrix)] if part_of_c is not None else []


def _into_slots(load: Touch, sums: PartialSums) -> list[TileMotion]:
    """What threads read goes to the slots of their sums: each element for itself, as long as there are few."""
    name, columns = load.array.name, load.array.columns
    goals = sums.slot_of[load.access_thread]
    has_slot = goals >= 0
    elements, slots = load.access_element[has_slot], goals[has_slot]
    if not elements.size:
        return []
    if elements.size <= MOST_SINGLE:
        pairs = zip(elements.tolist(), slots.tolist(), strict=True)
        return [TileMotion(name, _one(at, columns), sums.name, _one(slot, sums.columns), name) for at, slot in pairs]
    source, target = (bounding(*np.divmod(each, wide)) for each, wide in ((elements, columns), (slots, sums.columns)))
    return [TileMotion(name, source, sums.name, target, name, is_alike=False)]


def _one(number: int, columns: int) -> Rectangle:
    """The element of that row-major number."""
    row, column = divmod(number, columns)
    return Rectangle(row, row + 1, column, column + 1)


def _held(frame: Frame, load: Touch) -> str:
    """Whose elements most of the slots hold that are read; zeros and slots that nothing was stored in do not count."""
    contents: SharedContents = next(c for c in frame.shared if c.array.name == load.array.name)
    origin = contents.after.origin[load.rows, load.columns]
    matrix = contents.after.matrix[load.rows, load.columns]
    counts = [int(np.sum((origin >= 0) & (matrix == m))) for m in range(len(FACTORS))]
    best = int(np.argmax(counts))
    return FACTORS[best] if 2 * counts[best] > int(np.sum((origin >= 0) | (origin == OTHER))) else ""
