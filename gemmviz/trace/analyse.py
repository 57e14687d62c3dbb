"""From a recorder to everything a recording explains: counts, reuse, hazards; blocks stream through, few are held."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import Site, ideal_bytes, result_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import InitialC
from gemmviz.trace.bounds import check_bounds
from gemmviz.trace.columns import SiteColumns
from gemmviz.trace.findings import without_doubtful, without_other_blocks_work
from gemmviz.trace.hazards import CrossBlockWrites, Hazard, find_hazards, merged
from gemmviz.trace.ptx.recorder import Recorder
from gemmviz.trace.repeats import Recorded, RepeatedBlock, Repetitions, whole_trace
from gemmviz.trace.reuse import ReuseMap
from gemmviz.trace.search import searched_blocks
from gemmviz.trace.site_table import site_table
from gemmviz.trace.summary import Tally
from gemmviz.trace.totals import Totals, total

WORKERS = 2
_MANY = 1000
"""Hazards of single blocks that are held before they become one."""
Fraction = Callable[[float], None]


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


def analyse(
    recorder: Recorder, indices: NDArray[np.int32], shape: Shape, on_progress: Fraction | None = None
) -> Analysis:
    """Record blocks, given by linear index, and analyse them.

    All are counted and checked for addresses out of bounds and for elements written by two blocks; all of them, or of
    very many accesses some (`searched_blocks`), are searched for races, unwritten reads and barriers that some miss.

    Raises:
        RecordingRefusal, KernelTimeoutError, LaunchError: as `Recorder.blocks`.
    """
    begin = time.perf_counter()
    workers = [_Worker(recorder, shape) for _ in range(WORKERS)]
    searched: set[int] | None = None
    result = result_of(recorder.arrays)
    assert result is not None
    writes = CrossBlockWrites(result)
    done = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        for batch in recorder.batches(indices):
            if searched is None:
                first = whole_trace(batch[0])
                searched = searched_blocks(indices, recorder.grid, first.slot_site.size * first.threads)
            repeated = {int(indices[done + i]) for i, one in enumerate(batch) if isinstance(one, RepeatedBlock)}
            searched |= repeated
            numbered = [(one, int(indices[done + i]) in searched) for i, one in enumerate(batch)]
            jobs = [pool.submit(worker.add, numbered[i::WORKERS]) for i, worker in enumerate(workers)]
            for one in batch:
                writes.add(one.rest if isinstance(one, RepeatedBlock) else one)
            for job in jobs:
                job.result()
            done += len(batch)
            if on_progress is not None:
                on_progress(done / max(indices.size, 1))
    repetitions = Repetitions()
    repetitions.add_all(worker.repetitions for worker in workers)
    made, sites = recorder.instrumented, tuple(recorder.instrumented.sites)
    first_worker, *others = workers
    for other in others:
        first_worker.reuse.add(other.reuse)
    columns = first_worker.tally.columns
    for more in (*(other.tally.columns for other in others), *(() if _joins(sites) else repetitions.counts())):
        columns = columns + more
    found = [*(hazard for worker in workers for hazard in worker.hazards), *repetitions.hazards()]
    hazards = without_doubtful(_as_one([*found, *writes.hazards()]), sites, made.hidden)
    hazards = without_other_blocks_work(hazards, sites, made.skipped, done == prod(recorder.grid))
    ideal = ideal_bytes(recorder.arrays, shape)
    return Analysis(
        columns=columns, totals=total(sites, columns, shape, ideal), reuse=first_worker.reuse, hazards=hazards,
        blocks_recorded=done, blocks_searched=len(searched or ()), accesses=int(columns.accesses.sum()),
        seconds=time.perf_counter() - begin,
    )  # fmt: skip


class _Worker:
    """Counts the blocks of one thread."""

    def __init__(self, recorder: Recorder, shape: Shape) -> None:
        self.tally = Tally(tuple(recorder.instrumented.sites))
        self.reuse = ReuseMap(shape)
        self.hazards: list[Hazard] = []
        self.repetitions = Repetitions()
        self._joins = _joins(self.tally.sites)
        self._c_is_undefined = recorder.call.has_d or recorder.call.c_begins is InitialC.UNDEFINED

    def add(self, blocks: list[tuple[Recorded, bool]]) -> None:
        """Count blocks, and search those that are marked."""
        for block, is_searched in blocks:
            trace = block.rest if isinstance(block, RepeatedBlock) else block
            if isinstance(block, RepeatedBlock):
                self.repetitions.add(block.like)
            self.tally.add_block(whole_trace(block) if self._joins else trace)
            self.reuse.add_block(trace)
            if is_searched:
                self.hazards += find_hazards(trace, self._c_is_undefined)
            else:
                self.hazards += check_bounds(trace, site_table(trace))[1]
        if len(self.hazards) > _MANY:
            self.hazards = list(_as_one(self.hazards))


def _joins(sites: Sequence[Site]) -> bool:
    """Whether what a request costs depends on what another one does in shared memory."""
    return any(site.is_past_l1 for site in sites)


def _as_one(hazards: list[Hazard]) -> tuple[Hazard, ...]:
    """The hazards of many blocks, each once, at the first block that has it."""
    return merged(sorted(hazards, key=lambda hazard: (hazard.block[::-1], hazard.epoch)))
