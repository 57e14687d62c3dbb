"""What the block's threads have asked for so far: the figures that tell why tiles help."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import AccessKind, BlockTrace, Space
from gemmviz.domain.figures import count
from gemmviz.gui.memory_view.glide import MATRICES
from gemmviz.gui.memory_view.progress import epochs_that_read, kept_in_shared
from gemmviz.gui.memory_view.timeline import NEVER, Timeline


@dataclass(frozen=True, slots=True)
class TallyLine:
    """From which memory, how many loads, what share (0 to 1) of the most there will be, and what that means."""

    name: str
    loads: int
    share: float
    remark: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Loads by single threads from global and from shared memory, and the elements of A and B they were for.

    `kept` are the slots that threads have filled and read since, each time they were filled; `most` is the larger of
    what the block will have loaded from either memory in the end.
    """

    global_loads: int
    shared_loads: int
    elements: int
    kept: int
    most: int
    uses_shared: bool

    @property
    def lines(self) -> tuple[TallyLine, ...]:
        """One for each memory; a kernel without shared memory has no second one."""
        far = _often("element", self.global_loads, self.elements)
        found = [TallyLine("global memory", self.global_loads, self._share(self.global_loads), far)]
        if self.uses_shared:
            near = _often("slot", self.shared_loads, self.kept)
            found.append(TallyLine("shared memory", self.shared_loads, self._share(self.shared_loads), near))
        return tuple(found)

    def _share(self, loads: int) -> float:
        return loads / self.most if self.most else 0.0


def _often(what: str, loads: int, places: int) -> str:
    if not places:
        return ""
    times = loads / places
    if times == 1:
        return f"each {what} once"
    if times == round(times):
        return f"each {what} {count(round(times))} times"
    return f"{times:.1f} times on average" if times < 100 else f"{count(round(times))} times on average"


class Tallies:
    """Running sums over a block's trace; a tally is looked up, not counted."""

    def __init__(self, trace: BlockTrace, timeline: Timeline) -> None:
        warps = trace.addresses.shape[0]
        self._sums = {space: _running(trace, space, warps) for space in (Space.GLOBAL, Space.SHARED)}
        self._most = max(int(sums[-1]) for sums in self._sums.values())
        self._uses_shared = int(self._sums[Space.SHARED][-1]) > 0
        firsts = [t.loaded[t.loaded != NEVER] for name, t in timeline.matrices.items() if name in MATRICES]
        self._firsts = np.sort(np.concatenate([np.zeros(0, np.int32), *firsts]))
        self._stored = _running(trace, Space.SHARED, warps, AccessKind.STORE)
        self._keeps = bool(kept_in_shared(trace))
        self._readings = np.searchsorted(trace.slot_epoch, epochs_that_read(trace)) * warps
        """The positions at which epochs begin that read shared memory."""

    def before(self, position: int) -> Tally:
        """What was loaded before a position."""
        seen = int(np.searchsorted(self._firsts, position))
        far, near = (int(self._sums[space][position]) for space in (Space.GLOBAL, Space.SHARED))
        return Tally(far, near, seen, self._kept_before(position), self._most, self._uses_shared)

    def _kept_before(self, position: int) -> int:
        """Stores into shared memory before the newest epoch that has begun to read it."""
        past = int(np.searchsorted(self._readings, position)) - 1
        return int(self._stored[self._readings[past]]) if past >= 0 and self._keeps else 0


def _running(trace: BlockTrace, space: Space, warps: int, kind: AccessKind = AccessKind.LOAD) -> NDArray[np.int64]:
    """Elements loaded (or stored) before each position, shape (slots · warps + 1,); of global memory those of A, B."""
    names = {"A", "B"}
    arrays = [a for a in trace.arrays if a.space is space and (space is Space.SHARED or a.name in names)]
    by_slot = np.zeros((trace.slot_site.size, warps), np.int64)
    for site in trace.sites:
        if site.space is not space or site.kind is not kind:
            continue
        slots = np.flatnonzero(trace.slot_site == site.index)
        for begin in range(0, slots.size, 1 << 12):
            chosen = slots[begin : begin + (1 << 12)]
            addresses = trace.addresses[:, chosen]
            inside = np.zeros(addresses.shape, np.bool_)
            for array in arrays:  # of lanes that take no part, and before an array, the offset is as large as can be
                inside |= (addresses - array.base).view(np.uint64) < np.uint64(array.nbytes)
            by_slot[chosen] = inside.sum(axis=2).T * max(site.width_bytes // 4, 1)
    return np.concatenate(([0], np.cumsum(by_slot.reshape(-1))))
