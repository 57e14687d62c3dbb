"""The parts of a frame, each from the accesses in it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, AccessPath, BlockTrace, Site
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.access import NO_ACCESS, OUT_OF_BOUNDS, LaneAccesses
from gemmviz.trace.frames.regions import bounding
from gemmviz.trace.frames.values import OutOfBounds, Request, ThreadPath, Touch


def touches_of(trace: BlockTrace, accesses: LaneAccesses) -> tuple[Touch, ...]:
    """What is touched, array by array in the order of the trace, loads before stores."""
    present = {int(i) for i in np.unique(accesses.array)}
    return tuple(
        touch
        for i in range(len(trace.arrays))
        if i in present
        for kind in (AccessKind.LOAD, AccessKind.STORE)
        if (touch := _touch(trace, accesses.of(i, kind), i, kind)) is not None
    )


def touches_by_path(trace: BlockTrace, accesses: LaneAccesses) -> dict[AccessPath, tuple[Touch, ...]]:
    """As `touches_of`, for each way of access by itself."""
    paths = list(AccessPath)
    path = np.array([paths.index(site.path) for site in trace.sites], np.int64)[accesses.site]
    return {each: touches_of(trace, accesses.only(path == place)) for place, each in enumerate(paths)}


def outside_of(accesses: LaneAccesses) -> OutOfBounds:
    """The accesses out of bounds, in lockstep order."""
    outside = accesses.outside()
    return OutOfBounds(outside.thread, outside.site, outside.address)


def sites_of(trace: BlockTrace, accesses: LaneAccesses) -> tuple[Site, ...]:
    """The sites that ran, in the order of their first slot."""
    sites, first = np.unique(accesses.site, return_index=True)
    return tuple(trace.sites[int(i)] for i in sites[np.argsort(first)])


def request_of(trace: BlockTrace, accesses: LaneAccesses, slot: int, warp: int) -> Request:
    """The request of a warp in a slot, of which `accesses` are the active lanes."""
    lane = accesses.thread % LANES
    array = np.full(LANES, NO_ACCESS, np.int32)
    row, column = np.full(LANES, -1, np.int32), np.full(LANES, -1, np.int32)
    span = np.zeros(LANES, np.int32)
    array[lane] = accesses.array
    span[lane] = accesses.span
    inside = accesses.array >= 0
    columns = np.array([a.columns for a in trace.arrays], np.int64)[accesses.array[inside]]
    row[lane[inside]] = accesses.element[inside] // columns
    column[lane[inside]] = accesses.element[inside] % columns
    addresses = trace.addresses[warp, slot]
    return Request(warp, slot, trace.sites[int(trace.slot_site[slot])], addresses, array, row, column, span)


def path_of(
    trace: BlockTrace,
    of_warp: LaneAccesses,
    thread: int,
    frames_at: Callable[[NDArray[np.int64]], NDArray[np.int32]],
) -> ThreadPath:
    """All that a thread touches, of the accesses of its warp; `frames_at` gives the frames of positions, shape (n,)."""
    accesses = of_warp.only(of_warp.thread == thread)
    element, which = accesses.elements()
    outside = np.flatnonzero(accesses.array == OUT_OF_BOUNDS)  # they have no element, and get a row of their own
    order = np.argsort(np.concatenate((which, outside)), kind="stable")
    which = np.concatenate((which, outside))[order]
    element = np.concatenate((element, np.full(outside.size, -1)))[order]
    array, slot = accesses.array[which], accesses.slot[which]
    columns = np.array([a.columns for a in trace.arrays] or [1])[np.maximum(array, 0)]
    row = np.where(element < 0, -1, element // columns).astype(np.int32)
    column = np.where(element < 0, -1, element % columns).astype(np.int32)
    frame = frames_at(slot.astype(np.int64) * trace.addresses.shape[0] + thread // LANES)
    return ThreadPath(thread, frame, slot, array, row, column, accesses.is_store[which])


def _touch(trace: BlockTrace, accesses: LaneAccesses, index: int, kind: AccessKind) -> Touch | None:
    if accesses.element.size == 0:
        return None
    array = trace.arrays[index]
    element, which = accesses.elements()
    distinct, counts = np.unique(element, return_counts=True)
    rows, columns = np.divmod(distinct, array.columns)
    return Touch(
        array,
        kind,
        rows.astype(np.int32),
        columns.astype(np.int32),
        counts.astype(np.int32),
        bounding(rows, columns),
        accesses.thread[which],
        element,
        accesses.element.size,
        np.unique(accesses.slot).size,
        int(accesses.slot[-1]),
    )


def check_trace(trace: BlockTrace) -> None:
    """See that the columns fit each other.

    Raises:
        ValueError: addresses, sites or epochs have shapes that do not fit, an epoch is smaller than the one before, or
            a slot has a site that is not in the table.
    """
    addresses, sites, epochs = trace.addresses, trace.slot_site, trace.slot_epoch
    if addresses.ndim != 3 or addresses.shape[2] != LANES:
        raise ValueError(f"addresses have shape {addresses.shape}: it must be (warps, slots, {LANES})")
    if sites.shape != (addresses.shape[1],) or epochs.shape != sites.shape:
        raise ValueError(
            f"there are {addresses.shape[1]} slots of addresses, sites of shape {sites.shape} and epochs of shape "
            f"{epochs.shape}: all three must agree"
        )
    if np.any(np.diff(epochs) < 0):
        raise ValueError(f"epoch {epochs[int(np.argmax(np.diff(epochs) < 0)) + 1]} comes after a later one")
    if sites.size and not -1 <= int(sites.min()) <= int(sites.max()) < len(trace.sites):
        raise ValueError(f"a slot has site {sites.min()} or {sites.max()}, and there are {len(trace.sites)} sites")
    if [site.index for site in trace.sites] != list(range(len(trace.sites))):
        raise ValueError("the sites are not numbered from 0 in the order they stand in")
