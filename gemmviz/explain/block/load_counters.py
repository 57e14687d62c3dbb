"""What the block's threads have asked for so far: the figures that tell why tiles help."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.figures import count
from gemmviz.domain.recordings.access import AccessKind, BlockTrace, Space
from gemmviz.explain.block.load_counts import ElementLoadCounts, LoadCounts, ValueLoadCounts
from gemmviz.explain.block.running import outside_words, running_elements, running_outside
from gemmviz.explain.block.timeline import Timeline
from gemmviz.trace.frames.arrivals import arriving_slots
from gemmviz.trace.frames.values import FACTORS


@dataclass(frozen=True, slots=True)
class LoadCounter:
    """From which memory, how many loads, and at how many its bar is full: the largest total at the end, over both
    memories and both of two compared pictures, so that bars compare by their lengths.

    `remarks` say what that means, longer and shorter; none where there is nothing to say. `full_of` is the memory whose
    loads fill the bar.
    """

    name: str
    loads: int
    total: int
    remarks: tuple[str, ...] = ()
    full_of: str = ""

    @property
    def share(self) -> float:
        """How full its bar is, 0 to 1."""
        return self.loads / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class LoadCounters:
    """Elements that single threads loaded from global memory (A, B and C) and from shared memory.

    `c_loads` are those of C; `elements` says how often elements of A and B were loaded, `values` how often what lies
    in shared memory was; `totals` are the loads from either memory in the end, and bars are full at the larger one.
    `brought` are elements that the rest of its cluster has had copied into its shared memory. Loads from outside the
    arrays are counted like the others: `outside` and `shared_outside` of them.
    """

    global_loads: int
    c_loads: int
    shared_loads: int
    elements: LoadCounts
    values: LoadCounts
    totals: tuple[int, int]
    uses_shared: bool
    brought: int = 0
    outside: int = 0
    shared_outside: int = 0

    @property
    def lines(self) -> tuple[LoadCounter, ...]:
        """One for each memory; a kernel without shared memory has no second one."""
        far = self.elements.labels("element", "loaded")
        if self.c_loads:
            of_c = f"{count(self.c_loads)} load{'s'[: self.c_loads != 1]} of C"
            of_ab = self.elements.labels("element of A and B", "loaded")
            far = (
                *(f"{of_c}; {label}" for label in of_ab[:1]),
                *(f"{of_c}; A, B {label}" for label in of_ab[-2:]),
                of_c,
            )
        if self.brought:
            more = f"{count(self.brought)} more from its cluster"
            short = f"{count(self.brought)} from its cluster"
            far = (*(f"{label}; {more}" for label in far), *(f"{label}; {short}" for label in far[-2:]), short)
        far = _with_outside(far, self.outside)
        most = max(self.totals)
        full_of = "global memory" if most == self.totals[0] else "shared memory"
        found = [LoadCounter("global memory", self.global_loads, most, far, full_of)]
        if self.uses_shared:
            near = _with_outside(self.values.labels("value", "read"), self.shared_outside)
            found.append(LoadCounter("shared memory", self.shared_loads, most, near, full_of))
        return tuple(found)


class RunningLoadCounters:
    """Running sums over a block's trace; a tally is looked up, not counted."""

    def __init__(self, trace: BlockTrace, timeline: Timeline) -> None:
        shared = [array.name for array in trace.arrays if array.space is Space.SHARED]
        self._c = running_elements(trace, Space.GLOBAL, AccessKind.LOAD, "C")
        self._outside = running_outside(trace, Space.GLOBAL, AccessKind.LOAD, (*FACTORS, "C"))
        self._near_outside = running_outside(trace, Space.SHARED, AccessKind.LOAD, shared)
        self._far = running_elements(trace, Space.GLOBAL, AccessKind.LOAD, FACTORS) + self._c + self._outside
        self._near = running_elements(trace, Space.SHARED, AccessKind.LOAD, shared) + self._near_outside
        self._brought = running_elements(trace, Space.SHARED, AccessKind.STORE, shared, arriving_slots(trace))
        self.totals = int(self._far[-1]), int(self._near[-1])
        """What the block will have loaded in the end: from global memory, and from shared memory."""
        self._elements, self._values = ElementLoadCounts(trace, timeline), ValueLoadCounts(trace, timeline)

    def before(self, position: int) -> LoadCounters:
        """What was loaded before a position."""
        return LoadCounters(
            int(self._far[position]),
            int(self._c[position]),
            int(self._near[position]),
            self._elements.before(position),
            self._values.before(position),
            self.totals,
            int(self._near[-1]) > 0,
            int(self._brought[position]),
            int(self._outside[position]),
            int(self._near_outside[position]),
        )


def _with_outside(remarks: tuple[str, ...], outside: int) -> tuple[str, ...]:
    """Remarks that also say how many of the counted loads lie outside the arrays, where some do."""
    words = outside_words(outside)
    return (*(f"{remark}; {words}" for remark in remarks), words) if words else remarks
