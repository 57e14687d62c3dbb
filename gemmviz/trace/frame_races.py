"""Where the races of a recording take place in one frame, also where it holds only one of two accesses that race."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import BlockTrace, MappedArray
from gemmviz.trace.frame_access import decode
from gemmviz.trace.frame_values import Frame

Columns = NDArray[np.int64]
_NOBODY = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Elements of an array, row-major indices of shape (n,), at which threads of two sites meet between two barriers.

    `threads` meet at `element`: the first at the first of the two sites, the other at the second.
    """

    array: MappedArray
    elements: Columns
    element: int
    threads: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Touched:
    """Every element that accesses touch, as columns of shape (m,), in lockstep order."""

    array: Columns
    element: Columns
    thread: Columns
    site: Columns
    is_here: NDArray[np.bool_]

    def only(self, mask: NDArray[np.bool_]) -> _Touched:
        return _Touched(
            self.array[mask], self.element[mask], self.thread[mask], self.site[mask], self.is_here[mask]
        )  # fmt: skip


def meetings_in(frame: Frame, trace: BlockTrace, pairs: Sequence[tuple[int, ...]]) -> tuple[tuple[Meeting, ...], ...]:
    """For each pair of sites that are known to race, the elements that this frame touches and that race.

    An element races if another thread touches it at the other site in the same epoch, in this frame or not. One
    meeting for each array; none where the pair does not race in the frame.
    """
    if not pairs:
        return ()
    found: list[list[Meeting]] = [[] for _ in pairs]
    for epoch in np.unique(trace.slot_epoch[slice(*frame.slots)]).tolist():
        touched = _touched(frame, trace, epoch, sorted({site for pair in pairs for site in pair}))
        for meetings, pair in zip(found, pairs, strict=True):
            mine = touched.only(np.isin(touched.site, pair))
            for array in np.unique(mine.array[mine.is_here]).tolist():
                meeting = _meeting(trace.arrays[array], mine.only(mine.array == array), pair)
                meetings += [meeting] if meeting is not None else []
    return tuple(tuple(meetings) for meetings in found)


def _touched(frame: Frame, trace: BlockTrace, epoch: int, sites: list[int]) -> _Touched:
    slots = np.flatnonzero((trace.slot_epoch == epoch) & np.isin(trace.slot_site, sites))
    accesses = decode(trace, slots, (0, trace.addresses.shape[0]))
    accesses = accesses.only(accesses.array >= 0)
    element, which = accesses.elements()
    warp = accesses.thread // trace.addresses.shape[2]
    is_here = (accesses.slot >= frame.slots[0]) & (accesses.slot < frame.slots[1])
    is_here &= (warp >= frame.warps[0]) & (warp < frame.warps[1])
    columns = (accesses.array, accesses.thread, accesses.site)
    array, thread, site = (column[which].astype(np.int64) for column in columns)
    return _Touched(array, element, thread, site, is_here[which])


def _meeting(array: MappedArray, touched: _Touched, pair: tuple[int, ...]) -> Meeting | None:
    """`touched` are the accesses of one array at the sites of the pair, in one epoch."""
    base = int(touched.element.min())
    size = int(touched.element.max()) - base + 1
    lowest = [_lowest(touched.only(touched.site == site), base, size) for site in (pair[0], pair[-1])]
    found: list[Columns] = []
    example: tuple[int, tuple[int, int]] | None = None
    for place in (1, 0):  # an example at the later site first, as the sentence about a race has it
        here = touched.only(touched.is_here & (touched.site == (pair[0], pair[-1])[place]))
        partner = _other_than(here.thread, here.element - base, lowest[1 - place])
        meets = partner != _NOBODY
        found.append(here.element[meets])
        if example is None and meets.any():
            first = int(np.argmax(meets))
            two = int(partner[first]), int(here.thread[first])
            example = int(here.element[first]), two if place else (two[1], two[0])
    return None if example is None else Meeting(array, np.unique(np.concatenate(found)), *example)


def _lowest(touched: _Touched, base: int, size: int) -> tuple[Columns, Columns]:
    """The lowest thread at each element, and the lowest but one, shape (size,) each; _NOBODY where there is none."""
    lowest, second = np.full(size, _NOBODY), np.full(size, _NOBODY)
    at = touched.element - base
    np.minimum.at(lowest, at, touched.thread)
    higher = touched.thread > lowest[at]
    np.minimum.at(second, at[higher], touched.thread[higher])
    return lowest, second


def _other_than(thread: Columns, at: Columns, lowest: tuple[Columns, Columns]) -> Columns:
    """The lowest thread at each of those elements that is not `thread`, or _NOBODY."""
    first, second = lowest
    other: Columns = np.where(first[at] != thread, first[at], second[at])
    return other
