"""How many multiply-adds of the product C = A·B recorded blocks do, so that recordings of any extent compare."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import AccessKind, BlockTrace, MappedArray, Space
from gemmviz.domain.trace_run import TraceRun

_known: WeakKeyDictionary[TraceRun, int | None] = WeakKeyDictionary()
"""Of recordings that were counted before: a block of a large product has millions of addresses."""


def is_complete(run: TraceRun) -> bool:
    """Whether every block of the grid was recorded."""
    return run.blocks_recorded >= run.blocks_in_grid


def multiply_adds_of(run: TraceRun) -> int | None:
    """The multiply-adds of the recorded blocks; None where a partial recording does not tell.

    All blocks together do M·N·K. One block does one for each element of C that it stores and each k whose column of A
    or row of B it reads; products with the zeros that pad a tile do not count. Either matrix will do, because blocks of
    a cluster may read one for each other.
    """
    if run not in _known:
        _known[run] = _counted(run)
    return _known[run]


def elements_of_c(run: TraceRun) -> float | None:
    """The elements of C that those multiply-adds make, K for each; a fraction where blocks share the sum of one."""
    found = multiply_adds_of(run)
    return None if found is None else found / run.spec.shape.k


def elements_stored(trace: BlockTrace) -> int:
    """How many elements of C a block stores, each counted once; of partial sums each by itself."""
    stored = np.zeros(0, np.bool_)
    for c, elements in _elements(trace, AccessKind.STORE, ("C",)):
        if not stored.size:
            stored = np.zeros(c.rows * c.columns, np.bool_)
        stored[elements] = True
    return int(stored.sum())


def _counted(run: TraceRun) -> int | None:
    shape = run.spec.shape
    if is_complete(run):
        return shape.m * shape.n * shape.k
    if len(run.blocks) < run.blocks_recorded:
        return None
    traces = [block.trace(run.sites, run.arrays) for block in run.blocks]
    return sum(elements_stored(trace) * _depth(trace, shape.k) for trace in traces) or None


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
    matrices = [array for array in trace.arrays if array.name in names and array.space is Space.GLOBAL]
    for site in trace.sites:
        if site.space is not Space.GLOBAL or site.kind is not kind:
            continue
        addresses = trace.addresses[:, trace.slot_site == site.index]
        for matrix in matrices:
            inside = addresses[(addresses >= matrix.base) & (addresses < matrix.base + matrix.nbytes)] - matrix.base
            first = np.unique(inside // matrix.element_bytes)
            for beside in range(max(1, site.width_bytes // matrix.element_bytes)):
                yield matrix, first[first + beside < matrix.rows * matrix.columns] + beside
