"""What a frame shows of each slot of a shared array, as arrays of small numbers for the painter's tables."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import (
    OTHER,
    PADDING,
    UNKNOWN,
    UNWRITTEN,
    AccessKind,
    AccessPath,
    BlockTrace,
    MappedArray,
    Site,
    Space,
)
from gemmviz.explain.block.timeline import NEVER, Timeline
from gemmviz.gui.memory_view.shades import Roles
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import FACTORS, Frame, SharedContents


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
"""Stored in an earlier barrier interval than the newest store to the array; read, written in this frame. What an
asynchronous copy stored is not called stale: such copies run intervals ahead of the reads.
"""
HELD = 7
"""The bits of a shade that are its Slot."""


@dataclass(frozen=True, slots=True, eq=False)
class SharedShade:
    """The slots of a shared array when a frame begins and when it ends: each a Slot with flags, shape (rows, columns).

    `pending_before`, `pending_after`, of the same shape: the slots that the barrier interval still has to store, once
    it has stored others; what they hold is on its way out. `read` and `written` are the rectangles around what the
    frame touches, None if nothing.
    """

    array: MappedArray
    before: Roles
    after: Roles
    pending_before: NDArray[np.bool_]
    pending_after: NDArray[np.bool_]
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
    shades, pending = [], []
    sources, asynchronous = copies(trace), asynchronous_sites(trace.sites)
    for snapshot, until in ((contents.before, begin), (contents.after, end)):
        shade = held(snapshot.origin, snapshot.matrix)
        moment, stored, epochs = _last_stores(trace, timeline, array, until)
        is_nameless = (snapshot.origin == UNKNOWN) & (sources[moment] != Slot.OTHER)
        shade[is_nameless] = sources[moment][is_nameless]
        shade[unused & (shade == Slot.UNWRITTEN)] = Slot.UNUSED
        is_stale = (epochs >= 0) & (epochs < epochs.max(initial=-1)) & ~asynchronous[stored]
        shade[is_stale & (shade != Slot.UNWRITTEN)] |= STALE
        shades.append(shade)
        pending.append(_pending(trace, timeline, array, until, epochs))
    boxes: dict[AccessKind, Rectangle] = {}
    for kind, flag in ((AccessKind.LOAD, READ), (AccessKind.STORE, WRITTEN)):
        touch = frame.touch(array.name, kind)
        if touch is not None:
            shades[1][touch.rows, touch.columns] |= flag
            boxes[kind] = touch.box
    touches = boxes.get(AccessKind.LOAD), boxes.get(AccessKind.STORE)
    return SharedShade(array, shades[0], shades[1], pending[0], pending[1], contents, *touches)


def held(origin: NDArray[np.int64], matrix: NDArray[np.int8]) -> Roles:
    """The Slot of each slot of a snapshot, same shape."""
    found = np.where(matrix == 0, Slot.A, Slot.B).astype(np.uint8)
    for code, slot in ((UNWRITTEN, Slot.UNWRITTEN), (PADDING, Slot.ZERO), (OTHER, Slot.OTHER), (UNKNOWN, Slot.OTHER)):
        found[origin == code] = slot
    return found


def copied_slots(sites: tuple[Site, ...]) -> Roles:
    """What a store of each site leaves in a slot as far as its code tells, shape (sites + 1,), the last for no site:
    Slot.A or Slot.B for the end of an asynchronous copy from that matrix, zeros beyond its edge included, Slot.OTHER
    for all others, and where one instruction, or several of one place, copies from both.
    """
    found = np.full(len(sites) + 1, Slot.OTHER, np.uint8)
    sources: dict[tuple[int, int, str], set[Slot]] = {}
    for site in sites:
        if site.space is Space.GLOBAL and site.array in FACTORS:
            sources.setdefault(_place(site), set()).add(Slot[site.array])
    for site in sites:
        source = sources.get(_place(site), set())
        if is_copied_by(site) and len(source) == 1:
            found[site.index] = min(source)
    return found


def copies(trace: BlockTrace) -> Roles:
    """What the store of each moment of a trace leaves in its slots, shape (moments + 1,), the last for no store: as
    `copied_slots` says of its site, or else the matrix that the same instruction has loaded from right before.
    """
    sites, of_moment = trace.sites, trace.slot_site
    found = np.append(copied_slots(sites)[of_moment], np.uint8(Slot.OTHER))
    places = {place: number for number, place in enumerate(dict.fromkeys(map(_place, sites)))}
    place_of = np.array([places[_place(site)] for site in sites], np.int64)
    is_copy = np.array([is_copied_by(site) for site in sites], np.bool_)
    loaded = np.array(
        [Slot[site.array] if site.space is Space.GLOBAL and site.array in FACTORS else Slot.OTHER for site in sites],
        np.uint8,
    )
    before, after = of_moment[:-1], of_moment[1:]
    is_known = is_copy[after] & (found[1:-1] == Slot.OTHER) & (place_of[before] == place_of[after])
    found[1:-1][is_known] = loaded[before][is_known]
    return found


def asynchronous_sites(sites: tuple[Site, ...]) -> NDArray[np.bool_]:
    """Whether each site is the storing end of an asynchronous copy, shape (sites + 1,), the last for no site."""
    return np.array([*map(is_copied_by, sites), False])


def is_copied_by(site: Site) -> bool:
    """Whether an asynchronous copy, by threads or by the TMA, stores to shared memory there."""
    is_store = site.space is Space.SHARED and site.kind is AccessKind.STORE
    return is_store and site.path in (AccessPath.ASYNC_COPY, AccessPath.COPY_ENGINE)


def _place(site: Site) -> tuple[int, int, str]:
    """Where the instruction of a site stands: a copy's load and its store share it."""
    return site.line, site.column, site.text


def _last_stores(
    trace: BlockTrace, timeline: Timeline, array: MappedArray, until: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The moment of the last store to each slot before a position, its site and its epoch; -1 for none. Shape (rows,
    columns).
    """
    stores = timeline.stores[array.name]
    done = int(np.searchsorted(stores.position, until))
    last = np.full(array.rows * array.columns, -1, np.int64)
    last[stores.element[:done]] = stores.position[:done] // timeline.warps
    sites, epochs = (np.where(last >= 0, column[last], -1) for column in (trace.slot_site, trace.slot_epoch))
    shape = array.rows, array.columns
    return last.reshape(shape), sites.reshape(shape), epochs.reshape(shape)


def _pending(
    trace: BlockTrace, timeline: Timeline, array: MappedArray, until: int, epochs: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """The slots that the barrier interval before a position stores from there on, of those that it has not stored yet;
    none where it has stored none. `epochs`, shape (rows, columns): the interval of the last store to each slot.
    """
    coming = np.zeros(array.rows * array.columns, np.bool_)
    epoch = trace.slot_epoch[max(until - 1, 0) // timeline.warps]
    is_stored = epochs == epoch
    if is_stored.any():
        end = int(np.searchsorted(trace.slot_epoch, epoch, side="right")) * timeline.warps
        stores = timeline.stores[array.name]
        begin, end = np.searchsorted(stores.position, (until, end))
        coming[stores.element[begin:end]] = True
    found: NDArray[np.bool_] = coming.reshape(epochs.shape) & ~is_stored
    return found
