"""Accesses outside the array that their site reaches, and those at an address that their type must not have."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace, MappedArray, Site, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.counts.site_table import SiteTable
from gemmviz.trace.counts.spans import span_of
from gemmviz.trace.hazards.findings import Hazard, HazardKind
from gemmviz.trace.hazards.naming import array_at, line_words, name_at, reachable
from gemmviz.trace.hazards.sightings import ADDRESS, COUNT, SLOT, THREAD, Sightings, named_threads, no_sightings, note
from gemmviz.trace.virtual_addresses import FAR_BYTES

Addresses = NDArray[np.int64]
"""Shape (warps, slots, 32), bytes, as in a BlockTrace."""

_Ranges = NDArray[np.int64]
"""Shape (sites, most arrays, 2): first byte and the byte after the last of each array in reach; 0, 0 where none."""


def check_bounds(trace: BlockTrace, table: SiteTable) -> tuple[Addresses, tuple[Hazard, ...]]:
    """The addresses of a block that are sound, and one hazard per site and fault that is found.

    In bounds is an access whose bytes all lie in one array in reach of its site (`naming.reachable`); private memory
    is not looked at. An access in bounds is misaligned if its address is no multiple of what its site says. `table` is
    that of the trace. The addresses, shape (warps, slots, 32), are the trace's own where nothing is at fault, and else
    a copy with INACTIVE there.
    """
    ranges = _ranges(trace, table)
    outside, askew = no_sightings(len(table.is_store)), no_sightings(len(table.is_store))
    columns = trace.slot_site, ranges, table.width_bytes, table.aligned_bytes, table.component_bytes
    _look(trace.addresses, *columns, table.slot_order, outside, askew)
    if not (outside[:, COUNT].any() or askew[:, COUNT].any()):
        return trace.addresses, ()
    sound = trace.addresses.copy()
    _silence(sound, *columns)
    found = [_hazard(trace, site, outside[site.index]) for site in trace.sites if outside[site.index, COUNT]]
    found += [_misaligned(trace, site, askew[site.index]) for site in trace.sites if askew[site.index, COUNT]]
    return sound, tuple(sorted(found, key=lambda hazard: hazard.epoch))


def _ranges(trace: BlockTrace, table: SiteTable) -> _Ranges:
    # Private memory is not mapped: its sites reach every address.
    reach = {site.index: reachable(site, trace.arrays) for site in trace.sites if site.space is not Space.PRIVATE}
    most = max((len(arrays) for arrays in reach.values()), default=0)
    ranges = np.zeros((len(table.is_store), max(most, 1), 2), np.int64)
    ranges[~(table.is_shared | table.is_global), 0] = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    for index, arrays in reach.items():
        for i, array in enumerate(arrays):
            ranges[index, i] = array.base, array.base + array.nbytes
    return ranges


@njit(cache=True, nogil=True)
def _is_inside(ranges: NDArray[np.int64], address: int, width_bytes: int) -> bool:
    """Whether an access lies in one of the ranges, shape (arrays, 2). Never adds to an address: it may be any int64."""
    for i in range(ranges.shape[0]):  # noqa: SIM110 - compiled: a loop
        if ranges[i, 0] <= address <= ranges[i, 1] - width_bytes:
            return True
    return False


@njit(cache=True, nogil=True)
def _are_inside(ranges: NDArray[np.int64], low: int, high: int, width_bytes: int) -> bool:
    """Whether all accesses from the lowest to the highest address lie in one of the ranges."""
    for i in range(ranges.shape[0]):  # noqa: SIM110 - compiled: a loop
        if ranges[i, 0] <= low and high <= ranges[i, 1] - width_bytes:
            return True
    return False


@njit(cache=True, nogil=True)
def _look(
    addresses: Addresses,
    slot_site: NDArray[np.int32],
    ranges: _Ranges,
    width_bytes: NDArray[np.int64],
    aligned_bytes: NDArray[np.int64],
    component_bytes: NDArray[np.int64],
    slot_order: NDArray[np.int64],
    outside: Sightings,
    askew: Sightings,
) -> None:
    for slot in slot_order:
        site = slot_site[slot]
        if site == BARRIER_SITE:
            continue
        reach, width = ranges[site], width_bytes[site]
        low_bits, behind = aligned_bytes[site] - 1, component_bytes[site]
        for warp in range(addresses.shape[0]):
            low, high, bits = span_of(addresses[warp, slot], behind)
            if low > high or (bits & low_bits == 0 and _are_inside(reach, low, high, width)):
                continue
            for lane in range(LANES):
                address = addresses[warp, slot, lane]
                if address == INACTIVE:
                    continue
                if not _is_inside(reach, address, width):
                    note(outside, site, slot, warp * LANES + lane, address)
                elif (address - behind) & low_bits:
                    note(askew, site, slot, warp * LANES + lane, address)


@njit(cache=True, nogil=True)
def _silence(
    addresses: Addresses,
    slot_site: NDArray[np.int32],
    ranges: _Ranges,
    width_bytes: NDArray[np.int64],
    aligned_bytes: NDArray[np.int64],
    component_bytes: NDArray[np.int64],
) -> None:
    for warp in range(addresses.shape[0]):
        for slot in range(addresses.shape[1]):
            site = slot_site[slot]
            if site == BARRIER_SITE:
                continue
            low_bits, behind = aligned_bytes[site] - 1, component_bytes[site]
            for lane in range(LANES):
                address = addresses[warp, slot, lane]
                if not _is_inside(ranges[site], address, width_bytes[site]) or (address - behind) & low_bits:
                    addresses[warp, slot, lane] = INACTIVE


def _hazard(trace: BlockTrace, site: Site, first: NDArray[np.int64]) -> Hazard:
    detail = _detail(trace, site, int(first[THREAD]), int(first[ADDRESS]))
    return _found(trace, site, first, HazardKind.OUT_OF_BOUNDS, detail)


def _misaligned(trace: BlockTrace, site: Site, first: NDArray[np.int64]) -> Hazard:
    address = int(first[ADDRESS]) - site.component_bytes
    array = array_at(reachable(site, trace.arrays), int(first[ADDRESS]))
    name = f"byte {address - array.base} of {array.name}" if array is not None else f"address {address}"
    away = address % site.aligned_bytes
    detail = (
        f"thread {first[THREAD]} {site.verb} {site.text} ({line_words(site)}) at {name}: that is {away} "
        f"{_plural(away, 'byte')} past a multiple of {site.aligned_bytes}, but an access of "
        f"{site.aligned_bytes} bytes "
        "must start at such a multiple; an NVIDIA GPU ends the kernel with an error here"
    )
    return _found(trace, site, first, HazardKind.MISALIGNED, detail)


def _found(trace: BlockTrace, site: Site, first: NDArray[np.int64], kind: HazardKind, detail: str) -> Hazard:
    return Hazard(
        kind=kind,
        line=site.line,
        text=site.text,
        block=trace.block,
        blocks=1,
        threads=named_threads(first),
        epoch=int(trace.slot_epoch[first[SLOT]]),
        count=int(first[COUNT]),
        detail=detail,
        sites=(site.index,),
    )


def _detail(trace: BlockTrace, site: Site, thread: int, address: int) -> str:
    says = f"thread {thread} {site.verb} {site.text} ({line_words(site)})"
    nowhere = f"{says} at address {address:#x}, where no array lies: the pointer is null, uninitialised or corrupted"
    arrays = reachable(site, trace.arrays)
    if not arrays:
        is_by_name = bool(site.array)  # a pointer to any memory has no name, and counts as one to shared memory
        return f"{says} at address {address}, but the block has no {site.space.value} array" if is_by_name else nowhere

    def distance(array: MappedArray) -> int:
        return max(array.base - address, address + site.width_bytes - array.base - array.nbytes)

    nearest = min(arrays, key=distance)
    far = distance(nearest)
    if not site.array and far >= FAR_BYTES:
        return nowhere
    elements = -(-far // nearest.element_bytes)
    where = "before the start" if address < nearest.base else "past the end"
    name = nearest.name if site.array or len(arrays) == 1 else f"{nearest.name}, the nearest array"
    lands = array_at([array for array in trace.arrays if array is not nearest], address)
    return (
        f"{says}: that is {far} {_plural(far, 'byte')} ({elements} {_plural(elements, 'element')}) {where} of "
        f"{name}, which has {_extent(nearest)}" + (f"; it lands in {name_at([lands], address)}" if lands else "")
    )


def _plural(count: int, word: str) -> str:
    return word if count == 1 else word + "s"


def _extent(array: MappedArray) -> str:
    """Rows and columns, "16×17 elements"; of an array of one dimension, "64 elements"."""
    sizes = str(array.columns) if array.is_row else f"{array.rows}×{array.columns}"
    return f"{sizes} {_plural(array.rows * array.columns, 'element')}"
