"""How often each element of A and of B is loaded, and what tiling bought: exact, from recorded addresses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, MappedArray, Site, Space
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Layout
from gemmviz.trace.counts.element_loads import LOAD, STORE, count_loads
from gemmviz.trace.counts.summary import loop_columns


@dataclass(frozen=True, slots=True)
class LoadsPerElement:
    """How often the elements of one matrix were loaded: the least, the median, the most, and all together."""

    min: int
    median: float
    max: int
    total: int


class ReuseMap:
    """Loads of each element, summed over the blocks added: `a`, shape (M, K), and `b`, shape (K, N), int64, whatever
    the layout of A and B.

    An access counts once for every element it touches, one of 16 bytes for four floats. What lies outside A and B
    counts for none; matrices are told by their addresses, not by the name an access goes through. C may hold several
    sums for each element, M x N behind M x N, for the host to add. The map takes 8·(M·K + K·N) bytes of memory.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self._a = np.zeros(shape.m * shape.k, np.int64)
        self._b = np.zeros(shape.k * shape.n, np.int64)
        self._layouts = (Layout.ROW, Layout.ROW)
        self.blocks = 0
        self.bytes_asked = 0
        """Bytes within A, B and C that the threads loaded and stored, each lane for itself."""

    def add_block(self, trace: BlockTrace, blocks: int = 1) -> None:
        """Count the accesses of one block, or of several whose warps are together in one trace. Blocks may be added
        from one thread at a time; the GIL is free meanwhile.

        Raises:
            ValueError: the block has no A, B or C in global memory, one that does not fit the shape, or one whose
                elements' bytes are no power of two; or its columns do not fit together.
        """
        addresses, slot_site = loop_columns(trace)
        names = ("A", "B", "C", "D") if any(array.name == "D" for array in trace.arrays) else ("A", "B", "C")
        matrices = [self._matrix(trace, name) for name in names]
        self._layouts = matrices[0].layout, matrices[1].layout
        places = np.array([_place_of(matrix) for matrix in matrices], np.int64)
        self.bytes_asked += count_loads(addresses, slot_site, _table_of(trace.sites), places, self._a, self._b)
        self.blocks += blocks

    @property
    def a(self) -> NDArray[np.int64]:
        """Loads of each element of A, shape (M, K)."""
        return _by_rows(self._a, (self.shape.m, self.shape.k), self._layouts[0])

    @property
    def b(self) -> NDArray[np.int64]:
        """Loads of each element of B, shape (K, N)."""
        return _by_rows(self._b, (self.shape.k, self.shape.n), self._layouts[1])

    def add(self, other: ReuseMap) -> None:
        """Add what `other` counted, of other blocks of the same launch.

        Raises:
            ValueError: it is of another shape.
        """
        if other.shape != self.shape:
            raise ValueError(f"loads of {other.shape} cannot be added to those of {self.shape}")
        self._a += other._a
        self._b += other._b
        if other.blocks:
            self._layouts = other._layouts
        self.blocks += other.blocks
        self.bytes_asked += other.bytes_asked

    @property
    def nbytes(self) -> int:
        """The memory that the map takes."""
        return self._a.nbytes + self._b.nbytes

    def _matrix(self, trace: BlockTrace, name: str) -> MappedArray:
        m, n, k = self.shape.m, self.shape.n, self.shape.k
        needed = {"A": (m, k), "B": (k, n)}.get(name, (m, n))
        for array in trace.arrays:
            if array.name == name and array.space is Space.GLOBAL:
                sums = max(array.rows // m, 1) if name in "CD" else 1
                if (array.rows, array.columns) != (needed[0] * sums, needed[1]):
                    raise ValueError(
                        f"{name} is {array.rows}×{array.columns}; {self.shape} makes it {needed[0]}×{needed[1]}"
                    )
                return array
        raise ValueError(f"block {trace.block} was recorded without a matrix {name} in global memory")


def loads_per_element(loads: NDArray[np.int64]) -> LoadsPerElement:
    """What `ReuseMap.a` or `ReuseMap.b` comes to; any shape, at least one element."""
    return LoadsPerElement(int(loads.min()), float(np.median(loads)), int(loads.max()), int(loads.sum()))


def _by_rows(loads: NDArray[np.int64], size: tuple[int, int], layout: Layout) -> NDArray[np.int64]:
    """Counts in the order of memory as a matrix of that size."""
    return loads.reshape(size) if layout is Layout.ROW else loads.reshape(size[::-1]).T


def _place_of(matrix: MappedArray) -> tuple[int, int, int]:
    """Base, bytes, and the power of two of an element's bytes.

    Raises:
        ValueError: an element's bytes are no power of two.
    """
    shift = matrix.element_bytes.bit_length() - 1
    if matrix.element_bytes <= 0 or matrix.element_bytes != 1 << shift:
        raise ValueError(f"an element of {matrix.name} has {matrix.element_bytes} bytes: a power of two can be counted")
    return matrix.base, matrix.nbytes, shift


def _table_of(sites: tuple[Site, ...]) -> NDArray[np.int64]:
    """The sites as `count_loads` wants them, shape (sites, 2)."""
    kinds = [LOAD if site.kind is AccessKind.LOAD else STORE for site in sites]
    rows = [(kind * (site.space is Space.GLOBAL), site.width_bytes) for site, kind in zip(sites, kinds, strict=True)]
    return np.array(rows, np.int64).reshape(len(sites), 2)
