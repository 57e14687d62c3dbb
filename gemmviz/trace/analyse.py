"""From a recorder to everything a recording explains: counts, reuse, hazards; blocks stream through, few are held."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from threading import BoundedSemaphore, Lock

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import (
    AccessKind,
    BlockTrace,
    MappedArray,
    Site,
    Space,
    ideal_bytes,
    result_of,
)
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import InitialC
from gemmviz.trace.counts.columns import SiteColumns
from gemmviz.trace.counts.reuse import ReuseMap
from gemmviz.trace.counts.site_table import site_table
from gemmviz.trace.counts.summary import SiteCounter
from gemmviz.trace.counts.totals import Totals, total
from gemmviz.trace.hazards.bounds import check_bounds
from gemmviz.trace.hazards.findings import without_other_blocks_work
from gemmviz.trace.hazards.hazards import Hazard, find_hazards, merged, without_doubtful
from gemmviz.trace.hazards.rules.table import grid_searches
from gemmviz.trace.hazards.search import searched_blocks
from gemmviz.trace.recorder import BlocksSeen, Follow, Recorder
from gemmviz.trace.repeats import Recorded, RepeatedBlock, Repetitions, in_grid, stack_of, whole_trace

_FEWEST_WORKERS, _MAPS_BYTES = 2, 1 << 30
"""As many blocks are counted at once as there is room for the maps of their loads, but two in any case."""
_STACK_BYTES = 1 << 21
"""Of blocks that repeat the same one, addresses of so many bytes are counted together."""
_MANY = 1000
"""Hazards of single blocks that are held before they become one."""


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What was found out about the blocks that were recorded; `seconds` is the time of recording and analysis.

    `blocks_searched` of them were searched for races, unwritten reads and barriers that some threads miss.
    """

    columns: SiteColumns
    totals: Totals
    reuse: ReuseMap
    hazards: tuple[Hazard, ...]
    blocks_recorded: int
    blocks_searched: int
    accesses: int
    seconds: float


def analyse(recorder: Recorder, indices: NDArray[np.int32], shape: Shape, follow: Follow | None = None) -> Analysis:
    """Record blocks, given by linear index, and analyse them.

    All are counted and checked for addresses out of bounds and for elements of arrays in global memory that one block
    writes and another one touches; all of them, or of very many accesses some (`searched_blocks`), are searched for
    races, unwritten reads and barriers that some miss.

    Raises:
        RecordingRefusal, KernelTimeoutError, LaunchError: as `Recorder.blocks`.
        ValueError: a block is there twice.
    """
    if np.unique(indices).size != indices.size:
        raise ValueError("each block of a grid runs once, so none can be recorded twice")
    begin = time.perf_counter()
    seen = _Seen(recorder, indices, shape)
    recorder.for_each(indices, seen.add, follow or _unfollowed)
    for worker in seen.workers:
        worker.finish()
    repetitions = Repetitions()
    repetitions.add_all(worker.repetitions for worker in seen.workers)
    made, sites = recorder.instrumented, tuple(recorder.instrumented.sites)
    first_worker, *others = seen.workers
    for other in others:
        first_worker.reuse.add(other.reuse)
    columns = first_worker.counter.columns
    for more in (*(other.counter.columns for other in others), *(() if _joins(sites) else repetitions.counts())):
        columns = columns + more
    found = [*(hazard for worker in seen.workers for hazard in worker.hazards), *repetitions.hazards()]
    found += [hazard for search in seen.searches for hazard in search.hazards()]
    hazards = without_doubtful(_as_one(found), made)
    is_whole_grid = indices.size == prod(recorder.grid)
    is_handed_over = any(search.is_handed_over for search in seen.of_result)
    hazards = without_other_blocks_work(hazards, sites, made.skipped, is_whole_grid, is_handed_over)
    ideal = ideal_bytes(recorder.arrays, shape, recorder.call.words)
    return Analysis(
        columns=columns,
        totals=total(sites, columns, shape, ideal),
        reuse=first_worker.reuse,
        hazards=hazards,
        blocks_recorded=indices.size,
        blocks_searched=len(seen.searched),
        accesses=int(columns.accesses.sum()),
        seconds=time.perf_counter() - begin,
    )


def _unfollowed(seen: BlocksSeen) -> None:
    del seen


