"""The compiled loop of the shadow memory: accesses pass in order and leave their marks (see `shadow`)."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.counts.spans import span_of
from gemmviz.trace.hazards.bounds import Addresses
from gemmviz.trace.hazards.cell_table import grown, grown_table, place_of

FIRST_EPOCH, FIRST_SLOT, FIRST_THREAD, MANY, HEAD, STORED = range(6)
"""Columns of a cell: its first write that initialises it (thread -1: none), whether another thread wrote so in that
epoch, its first entry, the epoch of its last store of any kind (-1: none).
"""

_SITE, _EPOCH, _ONE, _OTHER, _NEXT = range(5)
"""Columns of an entry: site, epoch, two threads of different warps if there are (-1: none), the next entry of the cell
(-1: none).
"""

EARLIER, LATER, COUNT, SLOT, EARLIER_THREAD, LATER_THREAD, ADDRESS, _LAST = range(8)
"""Columns of a conflict: two sites; the accesses at the later one; slot, threads, byte of an example, which is the
first between two warps or else the first; the last access.
"""

_CELLS, _ENTRIES, _CONFLICTS = range(3)
"""How many of each are in use."""


@njit(cache=True, nogil=True)
def pass_by(
    addresses: Addresses,
    slot_site: NDArray[np.int32],
    slot_epoch: NDArray[np.int32],
    slot_order: NDArray[np.int64],
    is_store: NDArray[np.bool_],
    is_strong: NDArray[np.bool_],
    initialises: NDArray[np.bool_],
    is_shared: NDArray[np.bool_],
    is_tracked: NDArray[np.bool_],
    width_bytes: NDArray[np.int64],
    shift: int,
    low: int,
    high: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], bool]:
    """Keys, places, cells, conflicts and read_early of a `Shadow`; its parameters are columns of the trace and its
    sites, the cells' shift, and the first byte that global stores touch with the byte after the last.
    """
    keys, places = grown_table(np.empty(0, np.int64), np.empty(0, np.int32))
    cells, entries, conflicts = np.empty((256, 6), np.int32), np.empty((512, 5), np.int32), np.empty((8, 8), np.int64)
    row_of_pair = np.full((len(is_store), len(is_store)), -1, np.int32)
    counts = np.zeros(3, np.int64)
    read_early = False
    for slot in slot_order:
        site = slot_site[slot]
        if site == BARRIER_SITE or not is_tracked[site]:
            continue
        width = width_bytes[site]
        # Room for all that one slot can bring, so that nothing moves while it passes.
        most = addresses.shape[0] * LANES * (((width - 1) >> shift) + 2)
        while 2 * (counts[_CELLS] + most) > len(keys):
            keys, places = grown_table(keys, places)
        while counts[_CELLS] + most > len(cells):
            cells = grown(cells)
        while counts[_ENTRIES] + most > len(entries):
            entries = grown(entries)
        while counts[_CONFLICTS] + len(is_store) > len(conflicts):
            conflicts = grown(conflicts)
        read_early |= _pass_slot(
            addresses,
            slot,
            site,
            slot_epoch[slot],
            width,
            is_store,
            is_strong,
            initialises[site],
            is_shared[site],
            shift,
            low,
            high,
            keys,
            places,
            cells,
            entries,
            conflicts,
            row_of_pair,
            counts,
        )
    return (keys, places, cells[: counts[_CELLS]].copy(), conflicts[: counts[_CONFLICTS]].copy(), read_early)


@njit(cache=True, nogil=True)
def _pass_slot(
    addresses: Addresses,
    slot: int,
    site: int,
    epoch: int,
    width: int,
    is_store: NDArray[np.bool_],
    is_strong: NDArray[np.bool_],
    initialises: bool,
    shared: bool,
    shift: int,
    low: int,
    high: int,
    keys: NDArray[np.int64],
    places: NDArray[np.int32],
    cells: NDArray[np.int32],
    entries: NDArray[np.int32],
    conflicts: NDArray[np.int64],
    row_of_pair: NDArray[np.int32],
    counts: NDArray[np.int64],
) -> bool:
    """The accesses of one slot; whether one of them read a shared cell before it was written."""
    stores, strong = is_store[site], is_strong[site]
    read_early = False
    last_number, cell = -1, 0
    for warp in range(addresses.shape[0]):
        if not shared:
            first, last, _ = span_of(addresses[warp, slot], 0)
            if first >= high or last <= low - width:
                continue
        for lane in range(LANES):
            address = addresses[warp, slot, lane]
            if address == INACTIVE or (not shared and (address >= high or address + width <= low)):
                continue
            thread = warp * LANES + lane
            for number in range(address >> shift, ((address + width - 1) >> shift) + 1):
                if number != last_number:  # lanes often read the same cell
                    place = place_of(keys, number)
                    if keys[place] != number:
                        _enter(keys, places, cells, counts, place, number)
                    cell, last_number = places[place], number
                if initialises:
                    _note_write(cells, cell, epoch, slot, thread)
                elif shared and cells[cell, FIRST_THREAD] == -1:
                    read_early = True
                if stores:
                    cells[cell, STORED] = epoch
                own = -1
                at = cells[cell, HEAD]
                can_conflict = stores or cells[cell, STORED] == epoch
                while at >= 0:
                    earlier = entries[at, _SITE]
                    if earlier == site:
                        own = at
                        if not can_conflict:
                            break
                    may = can_conflict and (stores or is_store[earlier]) and not (strong and is_strong[earlier])
                    if may and entries[at, _EPOCH] == epoch:
                        other = _other_than(entries[at, _ONE], entries[at, _OTHER], thread)
                        if other >= 0:
                            row = row_of_pair[earlier, site]
                            if row < 0:
                                row = row_of_pair[earlier, site] = counts[_CONFLICTS]
                                counts[_CONFLICTS] += 1
                                conflicts[row, EARLIER], conflicts[row, LATER] = earlier, site
                                conflicts[row, COUNT], conflicts[row, _LAST] = 0, -1
                            if conflicts[row, COUNT] == 0 or (
                                conflicts[row, EARLIER_THREAD] // LANES == conflicts[row, LATER_THREAD] // LANES
                                and other // LANES != thread // LANES
                            ):
                                _tell(conflicts[row], slot, other, thread, max(address, number << shift))
                            _count(conflicts, row, slot, thread)
                    at = entries[at, _NEXT]
                if own == -1:
                    own = counts[_ENTRIES]
                    counts[_ENTRIES] += 1
                    entries[own, _SITE], entries[own, _EPOCH] = site, epoch - 1
                    entries[own, _NEXT] = cells[cell, HEAD]
                    cells[cell, HEAD] = own
                _stamp(entries, own, epoch, thread)
    return read_early


@njit(cache=True, nogil=True)
def _enter(
    keys: NDArray[np.int64],
    places: NDArray[np.int32],
    cells: NDArray[np.int32],
    counts: NDArray[np.int64],
    place: int,
    number: int,
) -> None:
    """Give a cell that was not touched before a row."""
    row = counts[_CELLS]
    counts[_CELLS] += 1
    keys[place] = number
    places[place] = row
    cells[row, FIRST_THREAD] = cells[row, HEAD] = cells[row, STORED] = -1


@njit(cache=True, nogil=True)
def _note_write(cells: NDArray[np.int32], cell: int, epoch: int, slot: int, thread: int) -> None:
    if cells[cell, FIRST_THREAD] == -1:
        cells[cell, FIRST_EPOCH] = epoch
        cells[cell, FIRST_SLOT] = slot
        cells[cell, FIRST_THREAD] = thread
        cells[cell, MANY] = 0
    elif cells[cell, FIRST_EPOCH] == epoch and cells[cell, FIRST_THREAD] != thread:
        cells[cell, MANY] = 1


@njit(cache=True, nogil=True)
def _stamp(entries: NDArray[np.int32], own: int, epoch: int, thread: int) -> None:
    """Enter a thread into the entry of its site; what stands there of another epoch is over."""
    if entries[own, _EPOCH] != epoch:
        entries[own, _EPOCH] = epoch
        entries[own, _ONE] = thread
        entries[own, _OTHER] = -1
    elif entries[own, _OTHER] == -1:
        if entries[own, _ONE] != thread:
            entries[own, _OTHER] = thread
    elif entries[own, _ONE] // LANES == entries[own, _OTHER] // LANES != thread // LANES:
        entries[own, _OTHER] = thread


@njit(cache=True, nogil=True)
def _other_than(one: int, other: int, thread: int) -> int:
    """One of two threads that is not `thread`, of another warp if there is; -1 for none."""
    if one == thread or (other >= 0 and one // LANES == thread // LANES != other // LANES):
        return other
    return one


@njit(cache=True, nogil=True)
def _tell(conflict: NDArray[np.int64], slot: int, other: int, thread: int, first_byte: int) -> None:
    """Make a pair of threads the example of a conflict."""
    conflict[SLOT], conflict[ADDRESS] = slot, first_byte
    conflict[EARLIER_THREAD], conflict[LATER_THREAD] = other, thread


@njit(cache=True, nogil=True)
def _count(conflicts: NDArray[np.int64], row: int, slot: int, thread: int) -> None:
    """Count an access, but one of several cells only once."""
    access = np.int64(slot) << 32 | thread
    if conflicts[row, _LAST] != access:
        conflicts[row, _LAST] = access
        conflicts[row, COUNT] += 1
