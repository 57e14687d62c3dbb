"""How many multiply-adds of the product C = A·B recorded blocks do, so that recordings of any extent compare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, MappedArray, Space, result_of
from gemmviz.domain.recordings.trace_run import TraceRun

_WIDEST_BYTES = 16
"""Of one access."""


@dataclass(frozen=True, slots=True)
class RecordedWork:
    """What the recorded blocks do: multiply-adds of the product, None where the recording does not tell, and elements
    of C that they store, those of partial sums each by itself.
    """

    multiply_adds: int | None
    stored: int


_known: WeakKeyDictionary[TraceRun, RecordedWork] = WeakKeyDictionary()
"""Of recordings that were looked at before: a block of a large product has millions of addresses."""


def is_complete(run: TraceRun) -> bool:
    """Whether every block of the grid was recorded."""
    return run.blocks_recorded >= run.blocks_in_grid


def multiply_adds_of(run: TraceRun) -> int | None:
    """The multiply-adds of the recorded blocks; None where a partial recording does not tell.

    All blocks together do M·N·K. One block does one for each element of C that it stores and each k whose column of A
    or row of B it reads; products with the zeros that pad a tile do not count. Either matrix will do, because blocks of
    a cluster may read one for each other.
    """
    return work_of(run).multiply_adds


def elements_of_c(run: TraceRun) -> float | None:
    """The elements of C that those multiply-adds make, K for each; a fraction where blocks share the sum of one."""
    found = multiply_adds_of(run)
    return None if found is None else found / run.spec.shape.k


def work_of(run: TraceRun) -> RecordedWork:
    """What the recorded blocks do; looked up where it was asked for before."""
    found = _known.get(run)
    if found is None:
        found = _known[run] = _counted(run)
    return found


def _counted(run: TraceRun) -> RecordedWork:
    shape = run.spec.shape
    if is_complete(run):
        return RecordedWork(shape.m * shape.n * shape.k, shape.m * shape.n)
    if len(run.blocks) < run.blocks_recorded:
        return RecordedWork(None, 0)
    multiply_adds = stored = 0
    for block in run.blocks:
        trace = block.trace(run.sites, run.arrays)
        elements = _stored(trace)
        stored += elements
        multiply_adds += elements * _depth(trace, shape.k)
    return RecordedWork(multiply_adds or None, stored)


def _stored(trace: BlockTrace) -> int:
    """How many elements of the result a block stores, each counted once."""
    result = result_of(trace.arrays)
    names = (result.name,) if result is not None else ()
    found = [elements for _, elements in _elements(trace, AccessKind.STORE, names)]
    return int(np.unique(np.concatenate(found)).size) if found else 0


def _depth(trace: BlockTrace, k: int) -> int:
    """How many k a block multiplies over: the columns of A and the rows of B that it reads."""
    read = np.zeros(k, np.bool_)
    for matrix, elements in _elements(trace, AccessKind.LOAD, ("A", "B")):
        along = elements % matrix.columns if matrix.name == "A" else elements // matrix.columns
        read[along[along < k]] = True
    return int(read.sum())


def _elements(
    trace: BlockTrace, kind: AccessKind, names: tuple[str, ...]
) -> Iterator[tuple[MappedArray, NDArray[np.int64]]]:
    """The row-major indices of the elements of matrices that a block loads or stores, site by site."""
    matrices = [
        array for array in trace.arrays if array.name in names and array.space is Space.GLOBAL and array.nbytes > 0
    ]
    for site in trace.sites:
        if site.space is not Space.GLOBAL or site.kind is not kind:
            continue
        addresses = trace.addresses[:, trace.slot_site == site.index]
        for matrix in matrices:
            inside = addresses[(addresses >= matrix.base) & (addresses < matrix.base + matrix.nbytes)] - matrix.base
            first = np.unique(inside // matrix.element_bytes)
            for beside in range(max(1, min(site.width_bytes, _WIDEST_BYTES) // matrix.element_bytes)):
                yield matrix, matrix.numbers_at(first[first + beside < matrix.rows * matrix.columns] + beside)