class _Seen:
    """What comes of the blocks, each added by the thread that has it; one of them before all others."""

    def __init__(self, recorder: Recorder, indices: NDArray[np.int32], shape: Shape) -> None:
        self._recorder, self._indices, self._shape = recorder, indices, shape
        self.workers: list[_Worker] = [_Worker(recorder, shape)]
        self._free = self.workers.copy()
        bytes_each = max(self.workers[0].reuse.nbytes, 1)
        self._lock, self._places = Lock(), BoundedSemaphore(max(_FEWEST_WORKERS, _MAPS_BYTES // bytes_each))
        result = result_of(recorder.arrays)
        assert result is not None
        made = recorder.instrumented
        others = (one for one in recorder.arrays if one.space is Space.GLOBAL and one.name != result.name)
        searched = (result, *(one for one in others if _is_stored(one, made.sites)))
        self.searches = tuple(
            search
            for array in searched
            for search in grid_searches(array, follows_order=made.follows_order, may_order_blocks=made.may_order_blocks)
        )
        self.of_result = self.searches[: len(self.searches) // len(searched)]
        self.searched: set[int] = set()

    def add(self, place: int, block: Recorded) -> None:
        """Count and search a block, given with its place among those asked for."""
        number = int(self._indices[place])
        if not self.searched:
            first = whole_trace(block)
            self.searched = searched_blocks(self._indices, self._recorder.grid, first.slot_site.size * first.threads)
        with self._lock:
            if isinstance(block, RepeatedBlock):
                self.searched.add(number)
            is_searched = number in self.searched
        for search in self.searches:
            search.add(place, block.rest if isinstance(block, RepeatedBlock) else block)
        with self._places:
            with self._lock:
                worker = self._free.pop() if self._free else self._another()
            worker.add(block, is_searched)
            with self._lock:
                self._free.append(worker)

    def _another(self) -> _Worker:
        self.workers.append(_Worker(self._recorder, self._shape))
        return self.workers[-1]


class _Worker:
    """Counts blocks one after the other."""

    def __init__(self, recorder: Recorder, shape: Shape) -> None:
        self.counter = SiteCounter(tuple(recorder.instrumented.sites))
        self.reuse = ReuseMap(shape)
        self.hazards: list[Hazard] = []
        self.repetitions = Repetitions()
        self._joins = _joins(self.counter.sites)
        self._c_is_undefined = recorder.call.has_d or recorder.call.c_begins is InitialC.UNDEFINED
        self._alike: list[RepeatedBlock] = []
        """Blocks that repeat the same one, not counted yet."""

    def add(self, block: Recorded, is_searched: bool) -> None:
        """Count a block, and search it if so wanted, now or with others that repeat the same one."""
        if isinstance(block, RepeatedBlock) and not self._joins:
            if self._alike and self._alike[0].like is not block.like:
                self.finish()
            self._alike.append(block)
            if len(self._alike) * block.rest.addresses.nbytes >= _STACK_BYTES:
                self.finish()
            return
        trace = block.rest if isinstance(block, RepeatedBlock) else block
        if isinstance(block, RepeatedBlock):
            self.repetitions.add(block.like, [block.rest.block])
        self.counter.add_block(whole_trace(block))
        self.reuse.add_block(trace)
        if is_searched:
            self._search(trace, is_part=isinstance(block, RepeatedBlock))
        else:
            self._note(check_bounds(trace, site_table(trace))[1])

    def finish(self) -> None:
        """Count and search those that wait for others."""
        if not self._alike:
            return
        stack = stack_of(self._alike)
        self.repetitions.add(self._alike[0].like, [one.rest.block for one in self._alike])
        self.counter.add_block(stack, len(self._alike))
        self.reuse.add_block(stack, len(self._alike))
        if _reads_undefined_c(stack, self._c_is_undefined) or find_hazards(stack, is_part=True):
            for one in self._alike:
                self._search(one.rest, is_part=True)
        self._alike = []

    def _search(self, trace: BlockTrace, *, is_part: bool) -> None:
        self._note(find_hazards(trace, self._c_is_undefined, is_part=is_part))

    def _note(self, hazards: Sequence[Hazard]) -> None:
        self.hazards += hazards
        if len(self.hazards) > _MANY:
            self.hazards = list(_as_one(self.hazards))


def _reads_undefined_c(trace: BlockTrace, c_is_undefined: bool) -> bool:
    """Whether there may be reads of elements of C, or of a result apart from it, that nobody wrote."""
    return c_is_undefined and any(
        site.reads and site.space is Space.GLOBAL and site.array in ("C", "D", "") for site in trace.sites
    )


def _is_stored(array: MappedArray, sites: Sequence[Site]) -> bool:
    """Whether a site may store to an array in global memory."""
    return any(
        site.kind is AccessKind.STORE and site.space is Space.GLOBAL and site.array in (array.name, "")
        for site in sites
    )


def _joins(sites: Sequence[Site]) -> bool:
    """Whether what a request costs depends on what another one does in shared memory."""
    return any(site.is_past_l1 for site in sites)


def _as_one(hazards: list[Hazard]) -> tuple[Hazard, ...]:
    """The hazards of many blocks, each once, at the first block that has it."""
    return merged(sorted(hazards, key=lambda hazard: (in_grid(hazard.block), hazard.epoch)))
