"""What the block's threads have asked for so far: the figures that tell why tiles help."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import INACTIVE, AccessKind, BlockTrace, Space
from gemmviz.domain.figures import count
from gemmviz.domain.terms import Evidence
from gemmviz.gui.memory_view.timeline import NEVER, Timeline


@dataclass(frozen=True, slots=True)
class Tally:
    """Loads by single threads from global and from shared memory, and the elements of A and B they were for."""

    global_loads: int
    shared_loads: int
    elements: int

    @property
    def lines(self) -> tuple[tuple[str, str, str], ...]:
        """What is written beneath the shared arrays: from where, how many loads, and how often that is per element."""
        times = self.global_loads / self.elements if self.elements else 0.0
        often = "once" if times == 1 else f"{count(round(times))} times"
        if times != round(times):
            often = f"{times:.1f} times on average"
        each = f"each element {often}" if self.elements else ""
        first = ("loads from A and B", count(self.global_loads), each)
        return (first, ("loads from shared memory", count(self.shared_loads), "")) if self.shared_loads else (first,)

    @property
    def head(self) -> str:
        return f"This block so far, {Evidence.RECORDED}"


class Tallies:
    """Running sums over a block's trace; a tally is looked up, not counted."""

    def __init__(self, trace: BlockTrace, timeline: Timeline) -> None:
        warps = trace.addresses.shape[0]
        self._sums = {space: _running(trace, space, warps) for space in (Space.GLOBAL, Space.SHARED)}
        firsts = [
            touched.loaded[touched.loaded != NEVER] for name, touched in timeline.matrices.items() if name in "AB"
        ]
        self._firsts = np.sort(np.concatenate([np.zeros(0, np.int32), *firsts]))

    def before(self, position: int) -> Tally:
        """What was loaded before a position."""
        seen = int(np.searchsorted(self._firsts, position))
        return Tally(int(self._sums[Space.GLOBAL][position]), int(self._sums[Space.SHARED][position]), seen)


def _running(trace: BlockTrace, space: Space, warps: int) -> NDArray[np.int64]:
    """Elements loaded before each position, shape (slots · warps + 1,); of global memory those of A and B."""
    names = {"A", "B"}
    arrays = [a for a in trace.arrays if a.space is space and (space is Space.SHARED or a.name in names)]
    by_slot = np.zeros((trace.slot_site.size, warps), np.int64)
    for site in trace.sites:
        if site.space is not space or site.kind is not AccessKind.LOAD:
            continue
        slots = np.flatnonzero(trace.slot_site == site.index)
        for begin in range(0, slots.size, 1 << 12):
            chosen = slots[begin : begin + (1 << 12)]
            addresses = trace.addresses[:, chosen]
            inside = np.zeros(addresses.shape, np.bool_)
            for array in arrays:
                inside |= (addresses != INACTIVE) & (addresses >= array.base) & (addresses < array.base + array.nbytes)
            by_slot[chosen] = inside.sum(axis=2).T * max(site.width_bytes // 4, 1)
    return np.concatenate(([0], np.cumsum(by_slot.reshape(-1))))
