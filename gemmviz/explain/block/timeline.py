"""When each element is first loaded and first stored: all a picture needs to know of what was before and what comes.

A position is slot · warps + warp, the place of a warp request in lockstep order, as in `gemmviz.trace.frames.plan`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, MappedArray, Site, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.terms import Layout
from gemmviz.trace.frames.regions import EMPTY, Rectangle, bounding
from gemmviz.trace.frames.values import Frame

NEVER = np.iinfo(np.int32).max
"""The position of what does not happen."""
_CHUNK = 1 << 17
"""Addresses looked at in one go: a megabyte, which stays in a core's cache."""
_SMALL = 1 << 22
"""Elements of an array that is looked at as a whole."""

Positions = NDArray[np.int32]
"""Shape (box.rows, box.columns)."""


@dataclass(frozen=True, slots=True, eq=False)
class Touched:
    """The positions of the first load and the first store of the elements in `box`, or NEVER.

    `box` is the smallest rectangle around all that the block touches of the array.
    """

    array: MappedArray
    box: Rectangle
    loaded: Positions
    stored: Positions


@dataclass(frozen=True, slots=True, eq=False)
class Stores:
    """Every store to an array: `position` ascending and the row-major element, both of shape (n,)."""

    position: NDArray[np.int64]
    element: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """What `timeline_of` found; `matrices` and `stores` by the names of the arrays."""

    warps: int
    matrices: dict[str, Touched]
    stores: dict[str, Stores]
    shared: dict[str, Touched]

    def span(self, frame: Frame) -> tuple[int, int]:
        """The first position of a frame and the one after its last."""
        return frame.slots[0] * self.warps + frame.warps[0], (frame.slots[1] - 1) * self.warps + frame.warps[1]


def timeline_of(trace: BlockTrace) -> Timeline:
    """Go through a trace once for each array. Touches no widget: a large trace is looked at on another thread."""
    by_space = {
        space: {array.name: _touched(trace, array) for array in trace.arrays if array.space is space}
        for space in (Space.GLOBAL, Space.SHARED)
    }
    stores = {array.name: stores_of(trace, array) for array in trace.arrays if array.space is Space.SHARED}
    return Timeline(trace.addresses.shape[0], by_space[Space.GLOBAL], stores, by_space[Space.SHARED])


def _touched(trace: BlockTrace, array: MappedArray) -> Touched:
    """What is small is looked at as a whole, and the box is what was found there: the trace is gone through once."""
    whole = Rectangle(0, array.rows, 0, array.columns)
    room = whole if whole.size <= _SMALL else _box(trace, array)
    firsts = [_first(trace, array, kind, room).reshape(room.rows, room.columns) for kind in AccessKind]
    seen = np.minimum(*firsts) != NEVER
    box = bounding(np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0)))
    part = np.s_[box.row_start : box.row_stop, box.column_start : box.column_stop]
    shift = (room.row_start, room.column_start)
    if box != EMPTY:
        box = Rectangle(
            box.row_start + shift[0], box.row_stop + shift[0], box.column_start + shift[1], box.column_stop + shift[1]
        )
    found = {kind: first[part].copy() for kind, first in zip(AccessKind, firsts, strict=True)}
    return Touched(array, box, found[AccessKind.LOAD], found[AccessKind.STORE])


def _first(trace: BlockTrace, array: MappedArray, kind: AccessKind, room: Rectangle) -> NDArray[np.int32]:
    """The position of the first access of that kind to each element in `room`, which holds all there are; flat."""
    first = np.full(room.size, NEVER, np.int32)
    for width in sorted(_sites_by_width(trace.sites, array.space, kind)):
        found = np.full(room.size, NEVER, np.int32)
        for position, element, span in accesses_of(trace, array, kind, width):
            cell = element
            if span > 1:
                cell, position = (element[:, np.newaxis] + np.arange(span)).reshape(-1), np.repeat(position, span)
            if room.columns != array.columns or room.row_start:
                row, column = np.divmod(cell, array.columns)
                cell = (row - room.row_start) * room.columns + column - room.column_start
            new = np.flatnonzero(found[cell] == NEVER)[::-1]
            found[cell[new]] = position[new]  # of repeated cells the last one stays, so the earliest comes last
            if room.size <= cell.size and not np.any(found == NEVER):
                break  # of a shared array mostly soon: it is used again and again
        first = np.minimum(first, found)
    return first


def _box(trace: BlockTrace, array: MappedArray) -> Rectangle:
    ends: list[tuple[int, int, int, int]] = []
    for kind in AccessKind:
        for _, element, span in accesses_of(trace, array, kind):
            for beside in {0, span - 1}:
                row, column = np.divmod(element + beside, array.columns)
                wraps = beside > 0 and bool(np.any(column < beside))
                low, high = (0, array.columns - 1) if wraps else (int(column.min()), int(column.max()))
                ends.append((int(row.min()), int(row.max()), low, high))
    if not ends:
        return EMPTY
    top, bottom, left, right = zip(*ends, strict=True)
    return Rectangle(min(top), max(bottom) + 1, min(left), max(right) + 1)


def stores_of(trace: BlockTrace, array: MappedArray) -> Stores:
    """Every store of a block to an array."""
    pieces = [
        (np.repeat(position, span), (element[:, np.newaxis] + np.arange(span)).reshape(-1))
        for position, element, span in accesses_of(trace, array, AccessKind.STORE)
    ]
    nothing = np.zeros(0, np.int64)
    position = np.concatenate([nothing, *(p for p, _ in pieces)])
    element = np.concatenate([nothing, *(e for _, e in pieces)])
    order = np.argsort(position, kind="stable")
    return Stores(position[order], element[order])


def accesses_of(
    trace: BlockTrace, array: MappedArray, kind: AccessKind, only: int | None = None
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], int]]:
    """Positions ascending, first elements, and the number of elements of each access: in pieces, by width.

    Of the width `only`, in bytes, if it is given.
    """
    warps = trace.addresses.shape[0]
    per_chunk = max(_CHUNK // max(warps * LANES, 1), 1)
    for width, sites in _sites_by_width(trace.sites, array.space, kind).items():
        if array.nbytes < width or only not in (None, width):
            continue
        slots = np.flatnonzero(np.isin(trace.slot_site, sites))
        span = -(-width // array.element_bytes)
        for begin in range(0, slots.size, per_chunk):
            chosen = slots[begin : begin + per_chunk]
            by_slot = np.empty((chosen.size, warps, LANES), np.int64)
            for warp in range(warps):
                np.subtract(trace.addresses[warp, chosen], array.base, out=by_slot[:, warp])
            offset = by_slot.reshape(-1)
            # Of lanes that take no part, and before the array, offsets are negative: as large as can be without a sign.
            inside = np.flatnonzero(offset.view(np.uint64) <= np.uint64(array.nbytes - width))
            if inside.size:
                requests = (chosen[:, np.newaxis].astype(np.int64) * warps + np.arange(warps)).reshape(-1)
                position, place = requests[inside // LANES], offset[inside] // array.element_bytes
                if array.layout is Layout.ROW:
                    yield position, place, span
                else:  # neighbours in memory are no neighbours in a row: each element by itself
                    places = (place[:, np.newaxis] + np.arange(span)).reshape(-1)
                    yield np.repeat(position, span), array.numbers_at(places), 1


def _sites_by_width(sites: tuple[Site, ...], space: Space, kind: AccessKind) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for site in sites:
        if site.space is space and site.kind is kind:
            found.setdefault(site.width_bytes, []).append(site.index)
    return found
