"""What the requests of one frame cost at each element: sectors of global memory, meetings in a shared bank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import LANES, SECTOR_BYTES, BlockTrace, Space
from gemmviz.trace.frame_access import LaneAccesses, decode
from gemmviz.trace.frame_values import Frame

BANKS, WORD_BYTES = 32, 4
Counts = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """A figure for each element touched: rows, columns and figures of shape (n,)."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    figures: Counts


def sectors(trace: BlockTrace, frame: Frame) -> dict[str, Costs]:
    """The 32-byte sectors of the request that touched each element of global memory; the most of several."""
    found = {}
    for index, accesses in _accesses(trace, frame, Space.GLOBAL):
        width = _widths(trace)[accesses.site]
        first, last = accesses.address // SECTOR_BYTES, (accesses.address + width - 1) // SECTOR_BYTES
        request = _request(trace, accesses)
        pairs = [np.stack((request, first + beside), axis=1)[first + beside <= last] for beside in range(2)]
        touched = np.unique(np.concatenate(pairs), axis=0)
        distinct, count = np.unique(touched[:, 0], return_counts=True)
        found[trace.arrays[index].name] = _most(trace, index, accesses, count[np.searchsorted(distinct, request)])
    return found


def meetings(trace: BlockTrace, frame: Frame) -> dict[str, Costs]:
    """How many distinct words the request that touched each slot wants of that slot's bank at once; 1 is no conflict.

    Lanes are served 32 at a time if each takes 4 bytes, 16 at 8 bytes, 8 at 16.
    """
    found = {}
    for index, accesses in _accesses(trace, frame, Space.SHARED):
        width = _widths(trace)[accesses.site]
        group = (accesses.thread % LANES) // np.maximum(LANES * WORD_BYTES // np.maximum(width, WORD_BYTES), 1)
        served = _request(trace, accesses) * LANES + group
        word = accesses.address // WORD_BYTES
        most = np.ones(word.size, np.int64)
        spans = -(-width // WORD_BYTES)
        pieces = [np.stack((served, word + beside), axis=1)[beside < spans] for beside in range(int(spans.max()))]
        wanted = np.unique(np.concatenate(pieces), axis=0)
        key = wanted[:, 0] * BANKS + wanted[:, 1] % BANKS
        distinct, count = np.unique(key, return_counts=True)
        for beside in range(int(spans.max())):
            at = np.searchsorted(distinct, served * BANKS + (word + beside) % BANKS)
            here = beside < spans
            most[here] = np.maximum(most[here], count[np.minimum(at[here], count.size - 1)])
        found[trace.arrays[index].name] = _most(trace, index, accesses, most)
    return found


def _accesses(trace: BlockTrace, frame: Frame, space: Space) -> list[tuple[int, LaneAccesses]]:
    """The accesses of a frame by array, those that warps asked for."""
    found = decode(trace, np.arange(*frame.slots), frame.warps)
    requested = np.array([site.way.is_requested for site in trace.sites], np.bool_)
    found = found.only(requested[found.site])
    by_array = ((i, found.only(found.array == i)) for i, array in enumerate(trace.arrays) if array.space is space)
    return [(index, accesses) for index, accesses in by_array if accesses.array.size]


def _widths(trace: BlockTrace) -> NDArray[np.int64]:
    return np.array([site.width_bytes for site in trace.sites], np.int64)


def _request(trace: BlockTrace, accesses: LaneAccesses) -> NDArray[np.int64]:
    request: NDArray[np.int64] = accesses.slot.astype(np.int64) * trace.addresses.shape[0] + accesses.thread // LANES
    return request


def _most(trace: BlockTrace, index: int, accesses: LaneAccesses, figure: NDArray[np.int64]) -> Costs:
    element, which = accesses.elements()
    distinct, place = np.unique(element, return_inverse=True)
    most = np.zeros(distinct.size, np.int32)
    np.maximum.at(most, place.reshape(-1), figure[which].astype(np.int32))
    rows, columns = np.divmod(distinct, trace.arrays[index].columns)
    return Costs(rows, columns, most)
