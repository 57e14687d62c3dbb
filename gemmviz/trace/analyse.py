"""From a recorder to everything a recording explains: counts, reuse, hazards; blocks stream through, few are held."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import BlockTrace
from gemmviz.domain.shape import Shape
from gemmviz.trace.bounds import check_bounds
from gemmviz.trace.columns import SiteColumns
from gemmviz.trace.hazards import CrossBlockWrites, Hazard, find_hazards, merged
from gemmviz.trace.record import Recorder
from gemmviz.trace.reuse import ReuseMap
from gemmviz.trace.site_columns import site_columns
from gemmviz.trace.summary import Tally
from gemmviz.trace.totals import Totals, total

WORKERS = 2
SEARCHED_BLOCKS = 16
"""Blocks of a whole grid that are searched for races and unwritten reads: corners, edges, and some between."""

Fraction = Callable[[float], None]


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What was found out about the blocks that were recorded; `seconds` is the time of recording and analysis."""

    columns: SiteColumns
    totals: Totals
    reuse: ReuseMap
    hazards: tuple[Hazard, ...]
    blocks_recorded: int
    accesses: int
    seconds: float


def analyse(
    recorder: Recorder, indices: NDArray[np.int32], shape: Shape, on_progress: Fraction | None = None
) -> Analysis:
    """Record blocks, given by linear index, and analyse them.

    All are counted and checked for addresses out of bounds and for elements written by two blocks; SEARCHED_BLOCKS
    of them, or all if there are fewer, are searched for races, unwritten reads and barriers that some threads miss.

    Raises:
        RecordingRefusal, KernelTimeoutError, LaunchError: as `Recorder.blocks`.
    """
    begin = time.perf_counter()
    workers = [_Worker(recorder, shape) for _ in range(WORKERS)]
    searched = _spread(recorder, indices)
    writes = CrossBlockWrites(next(array for array in recorder.arrays if array.name == "C"))
    done = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        for batch in recorder.batches(indices):
            parts = [batch[i::WORKERS] for i in range(WORKERS)]
            jobs = [pool.submit(w.add, part, searched) for w, part in zip(workers, parts, strict=True)]
            for trace in batch:
                writes.add(trace)
            for job in jobs:
                job.result()
            done += len(batch)
            if on_progress is not None:
                on_progress(done / max(indices.size, 1))
    first, *others = workers
    for other in others:
        first.reuse.add(other.reuse)
    columns = workers[0].tally.columns
    for other in others:
        columns = columns + other.tally.columns
    found = [hazard for worker in workers for hazard in worker.hazards]
    hazards = merged(sorted([*found, *writes.hazards()], key=lambda h: (h.block[::-1], h.epoch)))
    sites = tuple(recorder.instrumented.sites)
    return Analysis(
        columns=columns, totals=total(sites, columns, shape), reuse=first.reuse, hazards=hazards,
        blocks_recorded=done, accesses=int(columns.accesses.sum()), seconds=time.perf_counter() - begin,
    )  # fmt: skip


class _Worker:
    """Counts the blocks of one thread."""

    def __init__(self, recorder: Recorder, shape: Shape) -> None:
        self.tally = Tally(tuple(recorder.instrumented.sites))
        self.reuse = ReuseMap(shape)
        self.hazards: list[Hazard] = []

    def add(self, traces: list[BlockTrace], searched: set[tuple[int, int, int]]) -> None:
        for trace in traces:
            self.tally.add_block(trace)
            self.reuse.add_block(_with_one_c(trace, self.reuse.shape))
            if trace.block in searched:
                self.hazards += find_hazards(trace)
            else:
                self.hazards += check_bounds(trace, site_columns(trace))[1]


def _with_one_c(trace: BlockTrace, shape: Shape) -> BlockTrace:
    """The trace as the reuse map wants it, C of M x N: of partial sums it sees the first."""
    rows = {"C": shape.m}
    arrays = tuple(replace(array, rows=rows.get(array.name, array.rows)) for array in trace.arrays)
    return trace if arrays == trace.arrays else replace(trace, arrays=arrays)


def _spread(recorder: Recorder, indices: NDArray[np.int32]) -> set[tuple[int, int, int]]:
    """The blocks to be searched: all of a few; of many the first and last in each direction and some between."""
    blocks = [recorder.block_of(int(index)) for index in indices]
    if len(blocks) <= SEARCHED_BLOCKS:
        return set(blocks)
    keys = [lambda b: (b[0], b[1]), lambda b: (b[0], -b[1]), lambda b: (-b[0], b[1]), lambda b: (-b[0], -b[1])]
    corners = [min(blocks, key=key) for key in keys]
    between = np.linspace(0, len(blocks) - 1, SEARCHED_BLOCKS - len(corners)).astype(int)
    return {*corners, *(blocks[i] for i in between)}
