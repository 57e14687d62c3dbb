"""Counts of a recording's requests, added up: in all and per source line."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import SECTOR_BYTES, AccessKind, Site, Space
from gemmviz.domain.shape import Shape
from gemmviz.trace.columns import SiteColumns


@dataclass(frozen=True, slots=True)
class Totals:
    """All sites together.

    `bytes_asked` are the distinct bytes of each global request, `bytes_fetched` 32 for each sector, both of loads
    and stores; `bytes_ideal` is what it takes to read A and B and write C once.
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
    bytes_fetched: int
    bytes_ideal: int

    def as_dict(self) -> dict[str, int]:
        """The figures by name, in order."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LineCounts:
    """All sites of one source line; the line counts from 1. Global and shared requests are kept apart.

    Bytes are those of global memory.
    """

    line: int
    global_requests: int
    sectors: int
    lines: int
    bytes_asked: int
    bytes_fetched: int
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


def total(sites: tuple[Site, ...], columns: SiteColumns, shape: Shape) -> Totals:
    """Add up columns of shape (sites,).

    Raises:
        ValueError: the columns have another shape.
    """
    _check(sites, columns)
    loads = np.array([site.kind is AccessKind.LOAD for site in sites], bool)
    global_, shared = _in_space(sites, Space.GLOBAL), _in_space(sites, Space.SHARED)
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
        bytes_asked=_sum(columns.bytes_asked, global_),
        bytes_fetched=_sum(columns.bytes_fetched, global_),
        bytes_ideal=shape.ideal_bytes,
    )


def by_line(sites: tuple[Site, ...], columns: SiteColumns) -> tuple[LineCounts, ...]:
    """Columns of shape (sites,) added up per source line, in the order of the lines that have a site.

    Raises:
        ValueError: the columns have another shape.
    """
    _check(sites, columns)
    line_of_site = np.array([site.line for site in sites], np.int64)
    global_, shared = _in_space(sites, Space.GLOBAL), _in_space(sites, Space.SHARED)
    rows = []
    for line in np.unique(line_of_site).tolist():
        here = line_of_site == line
        sectors = _sum(columns.sectors, here)
        rows.append(
            LineCounts(
                line=line,
                global_requests=_sum(columns.requests, here & global_),
                sectors=sectors,
                lines=_sum(columns.lines, here),
                bytes_asked=_sum(columns.bytes_asked, here & global_),
                bytes_fetched=sectors * SECTOR_BYTES,
                shared_requests=_sum(columns.requests, here & shared),
                wavefronts=_sum(columns.wavefronts, here),
                ideal_wavefronts=_sum(columns.ideal_wavefronts, here),
            )
        )
    return tuple(rows)


def _check(sites: tuple[Site, ...], columns: SiteColumns) -> None:
    if columns.requests.shape != (len(sites),):
        raise ValueError(f"columns of shape {columns.requests.shape} do not belong to {len(sites)} sites")


def _in_space(sites: tuple[Site, ...], space: Space) -> NDArray[np.bool_]:
    return np.array([site.space is space for site in sites], bool)


def _sum(column: NDArray[np.int64], where: NDArray[np.bool_]) -> int:
    return int(column[where].sum())
