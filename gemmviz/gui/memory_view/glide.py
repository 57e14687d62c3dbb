"""What travels between two frames: tiles from the matrices into shared memory, and on to the block's part of C."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gemmviz.domain.access import AccessKind, Space
from gemmviz.gui.memory_view.box import Box
from gemmviz.trace.frame_regions import Rectangle, bounding
from gemmviz.trace.frame_values import Frame, SharedContents, Touch

MATRICES = ("A", "B")
"""The names of what a snapshot calls 0 and 1."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Elements of one array go to a place in another; `matrix` is whose elements they are, "" for computed values."""

    source: str
    source_part: Rectangle
    target: str
    target_part: Rectangle
    matrix: str


def flows(frame: Frame, part_of_c: Rectangle | None) -> tuple[Flow, ...]:
    """What a frame moves.

    Loads of A and B go to the shared slots that hold them when the frame ends; what goes to no slot goes to the
    registers of the block's threads, drawn at its part of C. Values of shared memory that are read go there as well.
    """
    found: list[Flow] = []
    for load in frame.touches:
        if load.kind is not AccessKind.LOAD:
            continue
        if load.array.space is Space.GLOBAL and load.array.name in MATRICES:
            into = _into_shared(frame, load)
            found += into or _into_registers(load, load.array.name, part_of_c)
        elif load.array.space is Space.SHARED:
            found += _into_registers(load, _held(frame, load), part_of_c)
    return tuple(found)


def travelled(source: Box, target: Box, fraction: float) -> Box:
    """Where a rectangle is on its way, slow at both ends; at 1 it is the target."""
    at = min(max(fraction, 0.0), 1.0)
    eased = at * at * (3.0 - 2.0 * at)
    return Box(
        source.x + (target.x - source.x) * eased,
        source.y + (target.y - source.y) * eased,
        source.width + (target.width - source.width) * eased,
        source.height + (target.height - source.height) * eased,
    )


def _into_shared(frame: Frame, load: Touch) -> list[Flow]:
    matrix = MATRICES.index(load.array.name)
    columns = load.array.columns
    loaded = load.rows.astype(np.int64) * columns + load.columns
    found = []
    for contents in frame.shared:
        stored = frame.touch(contents.array.name, AccessKind.STORE)
        if stored is None:
            continue
        origin = contents.after.origin[stored.rows, stored.columns]
        arrived = (origin >= 0) & (contents.after.matrix[stored.rows, stored.columns] == matrix)
        arrived &= np.isin(origin, loaded)
        if arrived.any():
            came = origin[arrived]
            source = bounding(came // columns, came % columns)
            target = bounding(stored.rows[arrived], stored.columns[arrived])
            found.append(Flow(load.array.name, source, contents.array.name, target, load.array.name))
    return found


def _into_registers(load: Touch, matrix: str, part_of_c: Rectangle | None) -> list[Flow]:
    return [Flow(load.array.name, load.box, "C", part_of_c, matrix)] if part_of_c is not None else []


def _held(frame: Frame, load: Touch) -> str:
    """Whose elements most of the slots hold that are read."""
    contents: SharedContents = next(c for c in frame.shared if c.array.name == load.array.name)
    origin = contents.after.origin[load.rows, load.columns]
    matrix = contents.after.matrix[load.rows, load.columns]
    counts = [int(np.sum((origin >= 0) & (matrix == m))) for m in range(len(MATRICES))]
    best = int(np.argmax(counts))
    return MATRICES[best] if 2 * counts[best] > origin.size else ""
