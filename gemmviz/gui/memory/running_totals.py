"""What a block has asked of global memory so far, looked up for any frame: counted once. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.access import INACTIVE, SECTOR_BYTES, AccessKind, BlockTrace, MappedArray, Space
from gemmviz.domain.terms import Evidence
from gemmviz.gui.figures.last_run import Line
from gemmviz.gui.inspector import request_costs as costs
from gemmviz.gui.memory_view.timeline import NEVER, Timeline
from gemmviz.trace.frame_values import Frame

_CHUNK = 1 << 12
"""Slots looked at in one go."""


@dataclass(frozen=True, slots=True)
class TotalsSoFar:
    """Global loads of a block up to some moment.

    `loads` counts elements that single threads loaded from A and B, `sectors` the 32-byte sectors of all global load
    requests, `a_loads` the loads of A alone and `a_elements` the distinct elements they were of.
    """

    loads: int = 0
    sectors: int = 0
    a_loads: int = 0
    a_elements: int = 0

    @property
    def bytes_fetched(self) -> int:
        """32 for each sector."""
        return self.sectors * SECTOR_BYTES

    @property
    def loads_per_element(self) -> float:
        """How often an element of A was loaded, of those that were; 0 where none was."""
        return self.a_loads / self.a_elements if self.a_elements else 0.0

    @property
    def sizes(self) -> tuple[float, ...]:
        """The figures of `lines` as numbers."""
        return float(self.loads), float(self.sectors), float(self.bytes_fetched), self.loads_per_element

    @property
    def lines(self) -> tuple[Line, ...]:
        """The figures in words."""
        each = f"{self.loads_per_element:.1f}".removesuffix(".0")
        return (
            Line("global loads", figures.count(self.loads), Evidence.RECORDED,
                 "Elements of A and B that single threads of this block have loaded so far"),
            Line("sectors", figures.count(self.sectors), Evidence.RECORDED,
                 "32-byte sectors of global memory that its load requests have touched so far"),
            Line("bytes fetched", figures.count(self.bytes_fetched), Evidence.DERIVED, "32 for each sector"),
            Line("loads per element of A", each if self.a_elements else "–", Evidence.DERIVED,
                 "Loads of A so far, divided by the elements of A they were of"),
        )  # fmt: skip


class RunningTotals:
    """The totals of one block at every position (see `timeline`). Made of its trace; for any thread."""

    def __init__(self, trace: BlockTrace, timeline: Timeline) -> None:
        self._timeline = timeline
        matrices = {array.name: array for array in trace.arrays if array.space is Space.GLOBAL}
        a, b = matrices.get("A"), matrices.get("B")
        self._a_loads = _running(_elements(trace, a))
        self._loads = self._a_loads + _running(_elements(trace, b))
        self._sectors = _running(_sectors(trace))
        touched = timeline.matrices.get("A")
        firsts = touched.loaded[touched.loaded != NEVER] if touched is not None else np.zeros(0, np.int32)
        self._firsts = np.sort(firsts)

    def until(self, frame: Frame) -> TotalsSoFar:
        """Up to and with a frame of the block."""
        return self._before(self._timeline.span(frame)[1])

    @property
    def in_all(self) -> TotalsSoFar:
        return self._before(self._loads.size - 1)

    def _before(self, position: int) -> TotalsSoFar:
        return TotalsSoFar(
            int(self._loads[position]), int(self._sectors[position]), int(self._a_loads[position]),
            int(np.searchsorted(self._firsts, position)),
        )  # fmt: skip


def _running(by_slot: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sums before each position, shape (slots · warps + 1,), of counts of shape (slots, warps)."""
    return np.concatenate(([0], np.cumsum(by_slot.reshape(-1))))


def _elements(trace: BlockTrace, array: MappedArray | None) -> NDArray[np.int64]:
    """Elements of an array that the requests load, shape (slots, warps)."""
    found = np.zeros((trace.slot_site.size, trace.addresses.shape[0]), np.int64)
    if array is None:
        return found
    for slots, width in _load_slots(trace):
        first = trace.addresses[:, slots]
        low = np.clip(first - array.base, 0, array.nbytes)
        high = np.clip(first + width - array.base, 0, array.nbytes)
        # An access that ends within an element loads it whole.
        pieces = np.where(first == INACTIVE, 0, -(-high // array.element_bytes) - low // array.element_bytes)
        found[slots] = pieces.sum(axis=2).T
    return found


def _sectors(trace: BlockTrace) -> NDArray[np.int64]:
    """Sectors of the global load requests, shape (slots, warps)."""
    warps = trace.addresses.shape[0]
    found = np.zeros((trace.slot_site.size, warps), np.int64)
    for slots, width in _load_slots(trace):
        requests = trace.addresses[:, slots].transpose(1, 0, 2).reshape(slots.size * warps, -1)
        found[slots] = costs.sectors(requests, width).reshape(slots.size, warps)
    return found


def _load_slots(trace: BlockTrace) -> list[tuple[NDArray[np.intp], int]]:
    """The slots of global loads, some at a time, and the width of their accesses."""
    pieces = []
    for site in trace.sites:
        if site.space is Space.GLOBAL and site.kind is AccessKind.LOAD:
            slots = np.flatnonzero(trace.slot_site == site.index)
            pieces += [(slots[at : at + _CHUNK], site.width_bytes) for at in range(0, slots.size, _CHUNK)]
    return pieces
