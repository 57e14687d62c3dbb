"""What a block has asked of memory so far, looked up for any frame: counted once. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.recordings.access import SECTOR_BYTES, AccessKind, BlockTrace, Space, result_of
from gemmviz.domain.terms import Evidence
from gemmviz.explain.block.running import outside_words, running_elements, running_outside, running_sums
from gemmviz.explain.block.timeline import NEVER, Timeline
from gemmviz.explain.runs.figure_lines import Line
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.model.rules import Counts
from gemmviz.trace.model.site_costs import SiteRequests, requests_of, sectors_of, wavefronts_of

_CHUNK = 1 << 12
"""Slots looked at in one go."""
NONE = "–"
_SASS_DIFFERS = (
    ". They are those of the PTX: SASS has other accesses to shared memory, and a GPU's wavefronts are others. Where "
    "these can be derived, Totals and hazards has them"
)


@dataclass(frozen=True, slots=True)
class TotalsSoFar:
    """What a block has asked of memory up to some moment.

    `loads` counts elements of A, B and C that single threads loaded from global memory, `c_loads` those of C alone,
    `stores` elements of the `result`, C or D, that they stored there; `sectors` the 32-byte sectors that are sent for
    all its requests to global memory, loads and stores; `a_loads` the loads of A and `a_elements` the distinct elements
    they were of, `b_loads` and `b_elements` those of B; `excess_wavefronts` the passes through shared memory that bank
    conflicts added, of `wavefronts` in all. Accesses outside the arrays are counted like the others: `outside_loads`
    and `outside_stores` of them. `is_of_ptx`: SASS accesses shared memory otherwise, so that a GPU's wavefronts are
    others.
    """

    loads: int = 0
    c_loads: int = 0
    stores: int = 0
    sectors: int = 0
    a_loads: int = 0
    a_elements: int = 0
    wavefronts: int = 0
    excess_wavefronts: int = 0
    result: str = "C"
    outside_loads: int = 0
    outside_stores: int = 0
    b_loads: int = 0
    b_elements: int = 0
    is_of_ptx: bool = False

    @property
    def bytes_moved(self) -> int:
        """32 for each sector."""
        return self.sectors * SECTOR_BYTES

    @property
    def loads_per_element(self) -> float:
        """How often an element of A was loaded, of those that were; 0 where none was."""
        return self.a_loads / self.a_elements if self.a_elements else 0.0

    @property
    def loads_per_input(self) -> float:
        """How often an element of A or B was loaded, of those that were; 0 where none was."""
        elements = self.a_elements + self.b_elements
        return (self.a_loads + self.b_loads) / elements if elements else 0.0

    @property
    def sizes(self) -> tuple[float, ...]:
        """The figures of `lines` as numbers."""
        return (
            float(self.loads),
            float(self.stores),
            float(self.bytes_moved),
            self.loads_per_element,
            float(self.excess_wavefronts),
        )

    @property
    def lines(self) -> tuple[Line, ...]:
        """The figures in words."""
        each = f"{self.loads_per_element:.1f}".removesuffix(".0")
        of_c = f", {figures.count(self.c_loads)} of them of C" if self.c_loads else ""
        outside = self.outside_loads, self.outside_stores
        beside = [f", {words}" if (words := outside_words(one)) else "" for one in outside]
        sectors = f" in {figures.count(self.sectors)} sectors" if self.sectors else ""
        passes = f", of {figures.count(self.wavefronts)}" if self.wavefronts else ""
        in_ptx, differs = (" in PTX", "; SASS differs") if self.is_of_ptx else ("", "")
        return (
            Line(
                f"values loaded from global memory{of_c}{beside[0]}",
                figures.count(self.loads),
                Evidence.RECORDED,
                "Values of A, B and C that the threads of this block have loaded from global memory so far, counted "
                "thread by thread; a warp loads up to 32 of them with one request",
            ),
            Line(
                f"values stored to global memory{beside[1]}",
                figures.count(self.stores),
                Evidence.RECORDED,
                f"Values of {self.result} that the threads of this block have stored to global memory so far",
            ),
            Line(
                f"bytes moved{sectors}",
                figures.count(self.bytes_moved),
                Evidence.DERIVED,
                "32 bytes for each sector of global memory that loads and stores have moved so far",
            ),
            Line(
                "loads per element of A",
                each if self.a_elements else NONE,
                Evidence.DERIVED,
                "Loads of A so far, divided by the number of elements of A loaded",
            ),
            Line(
                f"excess wavefronts{in_ptx}{passes}{differs}",
                figures.count(self.excess_wavefronts) if self.wavefronts else NONE,
                Evidence.RECORDED,
                "Wavefronts, passes of a request through shared memory, that bank conflicts have added so far"
                f"{_SASS_DIFFERS if self.is_of_ptx else ''}",
            ),
        )


def common_scale(blocks: Iterable[RunningTotals]) -> tuple[float, ...]:
    """The most that any of these blocks reaches of each figure in the end: where their bars are full."""
    return tuple(map(max, zip(*(each.in_all.sizes for each in blocks), strict=True)))


class RunningTotals:
    """The totals of one block at every position (see `timeline`). Made of its trace; for any thread. `is_of_ptx` is
    that of TotalsSoFar.
    """

    def __init__(self, trace: BlockTrace, timeline: Timeline, *, is_of_ptx: bool = False) -> None:
        self._timeline, self._is_of_ptx = timeline, is_of_ptx

        def elements(kind: AccessKind, names: str) -> NDArray[np.int64]:
            return running_elements(trace, Space.GLOBAL, kind, names)

        self._a_loads, self._c_loads = elements(AccessKind.LOAD, "A"), elements(AccessKind.LOAD, "C")
        self._outside_loads = running_outside(trace, Space.GLOBAL, AccessKind.LOAD, ("A", "B", "C"))
        self._b_loads = elements(AccessKind.LOAD, "B")
        self._loads = self._a_loads + self._c_loads + self._b_loads + self._outside_loads
        result = result_of(trace.arrays)
        self._result = result.name if result is not None else "C"
        self._outside_stores = running_outside(trace, Space.GLOBAL, AccessKind.STORE, (self._result,))
        self._stores = elements(AccessKind.STORE, self._result) + self._outside_stores
        _, self._sectors = _running(trace, Space.GLOBAL, sectors_of)
        self._wavefronts, self._ideal = _running(trace, Space.SHARED, wavefronts_of)
        self._firsts = {name: _first_loads(timeline, name) for name in "AB"}

    def until(self, frame: Frame) -> TotalsSoFar:
        """Up to the end of a frame of the block."""
        return self._before(self._timeline.span(frame)[1])

    @property
    def in_all(self) -> TotalsSoFar:
        return self._before(self._loads.size - 1)

    def _before(self, position: int) -> TotalsSoFar:
        loads, c_loads, stores, sectors, a_loads, wavefronts, ideal = (
            int(sums[position])
            for sums in (
                self._loads,
                self._c_loads,
                self._stores,
                self._sectors,
                self._a_loads,
                self._wavefronts,
                self._ideal,
            )
        )
        a_elements, b_elements = (int(np.searchsorted(firsts, position)) for firsts in self._firsts.values())
        return TotalsSoFar(
            loads,
            c_loads,
            stores,
            sectors,
            a_loads,
            a_elements,
            wavefronts,
            wavefronts - ideal,
            self._result,
            int(self._outside_loads[position]),
            int(self._outside_stores[position]),
            int(self._b_loads[position]),
            b_elements,
            self._is_of_ptx,
        )


def _first_loads(timeline: Timeline, name: str) -> NDArray[np.int32]:
    """The positions of the first load of each element of a matrix, ascending."""
    touched = timeline.matrices.get(name)
    return np.sort(touched.loaded[touched.loaded != NEVER]) if touched is not None else np.zeros(0, np.int32)


def _running(
    trace: BlockTrace, space: Space, cost: Callable[[SiteRequests], tuple[Counts, Counts]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Two figures of what requests to a memory cost: the sums before each position, shape (slots · warps + 1,) each."""
    warps = range(trace.addresses.shape[0])
    first, second = (np.zeros((trace.slot_site.size, len(warps)), np.int64) for _ in range(2))
    for site in trace.sites:
        if site.space is not space or not site.is_counted or (space is Space.SHARED and not site.path.is_requested):
            continue
        slots = np.flatnonzero(trace.slot_site == site.index)
        for at in range(0, slots.size, _CHUNK):
            chosen = slots[at : at + _CHUNK]
            figures_here = cost(requests_of(trace, site, warps, chosen.tolist()))
            for found, figure in zip((first, second), figures_here, strict=True):
                found[chosen] = figure.reshape(len(warps), chosen.size).T
    return running_sums(first), running_sums(second)
