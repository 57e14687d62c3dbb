"""Elements that the threads of a block have touched before each position (see `timeline`): counted once, looked up."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.recordings.access import INACTIVE, AccessKind, BlockTrace, Space

_CHUNK = 1 << 12
"""Slots looked at in one go."""


def running_elements(
    trace: BlockTrace, space: Space, kind: AccessKind, names: Collection[str], among: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Elements of those arrays that single threads touched before each position, shape (slots · warps + 1,).

    An access of 16 bytes touches four elements of 4 bytes. What lies outside the arrays is left to `running_outside`;
    slots that are not `among` those, shape (slots,), do not count.
    """
    warps = trace.addresses.shape[0]
    arrays = [array for array in trace.arrays if array.space is space and array.name in names]
    by_slot = np.zeros((trace.slot_site.size, warps), np.int64)
    for site in trace.sites:
        if site.space is not space or site.kind is not kind:
            continue
        is_counted = trace.slot_site == site.index
        slots = np.flatnonzero(is_counted if among is None else is_counted & among)
        for begin in range(0, slots.size, _CHUNK):
            chosen = slots[begin : begin + _CHUNK]
            addresses = trace.addresses[:, chosen]
            for array in arrays:  # of lanes that take no part, and before an array, the offset is as large as can be
                inside = (addresses - array.base).view(np.uint64) < np.uint64(array.nbytes)
                by_slot[chosen] += inside.sum(axis=2).T * -(-site.width_bytes // array.element_bytes)
    return running_sums(by_slot)


def running_outside(trace: BlockTrace, space: Space, kind: AccessKind, names: Collection[str]) -> NDArray[np.int64]:
    """Accesses meant for those arrays that lie in no array of the memory, as the elements that they would touch: before
    each position, shape (slots · warps + 1,).
    """
    arrays = [array for array in trace.arrays if array.space is space]
    element_bytes = {array.name: array.element_bytes for array in arrays if array.name in names}
    by_slot = np.zeros((trace.slot_site.size, trace.addresses.shape[0]), np.int64)
    for site in trace.sites:
        if site.space is not space or site.kind is not kind or site.array not in element_bytes:
            continue
        slots = np.flatnonzero(trace.slot_site == site.index)
        for begin in range(0, slots.size, _CHUNK):
            chosen = slots[begin : begin + _CHUNK]
            addresses = trace.addresses[:, chosen]
            outside = addresses != INACTIVE
            for array in arrays:
                outside &= (addresses - array.base).view(np.uint64) >= np.uint64(array.nbytes)
            by_slot[chosen] += outside.sum(axis=2).T * -(-site.width_bytes // element_bytes[site.array])
    return running_sums(by_slot)


def outside_words(elements: int) -> str:
    """How many of the counted values lie outside the arrays, "" for none."""
    return f"{figures.count(elements)} outside the arrays" if elements else ""


def running_sums(by_slot: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sums before each position, shape (slots · warps + 1,), of counts of shape (slots, warps)."""
    return np.concatenate(([0], np.cumsum(by_slot.reshape(-1))))
