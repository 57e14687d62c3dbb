"""Reads of a location that nothing has been written to: what is read is left over from whatever ran before.

Locations are those of shared memory, and of C where it begins undefined.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace, Site, Space, result_of
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.counts.site_table import SiteTable
from gemmviz.trace.hazards.bounds import Addresses
from gemmviz.trace.hazards.cell_table import place_of
from gemmviz.trace.hazards.findings import Hazard, HazardKind
from gemmviz.trace.hazards.naming import line_words, name_at
from gemmviz.trace.hazards.shadow import Shadow
from gemmviz.trace.hazards.shadow_pass import FIRST_EPOCH, FIRST_SLOT, FIRST_THREAD, MANY, STORED
from gemmviz.trace.hazards.sightings import ADDRESS, COUNT, SLOT, THREAD, Sightings, named_threads, no_sightings, note

_Ranges = NDArray[np.int64]
"""Shape (sites, 2): first byte and the byte after the last of what is looked at of a site; 0, 0 for nothing."""


def unwritten_reads(
    trace: BlockTrace, addresses: Addresses, table: SiteTable, shadow: Shadow, c_is_undefined: bool = False
) -> tuple[Hazard, ...]:
    """One hazard per site that reads, wholly or in part, what no thread has written.

    Written is a location that any thread wrote in an earlier epoch or the same thread earlier in this one. A location
    that another thread writes in this epoch is a race, and no hazard here. An atomic operation reads what it changes,
    so it is no first write; what is read after it is not told again. `addresses` are those in bounds, `table` and
    `shadow` belong to the trace.
    """
    looked_at = _looked_at(trace, shadow.read_early, c_is_undefined)
    if not looked_at.any():
        return ()
    seen = no_sightings(len(table.is_store))
    _look_unwritten(
        addresses,
        trace.slot_site,
        trace.slot_epoch,
        table.slot_order,
        looked_at,
        table.is_atomic,
        table.width_bytes,
        shadow.shift,
        shadow.keys,
        shadow.places,
        shadow.cells,
        seen,
    )
    found = [_hazard(trace, site, seen) for site in trace.sites if seen[site.index, COUNT]]
    return tuple(sorted(found, key=lambda hazard: hazard.epoch))


def _looked_at(trace: BlockTrace, shared: bool, c_is_undefined: bool) -> _Ranges:
    c = result_of(trace.arrays)
    ranges = np.zeros((max((site.index for site in trace.sites), default=-1) + 1, 2), np.int64)
    for site in trace.sites:
        if site.reads and site.space is Space.SHARED and shared:
            ranges[site.index] = 0, np.iinfo(np.int64).max
        is_global = site.reads and site.space is Space.GLOBAL and c_is_undefined
        if is_global and c is not None and site.array in (c.name, ""):
            ranges[site.index] = c.base, c.base + c.nbytes
    return ranges


@njit(cache=True, nogil=True)
def _look_unwritten(
    addresses: Addresses,
    slot_site: NDArray[np.int32],
    slot_epoch: NDArray[np.int32],
    slot_order: NDArray[np.int64],
    looked_at: _Ranges,
    is_atomic: NDArray[np.bool_],
    width_bytes: NDArray[np.int64],
    shift: int,
    keys: NDArray[np.int64],
    places: NDArray[np.int32],
    cells: NDArray[np.int32],
    seen: Sightings,
) -> None:
    for slot in slot_order:
        site = slot_site[slot]
        if site == BARRIER_SITE or looked_at[site, 1] == 0:
            continue
        for warp in range(addresses.shape[0]):
            for lane in range(LANES):
                address = addresses[warp, slot, lane]
                if address == INACTIVE or not looked_at[site, 0] <= address < looked_at[site, 1]:
                    continue
                thread = warp * LANES + lane
                for number in range(address >> shift, ((address + width_bytes[site] - 1) >> shift) + 1):
                    place = place_of(keys, number)
                    is_written = keys[place] == number and _may_be_written(
                        cells[places[place]], slot_epoch[slot], slot, thread, is_atomic[site]
                    )
                    if not is_written:
                        note(seen, site, slot, thread, max(address, number << shift))
                        break  # an access of several cells counts once


@njit(cache=True, nogil=True)
def _may_be_written(cell: NDArray[np.int32], epoch: int, slot: int, thread: int, atomic: bool) -> bool:
    """Whether a read at a slot finds something written to a cell, or races with whoever writes it."""
    if cell[FIRST_THREAD] == -1:
        return not atomic and cell[STORED] != -1
    if cell[FIRST_EPOCH] > epoch:
        return False
    if cell[FIRST_EPOCH] < epoch or cell[FIRST_THREAD] != thread or cell[MANY] != 0:
        return True
    return bool(cell[FIRST_SLOT] < slot)


def _hazard(trace: BlockTrace, site: Site, seen: Sightings) -> Hazard:
    first = seen[site.index]
    epoch = int(trace.slot_epoch[first[SLOT]])
    element = name_at(trace.arrays, int(first[ADDRESS]))
    what = "but no thread has written it: its value is undefined"
    if site.space is Space.GLOBAL:
        what = (
            "which nothing has written: a kernel that adds to C, or multiplies it by beta, says so in its header "
            '(`c_begins = "zero"`, or `beta`)'
        )
    return Hazard(
        kind=HazardKind.UNWRITTEN_READ,
        line=site.line,
        text=site.text,
        block=trace.block,
        blocks=1,
        threads=named_threads(first),
        epoch=epoch,
        count=int(first[COUNT]),
        detail=f"thread {first[THREAD]} reads {element} ({line_words(site)}) between barriers {epoch} and {epoch + 1}, "
        f"{what}",
        sites=(site.index,),
    )
