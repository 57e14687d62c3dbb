"""What a frame shows of each slot of a shared array, as arrays of small numbers for the painter's tables."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import OTHER, PADDING, UNKNOWN, UNWRITTEN, AccessKind, BlockTrace, MappedArray
from gemmviz.explain.block.timeline import NEVER, Timeline
from gemmviz.gui.memory_view.shades import Roles
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Frame, SharedContents


class Slot(IntEnum):
    """What a shared slot holds; the flags STALE, READ and WRITTEN are added to it."""

    UNWRITTEN = 0
    ZERO = 1
    """A zero that was stored: what a guard puts where the matrix has ended."""
    OTHER = 2
    """A computed value, a partial sum for instance; or a value not recorded."""
    A = 3
    B = 4
    UNUSED = 5
    """Never touched by the block: the column that pads the rows, mostly."""


STALE, READ, WRITTEN = 8, 16, 32
"""Stored in an earlier barrier interval than the newest store to the array; read, written in this frame."""
HELD = 7
"""The bits of a shade that are its Slot."""


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
    return SharedShade(array, shades[0], shades[1], contents, boxes.get(AccessKind.LOAD), boxes.get(AccessKind.STORE))


def held(origin: NDArray[np.int64], matrix: NDArray[np.int8]) -> Roles:
    """The Slot of each slot of a snapshot, same shape."""
    found = np.where(matrix == 0, Slot.A, Slot.B).astype(np.uint8)
    for code, slot in ((UNWRITTEN, Slot.UNWRITTEN), (PADDING, Slot.ZERO), (OTHER, Slot.OTHER), (UNKNOWN, Slot.OTHER)):
        found[origin == code] = slot
    return found


def _stale(trace: BlockTrace, timeline: Timeline, array: MappedArray, until: int) -> NDArray[np.bool_]:
    """The slots whose last store before a position lies in an earlier epoch than the newest store to the array."""
    stores = timeline.stores[array.name]
    done = int(np.searchsorted(stores.position, until))
    epochs = np.full(array.rows * array.columns, -1, np.int64)
    if done:
        epochs[stores.element[:done]] = trace.slot_epoch[stores.position[:done] // timeline.warps]
    stale: NDArray[np.bool_] = (epochs >= 0) & (epochs < epochs.max(initial=-1))
    return stale.reshape(array.rows, array.columns)
