"""Counts of a recording's requests, added up: in all and per source line."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Site, Space, ideal_bytes
from gemmviz.domain.shape import Shape
from gemmviz.trace.counts.columns import SiteColumns


@dataclass(frozen=True, slots=True)
class Totals:
    """All sites together.

    Requests, sectors and wavefronts of loads and stores are those of load and store instructions, as Nsight Compute's
    counters `..._op_ld` and `..._op_st` have them. Asynchronous copies (`..._op_ldgsts`) are counted by themselves:
    requests and sectors of what they read, wavefronts of what they write. Of the TMA there are the bytes that
    it reads from global memory, and those that it writes into shared memory: whole boxes, with zeros for what lies
    outside of a matrix, in every block of a cluster that gets them (`..._op_tma_ld`). Of the tensor cores there are the
    bytes that they read from shared memory.
    An atomic operation is one request (`..._op_atom` and `..._op_red` together: the assembler makes a reduction of one
    whose result nobody reads). Its sectors count as often as lanes want one address of them.

    `bytes_asked` are the distinct bytes of each global request, `bytes_moved` 32 for each sector that is sent for it,
    of every path; `bytes_ideal` is what it takes to read A and B and write C once, None for some blocks of a grid.
    """

    global_load_requests: int
    global_load_sectors: int
    global_store_requests: int
    global_store_sectors: int
    shared_load_requests: int
    shared_load_wavefronts: int
    shared_load_ideal_wavefronts: int
    shared_store_requests: int
    shared_store_wavefronts: int
    shared_store_ideal_wavefronts: int
    bytes_asked: int
    bytes_moved: int
    bytes_ideal: int | None
    async_copy_requests: int = 0
    async_copy_sectors: int = 0
    async_copy_wavefronts: int = 0
    async_copy_ideal_wavefronts: int = 0
    copy_engine_bytes: int = 0
    tensor_core_bytes: int = 0
    copy_engine_written_bytes: int = 0
    global_atomic_requests: int = 0
    global_atomic_sectors: int = 0
    shared_atomic_requests: int = 0
    shared_atomic_wavefronts: int = 0
    shared_atomic_ideal_wavefronts: int = 0

    @property
    def of_global(self) -> tuple[tuple[str, int, int], ...]:
        """What global memory was asked for, by kind: its name, requests, sectors. Atomics only where there are any."""
        loads = "global loads", self.global_load_requests, self.global_load_sectors
        stores = "global stores", self.global_store_requests, self.global_store_sectors
        atomics = "global atomics", self.global_atomic_requests, self.global_atomic_sectors
        return (loads, stores, atomics) if self.global_atomic_requests else (loads, stores)

    @property
    def of_shared(self) -> tuple[tuple[str, int, int, int], ...]:
        """What shared memory was asked for, by kind: its name, requests, wavefronts, and how few these could be."""
        loads = self.shared_load_requests, self.shared_load_wavefronts, self.shared_load_ideal_wavefronts
        stores = self.shared_store_requests, self.shared_store_wavefronts, self.shared_store_ideal_wavefronts
        atomics = self.shared_atomic_requests, self.shared_atomic_wavefronts, self.shared_atomic_ideal_wavefronts
        kinds = ("shared loads", *loads), ("shared stores", *stores), ("shared atomics", *atomics)
        return tuple(kind for kind in kinds if kind[1])

    @property
    def global_requests(self) -> int:
        """Requests to global memory: loads, stores, atomic operations and asynchronous copies; the TMA makes none."""
        by_instruction = self.global_load_requests + self.global_store_requests + self.global_atomic_requests
        return by_instruction + self.async_copy_requests

    @property
    def global_sectors(self) -> int:
        """32-byte sectors of these requests."""
        by_instruction = self.global_load_sectors + self.global_store_sectors + self.global_atomic_sectors
        return by_instruction + self.async_copy_sectors

    @property
    def sectors_per_request(self) -> float:
        """32-byte sectors per request to global memory; nan without a request."""
        return self.global_sectors / self.global_requests if self.global_requests else math.nan

    @property
    def shared_requests(self) -> int:
        """Requests to shared memory: loads, stores and atomic operations."""
        return self.shared_load_requests + self.shared_store_requests + self.shared_atomic_requests

    @property
    def wavefronts(self) -> int:
        """Wavefronts in shared memory of loads, stores, atomic operations and asynchronous copies."""
        by_instruction = self.shared_load_wavefronts + self.shared_store_wavefronts + self.shared_atomic_wavefronts
        return by_instruction + self.async_copy_wavefronts

    @property
    def excess_wavefronts(self) -> int:
        """Those of them that bank conflicts add."""
        ideal = self.shared_load_ideal_wavefronts + self.shared_store_ideal_wavefronts
        return self.wavefronts - ideal - self.shared_atomic_ideal_wavefronts - self.async_copy_ideal_wavefronts

    def as_dict(self) -> dict[str, int | None]:
        """The figures by name, in order."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LineCounts:
    """All sites of one source line; the line counts from 1. Global and shared requests are kept apart.

    Bytes are those of global memory, and so are sectors. What the TMA and the tensor cores move makes no
    requests and no wavefronts.
    """

    line: int
    global_requests: int
    sectors: int
    lines: int
    bytes_asked: int
    bytes_moved: int
    shared_requests: int
    wavefronts: int
    ideal_wavefronts: int

    @property
    def sectors_per_request(self) -> float:
        """nan on a line with no global request."""
        return self.sectors / self.global_requests if self.global_requests else math.nan

    @property
    def excess_wavefronts(self) -> int:
        """Wavefronts that bank conflicts add to the ideal."""
        return self.wavefronts - self.ideal_wavefronts


