"""What happened so far: every touch of an array in lockstep order, and running counts over it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.access import decode
from gemmviz.trace.frames.regions import Rectangle, bounding

_CHUNK_LANES = 1 << 20
"""Addresses decoded at a time, so that a large trace needs little memory beside itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """Every touch of one array by one kind of access, shape (n,), `position` ascending.

    `cell` is the row-major place of the element in `box`, the rectangle around all that is touched.
    """

    position: NDArray[np.int64]
    cell: NDArray[np.int64]
    box: Rectangle

    def between(self, begin: int, end: int) -> NDArray[np.int64]:
        """The cells touched at positions `begin` to `end` - 1, in order, repeated as often as touched."""
        low, high = np.searchsorted(self.position, (begin, end))
        return self.cell[low:high]


class AccessHistory:
    """The tracks of a trace, each made when first asked for and kept."""

    def __init__(self, trace: BlockTrace) -> None:
        self._trace = trace
        self._tracks: dict[tuple[int, AccessKind], Track] = {}
        self._counts: dict[tuple[int, AccessKind], tuple[int, NDArray[np.int32]]] = {}

    def track(self, array: int, kind: AccessKind) -> Track:
        """The touches of the array with that index by that kind of access."""
        if (array, kind) not in self._tracks:
            self._trace_all(self._trace.arrays[array].space, kind)
        return self._tracks[array, kind]

    def counts(self, array: int, kind: AccessKind, end: int) -> NDArray[np.int32]:
        """How often each cell of the track's box was touched before position `end`, shape (box.rows, box.columns).

        Counts on from the last answer, forwards or backwards: the cost is that of the touches between the two.
        """
        track = self.track(array, kind)
        at, counted = self._counts.get((array, kind), (0, np.zeros(track.box.size, np.int32)))
        step = np.bincount(track.between(min(at, end), max(at, end)), minlength=track.box.size).astype(np.int32)
        counted = counted + step if end >= at else counted - step
        self._counts[array, kind] = (end, counted)
        return counted.reshape(track.box.rows, track.box.columns).copy()

    def _trace_all(self, space: Space, kind: AccessKind) -> None:
        """Make the tracks of all arrays in that space at once: they come out of the same slots."""
        wanted = [i for i, array in enumerate(self._trace.arrays) if array.space is space]
        pieces: dict[int, list[tuple[NDArray[np.int64], NDArray[np.int64]]]] = {i: [] for i in wanted}
        warps = self._trace.addresses.shape[0]
        for slots in self._chunks(space, kind):
            accesses = decode(self._trace, slots, (0, warps))
            for i in wanted:
                chosen = accesses.of(i, kind)
                element, which = chosen.elements()
                position = chosen.slot.astype(np.int64) * warps + chosen.thread // LANES
                pieces[i].append((position[which], element))
        for i in wanted:
            self._tracks[i, kind] = _joined(pieces[i], self._trace.arrays[i].columns)

    def _chunks(self, space: Space, kind: AccessKind) -> Iterator[NDArray[np.intp]]:
        """The slots of the sites of that space and kind, some at a time."""
        wanted = [site.index for site in self._trace.sites if site.space is space and site.kind is kind]
        site = self._trace.slot_site
        slots = np.flatnonzero((site != BARRIER_SITE) & np.isin(site, wanted))
        per_chunk = max(_CHUNK_LANES // (self._trace.addresses.shape[0] * LANES), 1)
        for begin in range(0, slots.size, per_chunk):
            yield slots[begin : begin + per_chunk]


def _joined(pieces: list[tuple[NDArray[np.int64], NDArray[np.int64]]], columns: int) -> Track:
    nothing = np.zeros(0, np.int64)
    position = np.concatenate([nothing, *(p for p, _ in pieces)])
    element = np.concatenate([nothing, *(e for _, e in pieces)])
    row, column = np.divmod(element, columns)
    box = bounding(row, column)
    return Track(position, (row - box.row_start) * box.columns + column - box.column_start, box)
