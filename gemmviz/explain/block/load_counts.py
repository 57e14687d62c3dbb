"""How often each element, and each value in shared memory, is loaded: told of those that are done with.

A figure over what is still being loaded would say too little of it; one over all loads so far would fall whenever
something new comes in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.figures import count
from gemmviz.domain.recordings.access import AccessKind, BlockTrace, MappedArray
from gemmviz.explain.block.timeline import Stores, Timeline, accesses_of
from gemmviz.trace.frames.values import FACTORS

_MOST_COUNTS = 1 << 23
"""Slots of a shared array times the runs of loads from it; of larger ones nothing is told."""


@dataclass(frozen=True, slots=True)
class LoadCounts:
    """The least and the most loads of anything that is done with, 0 if nothing is.

    `is_partial` tells that there is more, of which loads are still to come.
    """

    least: int = 0
    most: int = 0
    is_partial: bool = False

    def labels(self, what: str, verb: str) -> tuple[str, ...]:
        """The counts in words, longer and shorter: "each element loaded 16 times", "each loaded 16 times", "loaded
        16×"; none for no loads. Each form has the verb. Where the counts are partial: "each finished value read
        16 times".
        """
        if not self.most:
            return ()
        if self.least == self.most:
            times, short = {1: "once", 2: "twice"}.get(self.most, ""), f"{count(self.most)}×"
            times = times or f"{count(self.most)} times"
        else:
            times, short = (
                f"{count(self.least)} to {count(self.most)} times",
                f"{count(self.least)}–{count(self.most)}×",
            )
        if self.is_partial:
            who, end = (f"each finished {what}", "each finished one"), " when finished"
        else:
            who, end = (f"each {what}", "each"), ""
        return *(f"{one} {verb} {times}" for one in who), f"{verb} {short}{end}"


class ElementLoadCounts:
    """How often elements of A and B are loaded from global memory. One is done with after its last load."""

    def __init__(self, trace: BlockTrace, timeline: Timeline) -> None:
        firsts, lasts, loads = ([np.zeros(0, np.int64)] for _ in range(3))
        for name in FACTORS:
            touched = timeline.matrices.get(name)
            if touched is None or not touched.box.size:
                continue
            counted, last = np.zeros(touched.box.size, np.int64), np.full(touched.box.size, -1, np.int64)
            for position, element, span in accesses_of(trace, touched.array, AccessKind.LOAD):
                cell, at = _each(element, position, span)
                row, column = np.divmod(cell, touched.array.columns)
                cell = (row - touched.box.row_start) * touched.box.columns + column - touched.box.column_start
                np.add.at(counted, cell, 1)
                np.maximum.at(last, cell, at)
            seen = np.flatnonzero(counted)
            firsts.append(touched.loaded.reshape(-1)[seen].astype(np.int64))
            lasts.append(last[seen])
            loads.append(counted[seen])
        done = np.concatenate(lasts)
        order = np.argsort(done, kind="stable")
        ordered = np.concatenate(loads)[order]
        self._firsts, self._lasts = np.sort(np.concatenate(firsts)), done[order]
        self._least, self._most = np.minimum.accumulate(ordered), np.maximum.accumulate(ordered)

    def before(self, position: int) -> LoadCounts:
        """Loads before a position."""
        seen, done = (int(np.searchsorted(ends, position)) for ends in (self._firsts, self._lasts))
        if not done:
            return LoadCounts(is_partial=seen > 0)
        return LoadCounts(int(self._least[done - 1]), int(self._most[done - 1]), done < seen)


class ValueLoadCounts:
    """How often values are read from shared memory: what lies in a slot from one store to the next.

    Loads from an array come in runs, between the slots of the trace that store to it. A value is done with after the
    run in which it is read; values that are never read do not count.
    """

    def __init__(self, trace: BlockTrace, timeline: Timeline) -> None:
        self._arrays = [
            runs
            for name, touched in timeline.shared.items()
            if (runs := _runs(trace, touched.array, timeline.stores[name], timeline.warps)) is not None
        ]

    def before(self, position: int) -> LoadCounts:
        """Reads before a position."""
        found = [runs.before(position) for runs in self._arrays]
        told = [one for one in found if one.most]
        least, most = (min(o.least for o in told), max(o.most for o in told)) if told else (0, 0)
        return LoadCounts(least, most, any(one.is_partial for one in found))


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """The runs of loads from one array: where each begins and ends, and what is told during and after it."""

    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    during: tuple[LoadCounts, ...]
    after: tuple[LoadCounts, ...]

    def before(self, position: int) -> LoadCounts:
        run = int(np.searchsorted(self.begin, position)) - 1
        if run < 0:
            return LoadCounts()
        return self.after[run] if self.end[run] < position else self.during[run]


def _runs(trace: BlockTrace, array: MappedArray, stores: Stores, warps: int) -> _Runs | None:
    """None where nothing is loaded from an array, or there are too many runs."""
    size = array.rows * array.columns
    stores_at = np.unique(stores.position // warps)
    run_at = np.repeat(np.searchsorted(stores_at, np.arange(trace.slot_site.size)), warps)
    pieces = [(at, run_at[at], element, span) for at, element, span in accesses_of(trace, array, AccessKind.LOAD)]
    if not pieces:
        return None
    numbers = np.flatnonzero(
        np.sum([np.bincount(run, minlength=stores_at.size + 1) for _, run, _, _ in pieces], axis=0)
    )
    number_of = np.zeros(stores_at.size + 1, np.int64)
    number_of[numbers] = np.arange(numbers.size)
    if numbers.size * size > _MOST_COUNTS:
        return None
    begin, end = np.full(numbers.size, np.iinfo(np.int64).max), np.full(numbers.size, -1, np.int64)
    reads = np.zeros(numbers.size * size, np.int64)
    for position, found, element, span in pieces:
        run = number_of[found]
        starts = np.flatnonzero(np.diff(run, prepend=-1))  # positions ascend, and so do runs
        ends = np.append(starts[1:], run.size) - 1
        begin[run[starts]] = np.minimum(begin[run[starts]], position[starts])
        end[run[ends]] = np.maximum(end[run[ends]], position[ends])
        cell, of_run = _each(element, run, span)
        key = of_run * size + cell
        low = int(key.min())
        counted = np.bincount(key - low)  # a piece reaches few runs
        reads[low : low + counted.size] += counted
    before_run = np.searchsorted(numbers, np.searchsorted(stores_at, stores.position // warps, side="right"))
    during, after = _told(reads.reshape(-1, size), before_run, stores.element)
    return _Runs(begin, end, tuple(during), tuple(after))


def _told(
    reads: NDArray[np.int64], before_run: NDArray[np.int64], stored: NDArray[np.int64]
) -> tuple[list[LoadCounts], list[LoadCounts]]:
    """During and after each run, of `reads` by run and slot; `stored` are filled before the runs `before_run`."""
    begins = np.searchsorted(before_run, np.arange(len(reads) + 1))
    counts = np.zeros(reads.shape[1], np.int64)
    done: tuple[int, int] | None = None
    during, after = [], []
    for run, read in enumerate(reads):
        filled = np.unique(stored[begins[run] : begins[run + 1]])
        done = _range(done, counts[filled])
        counts[filled] = 0
        others = _range(done, counts[read == 0])
        counts += read
        now = _range(done, counts)
        during.append(LoadCounts(*(others or (0, 0)), is_partial=True))
        after.append(LoadCounts(*(now or (0, 0))))
    return during, after


def _range(known: tuple[int, int] | None, counts: NDArray[np.int64]) -> tuple[int, int] | None:
    """The least and the most of a range and of those counts that are not 0."""
    found = counts[counts > 0]
    if not found.size:
        return known
    least, most = int(found.min()), int(found.max())
    return (min(known[0], least), max(known[1], most)) if known else (least, most)


def _each(
    element: NDArray[np.int64], beside: NDArray[np.int64], span: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every element of accesses that touch `span` of them, and what belongs to each access."""
    if span == 1:
        return element, beside
    return (element[:, np.newaxis] + np.arange(span)).reshape(-1), np.repeat(beside, span)