def total(sites: tuple[Site, ...], columns: SiteColumns, shape: Shape, bytes_ideal: int | None = None) -> Totals:
    """Add up columns of shape (sites,). `bytes_ideal` where elements of A and B have not 4 bytes each.

    Raises:
        ValueError: the columns have another shape.
    """
    _check(sites, columns)
    loads = np.array([site.kind is AccessKind.LOAD for site in sites], bool)
    counted = np.array([site.is_counted for site in sites], bool)
    everywhere, in_block = _in_space(sites, Space.GLOBAL) & counted, _in_space(sites, Space.SHARED) & counted
    by_instruction, by_copy = _by(sites, AccessPath.LOAD_STORE), _by(sites, AccessPath.ASYNC_COPY)
    by_engine, atomic = _by(sites, AccessPath.COPY_ENGINE), _by(sites, AccessPath.ATOMIC)
    global_, shared = everywhere & by_instruction, in_block & by_instruction
    return Totals(
        global_load_requests=_sum(columns.requests, global_ & loads),
        global_load_sectors=_sum(columns.sectors, global_ & loads),
        global_store_requests=_sum(columns.requests, global_ & ~loads),
        global_store_sectors=_sum(columns.sectors, global_ & ~loads),
        shared_load_requests=_sum(columns.requests, shared & loads),
        shared_load_wavefronts=_sum(columns.wavefronts, shared & loads),
        shared_load_ideal_wavefronts=_sum(columns.ideal_wavefronts, shared & loads),
        shared_store_requests=_sum(columns.requests, shared & ~loads),
        shared_store_wavefronts=_sum(columns.wavefronts, shared & ~loads),
        shared_store_ideal_wavefronts=_sum(columns.ideal_wavefronts, shared & ~loads),
        bytes_asked=_sum(columns.bytes_asked, everywhere),
        bytes_moved=_sum(columns.bytes_moved, everywhere),
        bytes_ideal=ideal_bytes((), shape) if bytes_ideal is None else bytes_ideal,
        async_copy_requests=_sum(columns.requests, everywhere & by_copy),
        async_copy_sectors=_sum(columns.sectors, everywhere & by_copy),
        async_copy_wavefronts=_sum(columns.wavefronts, in_block & by_copy),
        async_copy_ideal_wavefronts=_sum(columns.ideal_wavefronts, in_block & by_copy),
        copy_engine_bytes=_sum(columns.bytes_asked, everywhere & by_engine),
        tensor_core_bytes=_sum(columns.bytes_asked, in_block & _by(sites, AccessPath.TENSOR_CORE)),
        copy_engine_written_bytes=_sum(columns.bytes_asked, in_block & by_engine),
        global_atomic_requests=_sum(columns.requests, everywhere & atomic),
        global_atomic_sectors=_sum(columns.sectors, everywhere & atomic),
        shared_atomic_requests=_sum(columns.requests, in_block & atomic),
        shared_atomic_wavefronts=_sum(columns.wavefronts, in_block & atomic),
        shared_atomic_ideal_wavefronts=_sum(columns.ideal_wavefronts, in_block & atomic),
    )


def by_line(sites: tuple[Site, ...], columns: SiteColumns) -> tuple[LineCounts, ...]:
    """Columns of shape (sites,) added up per source line, in the order of the lines that have a site.

    Raises:
        ValueError: the columns have another shape.
    """
    _check(sites, columns)
    line_of_site = np.array([site.line for site in sites], np.int64)
    requested = np.array([site.path.is_requested for site in sites], bool)
    counted = np.array([site.is_counted for site in sites], bool)
    global_, shared = _in_space(sites, Space.GLOBAL), _in_space(sites, Space.SHARED)
    rows = []
    for line in np.unique(line_of_site).tolist():
        here = (line_of_site == line) & counted
        rows.append(
            LineCounts(
                line=line,
                global_requests=_sum(columns.requests, here & global_ & requested),
                sectors=_sum(columns.sectors, here),
                lines=_sum(columns.lines, here),
                bytes_asked=_sum(columns.bytes_asked, here & global_),
                bytes_moved=_sum(columns.bytes_moved, here),
                shared_requests=_sum(columns.requests, here & shared & requested),
                wavefronts=_sum(columns.wavefronts, here & requested),
                ideal_wavefronts=_sum(columns.ideal_wavefronts, here & requested),
            )
        )
    return tuple(rows)


def _check(sites: tuple[Site, ...], columns: SiteColumns) -> None:
    if columns.requests.shape != (len(sites),):
        raise ValueError(f"columns of shape {columns.requests.shape} do not belong to {len(sites)} sites")


def _in_space(sites: tuple[Site, ...], space: Space) -> NDArray[np.bool_]:
    return np.array([site.space is space for site in sites], bool)


def _by(sites: tuple[Site, ...], path: AccessPath) -> NDArray[np.bool_]:
    return np.array([site.path is path for site in sites], bool)


def _sum(column: NDArray[np.int64], where: NDArray[np.bool_]) -> int:
    return int(column[where].sum())
