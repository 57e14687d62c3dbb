"""Blocks that several threads bring in any order, entered into `CrossBlockWrites` in theirs, so that what is told of
them does not depend on which thread was quicker.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, MappedArray, Site, Space
from gemmviz.trace.hazards.block_writes import CrossBlockWrites
from gemmviz.trace.hazards.findings import Hazard
from gemmviz.trace.parts import part_of


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some slots of traces with the same column `slot_site`, and a trace of them."""

    slot_site: NDArray[np.int32]
    slots: NDArray[np.int64]
    trace: BlockTrace


class WritesInOrder:
    """`CrossBlockWrites` of one global array for several threads.

    A block waits until all before it are there, and keeps the slots that may touch the array meanwhile.
    """

    def __init__(self, array: MappedArray, *, may_order_blocks: bool = False) -> None:
        self._array = array
        self._writes = CrossBlockWrites(array, may_order_blocks=may_order_blocks)
        self._lock = Lock()
        self._waiting: dict[int, BlockTrace] = {}
        self._next, self._is_busy = 0, False
        self._known: _Part | None = None
        """That of the last block that had other slots than the one before it."""

    def add(self, place: int, trace: BlockTrace) -> None:
        """Take in a block, given with its place in the order, counted from 0.

        Raises:
            ValueError: as `CrossBlockWrites.add`, of this block or of one that waited for it.
        """
        part = self._part(trace)
        with self._lock:
            self._waiting[place] = part
            if self._is_busy:
                return  # whoever is at it takes this one too
            self._is_busy = True
        while (following := self._take()) is not None:
            self._writes.add(following)

    @property
    def is_handed_over(self) -> bool:
        """Whether blocks touch the same elements, one of them writing, in an order that is known: never."""
        return False

    def hazards(self) -> tuple[Hazard, ...]:
        """As `CrossBlockWrites.hazards`, once all blocks are there."""
        return self._writes.hazards()

    def _take(self) -> BlockTrace | None:
        with self._lock:
            found = self._waiting.pop(self._next, None)
            self._next += found is not None
            self._is_busy = found is not None
            return found

    def _may_touch(self, site: Site) -> bool:
        """Whether an access may be to the array."""
        is_its = site.kind is AccessKind.STORE or site.array in (self._array.name, "")
        return site.space is Space.GLOBAL and is_its

    def _part(self, trace: BlockTrace) -> BlockTrace:
        """The slots of a trace that may touch the array; blocks that repeat one have theirs in the same slots."""
        known = self._known
        if known is None or trace.slot_site is not known.slot_site:
            slots = np.isin(trace.slot_site, [site.index for site in trace.sites if self._may_touch(site)])
            self._known = known = _Part(trace.slot_site, np.flatnonzero(slots), part_of(trace, slots))
            return known.trace
        addresses = np.ascontiguousarray(trace.addresses[:, known.slots])
        return replace(known.trace, block=trace.block, addresses=addresses)
