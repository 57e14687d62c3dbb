"""Shared memory touched while an asynchronous copy may still write there: read or overwritten before the copy is over.

A copy is over for its own thread once this has waited for the copy's group, and for another thread after a barrier that
comes behind that wait; a barrier of the warp alone will do for its lanes. Between the two barriers within which the
copy starts, accesses of other threads that no barrier of the warp separates from it are races.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, AccessKind, BlockTrace, CopyLandings, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.counts.site_table import SiteTable
from gemmviz.trace.hazards.bounds import Addresses
from gemmviz.trace.hazards.cell_table import grown
from gemmviz.trace.hazards.findings import Hazard, HazardKind
from gemmviz.trace.hazards.naming import line_words, name_at

_SHIFT = 2
"""A cell is 4 bytes: a copy moves 4, 8 or 16, aligned."""
_SITE, _THREAD, _EPOCH, _LANDED_SLOT, _LANDED_EPOCH, _SYNCS = range(6)
"""Columns of a cell: the copy that was started last; thread -1 where none is under way. _SYNCS: how many barriers of
its own its warp had passed.
"""
_COPY, _ACCESS, _COUNT, _SLOT, _COPYING, _TOUCHING, _ADDRESS, _WAITED = range(8)
"""Columns of a finding: two sites, how many accesses; slot, threads, byte of the first, and the epoch of the wait."""


def touched_in_flight(trace: BlockTrace, addresses: Addresses, table: SiteTable) -> tuple[Hazard, ...]:
    """One hazard per site that copies and site that touches the same bytes too early; `addresses` are those in bounds,
    `table` the trace's.
    """
    landed = trace.landings
    if landed is None:
        return ()
    none = np.zeros(addresses.shape[:2], np.int32)
    syncs = none if trace.warp_syncs is None else trace.warp_syncs
    shared = [array for array in trace.arrays if array.space is Space.SHARED]
    places = np.array([(array.base, array.base + array.nbytes) for array in shared], np.int64).reshape(-1, 2)
    found = _pass_by(
        addresses,
        trace.slot_site,
        trace.slot_epoch,
        table.slot_order,
        table.is_shared,
        table.is_store,
        table.width_bytes,
        landed.row_of_slot,
        landed.slot,
        landed.epoch,
        syncs,
        places,
    )
    return tuple(_hazard(trace, landed, row) for row in found)


@njit(cache=True, nogil=True)
def _pass_by(
    addresses: Addresses,
    slot_site: NDArray[np.int32],
    slot_epoch: NDArray[np.int32],
    slot_order: NDArray[np.int64],
    is_shared: NDArray[np.bool_],
    is_store: NDArray[np.bool_],
    width_bytes: NDArray[np.int64],
    row_of_slot: NDArray[np.int32],
    landed_slot: NDArray[np.int32],
    landed_epoch: NDArray[np.int32],
    warp_syncs: NDArray[np.int32],
    places: NDArray[np.int64],
) -> NDArray[np.int64]:
    firsts = np.zeros(len(places) + 1, np.int64)
    for i in range(len(places)):
        firsts[i + 1] = firsts[i] + ((places[i, 1] - places[i, 0]) >> _SHIFT) + 1
    cells = np.full((firsts[-1], 6), -1, np.int32)
    found = np.empty((len(is_store), 8), np.int64)
    count = 0
    row_of_pair = np.full((len(is_store), len(is_store)), -1, np.int32)
    for slot in slot_order:
        site = slot_site[slot]
        if site == BARRIER_SITE or not is_shared[site]:
            continue
        row, epoch = row_of_slot[slot], slot_epoch[slot]
        for warp in range(addresses.shape[0]):
            for lane in range(LANES):
                address = addresses[warp, slot, lane]
                if address == INACTIVE:
                    continue
                thread = warp * LANES + lane
                counted = False  # an access of several cells counts once
                at = 0
                while at < len(places) and not places[at, 0] <= address < places[at, 1]:
                    at += 1
                if at == len(places):
                    continue
                begin = address - places[at, 0]
                for offset in range(begin >> _SHIFT, ((begin + width_bytes[site] - 1) >> _SHIFT) + 1):
                    cell = firsts[at] + offset
                    other = cells[cell, _THREAD]
                    if other < 0 and row < 0:
                        continue  # no copy is under way there
                    separated = other // LANES == warp and cells[cell, _SYNCS] < warp_syncs[warp, slot]
                    if other == thread or (separated and cells[cell, _EPOCH] == epoch):
                        early = slot < cells[cell, _LANDED_SLOT]
                    else:
                        early = cells[cell, _EPOCH] < epoch and epoch <= cells[cell, _LANDED_EPOCH]
                    if early and other >= 0 and not counted:
                        counted = True
                        copy = cells[cell, _SITE]
                        pair = row_of_pair[copy, site]
                        if pair < 0:
                            if count == len(found):
                                found = grown(found)
                            pair = row_of_pair[copy, site] = count
                            count += 1
                            found[pair, _COPY], found[pair, _ACCESS], found[pair, _SLOT] = copy, site, slot
                            found[pair, _COPYING], found[pair, _TOUCHING] = other, thread
                            found[pair, _ADDRESS] = max(address, places[at, 0] + (offset << _SHIFT))
                            found[pair, _WAITED], found[pair, _COUNT] = cells[cell, _LANDED_EPOCH], 0
                        found[pair, _COUNT] += 1
                    if row >= 0:
                        cells[cell, _SITE], cells[cell, _THREAD], cells[cell, _EPOCH] = site, thread, epoch
                        cells[cell, _LANDED_SLOT] = landed_slot[warp, row, lane]
                        cells[cell, _LANDED_EPOCH] = landed_epoch[warp, row, lane]
                        cells[cell, _SYNCS] = warp_syncs[warp, slot]
                    elif is_store[site]:
                        cells[cell, _THREAD] = -1
    return found[:count]


def _hazard(trace: BlockTrace, landed: CopyLandings, row: NDArray[np.int64]) -> Hazard:
    sites = {site.index: site for site in trace.sites}
    copy, access = sites[int(row[_COPY])], sites[int(row[_ACCESS])]
    copying, touching = int(row[_COPYING]), int(row[_TOUCHING])
    epoch = int(trace.slot_epoch[row[_SLOT]])
    element = name_at(trace.arrays, int(row[_ADDRESS]))
    verb = "overwrites" if access.kind is AccessKind.STORE and not access.is_atomic else access.verb
    whose = "its own asynchronous copy" if copying == touching else f"an asynchronous copy by thread {copying}"
    if row[_WAITED] == landed.never:
        why = f"thread {copying} never waits for that copy"
    elif copying == touching:
        why = "it waits for that copy only later"
    else:
        why = f"no barrier stands between the wait of thread {copying} and this access"
    return Hazard(
        kind=HazardKind.COPY_IN_FLIGHT,
        line=access.line,
        text=access.text,
        block=trace.block,
        blocks=1,
        threads=(copying, touching),
        epoch=epoch,
        count=int(row[_COUNT]),
        detail=f"thread {touching} {verb} {element} ({line_words(access)}) between barriers {epoch} and {epoch + 1} "
        f"while {whose} ({line_words(copy)}) may still write it: {why}",
        sites=(copy.index, access.index),
    )
