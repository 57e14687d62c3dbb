"""From addresses to elements: who touched what, as columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, AccessKind, BlockTrace, MappedArray
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.terms import Layout

NO_ACCESS = -1
"""The array of a lane that takes no part in a request."""

OUT_OF_BOUNDS = -2
"""The array of an access that does not lie wholly in one array."""


@dataclass(frozen=True, slots=True, eq=False)
class LaneAccesses:
    """Accesses of single lanes as columns of shape (n,), in the order of slot, then warp, then lane.

    `array` is the index in `arrays`, those of the BlockTrace, or OUT_OF_BOUNDS. `element` is the number of the first
    element touched (-1 outside), `span` how many follow each other from there in memory: 4 for 16 bytes of float, 0
    outside.
    """

    slot: NDArray[np.int32]
    thread: NDArray[np.int32]
    address: NDArray[np.int64]
    site: NDArray[np.int32]
    is_store: NDArray[np.bool_]
    array: NDArray[np.int32]
    element: NDArray[np.int64]
    span: NDArray[np.int64]
    arrays: tuple[MappedArray, ...]

    def of(self, array: int, kind: AccessKind) -> LaneAccesses:
        """The accesses of that array and kind, in the same order."""
        return self.only((self.array == array) & (self.is_store == (kind is AccessKind.STORE)))

    def outside(self) -> LaneAccesses:
        """The accesses out of bounds, in the same order."""
        return self.only(self.array == OUT_OF_BOUNDS)

    def elements(self) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        """Every element touched, shape (m,), and which of the n accesses touches it, shape (m,); in order."""
        which = np.arange(self.element.size)
        if np.all(self.span == 1):
            return self.element, which
        which = np.repeat(which, self.span)
        away = np.arange(which.size) - (np.cumsum(self.span) - self.span)[which]
        found = self.element[which] + away
        for number, array in enumerate(self.arrays):
            if array.layout is not Layout.ROW:
                here = self.array[which] == number
                found[here] = array.numbers_beside(self.element[which[here]], away[here])
        return found, which

    def only(self, mask: NDArray[np.bool_]) -> LaneAccesses:
        """Those where `mask`, shape (n,), is true, in the same order."""
        return LaneAccesses(
            self.slot[mask],
            self.thread[mask],
            self.address[mask],
            self.site[mask],
            self.is_store[mask],
            self.array[mask],
            self.element[mask],
            self.span[mask],
            self.arrays,
        )


def decode(trace: BlockTrace, slots: NDArray[np.integer], warps: tuple[int, int]) -> LaneAccesses:
    """The accesses of warps `warps[0]` to `warps[1]` - 1 in the given slots, ascending; barriers count for nothing."""
    slots = slots[trace.slot_site[slots] != BARRIER_SITE]
    by_slot = trace.addresses[warps[0] : warps[1], slots].transpose(1, 0, 2)
    which, warp, lane = np.nonzero(by_slot != INACTIVE)
    address = by_slot[which, warp, lane]
    slot = slots[which].astype(np.int32)
    site = trace.slot_site[slot]
    width = np.array([s.width_bytes for s in trace.sites], np.int64)
    is_store = np.array([s.kind is AccessKind.STORE for s in trace.sites], np.bool_)
    array, element, span = locate(trace, address, width[site])
    thread = ((warps[0] + warp) * LANES + lane).astype(np.int32)
    return LaneAccesses(slot, thread, address, site, is_store[site], array, element, span, trace.arrays)


def locate(
    trace: BlockTrace, address: NDArray[np.int64], width: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Array, first element and number of elements of each access, shape (n,), as `LaneAccesses` has them."""
    if not trace.arrays:
        nowhere = np.full(address.size, OUT_OF_BOUNDS, np.int32)
        return nowhere, np.full(address.size, -1, np.int64), np.zeros(address.size, np.int64)
    order = sorted(range(len(trace.arrays)), key=lambda i: trace.arrays[i].base)
    arrays = [trace.arrays[i] for i in order]
    bases = np.array([a.base for a in arrays], np.int64)
    nearest = np.maximum(np.searchsorted(bases, address, side="right") - 1, 0)
    offset = address - bases[nearest]
    size = np.array([a.element_bytes for a in arrays], np.int64)[nearest]
    inside = (offset >= 0) & (offset + width <= np.array([a.nbytes for a in arrays], np.int64)[nearest])
    first = offset // size
    span = (offset + width - 1) // size - first + 1
    for number, one in enumerate(arrays):
        if one.layout is not Layout.ROW:
            here = inside & (nearest == number)
            first[here] = one.numbers_at(first[here])
    array = np.where(inside, np.array(order, np.int32)[nearest], np.int32(OUT_OF_BOUNDS))
    return array, np.where(inside, first, -1), np.where(inside, span, 0)
