"""The recordings of a session as flat rows: sites, totals, loads of elements, hazards, what was not recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.files.csv_files import Row
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.places import PLACE_COLUMNS, place_cells
from gemmviz.domain.recordings.access import SECTOR_BYTES, AccessKind, AccessPath, Site, Space
from gemmviz.domain.recordings.multiply_adds import is_complete, multiply_adds_of
from gemmviz.domain.recordings.sass_cells import SHARED_IN_SASS, SITE_IN_SASS, shared_cells, site_cells
from gemmviz.domain.recordings.trace_run import LongColumn, TraceRun
from gemmviz.domain.spec import format_params

_RUN = ("kernel", "version", "params", "form", "m", "n", "k", "blocks_recorded", "blocks", *PLACE_COLUMNS)
_LOAD_STORE = AccessPath.LOAD_STORE
_NUMBERED = ("trace", *_RUN)
"""`trace` counts the recordings of the session from 0; `version` is "" where the kernel has one text only."""
NO_VERSIONS = VersionNames()
"""For recordings of which no two texts of a kernel are there."""

SITE_COLUMNS = (
    *_RUN,
    "line",
    "column",
    "text",
    "space",
    "kind",
    "width_bytes",
    "array",
    "accesses",
    "requests",
    "sectors",
    "lines_128",
    "bytes_asked",
    "bytes_moved",
    "wavefronts",
    "ideal_wavefronts",
    "path",
    *SITE_IN_SASS,
)
TOTAL_COLUMNS = (
    *_NUMBERED,
    "device",
    "blocks_searched",
    "accesses",
    "seconds",
    "hazards",
    "skipped",
    "multiply_adds",
    "global_load_requests",
    "global_load_sectors",
    "global_store_requests",
    "global_store_sectors",
    "shared_load_requests",
    "shared_load_wavefronts",
    "shared_load_ideal_wavefronts",
    "shared_store_requests",
    "shared_store_wavefronts",
    "shared_store_ideal_wavefronts",
    "bytes_asked",
    "bytes_moved",
    "bytes_ideal",
    "async_copy_requests",
    "async_copy_sectors",
    "async_copy_wavefronts",
    "async_copy_ideal_wavefronts",
    "copy_engine_bytes",
    "tensor_core_bytes",
    "copy_engine_written_bytes",
    "global_atomic_requests",
    "global_atomic_sectors",
    "shared_atomic_requests",
    "shared_atomic_wavefronts",
    "shared_atomic_ideal_wavefronts",
    *SHARED_IN_SASS,
)
REUSE_COLUMNS = (
    *_NUMBERED,
    "matrix",
    "elements",
    "elements_loaded",
    "min_loads",
    "median_loads",
    "max_loads",
    "loads",
)
HAZARD_COLUMNS = (*_NUMBERED, "kind", "line", "text", "block", "threads", "epoch", "count", "detail", "found_in_blocks")
SKIPPED_COLUMNS = (*_NUMBERED, "line", "text", "reason")


@dataclass(frozen=True, slots=True)
class TraceTable:
    """One file of an export: its name, its columns, and what makes its rows from the recordings and the names of their
    versions.
    """

    file: str
    columns: tuple[str, ...]
    rows: Callable[[Sequence[TraceRun], VersionNames], list[Row]]


@dataclass(frozen=True, slots=True)
class ElementLoads:
    """How often the elements of one matrix were loaded. `min`, `median` and `max` are of those that were loaded at
    all, `loaded` of `elements`; 0 if none was.
    """

    elements: int
    loaded: int
    min: int
    median: float
    max: int
    total: int

    @property
    def median_words(self) -> str:
        """What follows the median: "median; 1 to 9; of 512 of 3 840 elements"."""
        words = f"median; {figures.count(self.min)} to {figures.count(self.max)}"
        if self.loaded == self.elements:
            return words
        return f"{words}; of {figures.count(self.loaded)} of {figures.count(self.elements)} elements"


_MOST_IN_HISTOGRAM = 1 << 16
"""Loads of one element up to which a histogram is faster than sorting."""


def element_loads(loads: LongColumn) -> ElementLoads:
    """What a TraceRun's `a_loads` or `b_loads` come to."""
    if int(loads.max(initial=0)) <= _MOST_IN_HISTOGRAM:
        histogram = np.bincount(loads)
        counts = np.flatnonzero(histogram)
        elements = histogram[counts]
    else:
        counts, elements = np.unique(loads, return_counts=True)
    counts, elements = counts[counts > 0], elements[counts > 0]
    if not counts.size:
        return ElementLoads(loads.size, 0, 0, 0.0, 0, 0)
    up_to = np.cumsum(elements)
    loaded = int(up_to[-1])
    middle = counts[np.searchsorted(up_to, ((loaded - 1) // 2, loaded // 2), side="right")]
    return ElementLoads(
        loads.size, loaded, int(counts[0]), float(middle.mean()), int(counts[-1]), int((counts * elements).sum())
    )


def site_rows(traces: Sequence[TraceRun], names: VersionNames = NO_VERSIONS) -> list[Row]:
    """One row for each site of each recording, with SITE_COLUMNS; counts are sums over the recorded blocks."""
    return [_row(SITE_COLUMNS, _run_cells(run, names), _site_cells(run, site)) for run in traces for site in run.sites]


def total_rows(traces: Sequence[TraceRun], names: VersionNames = NO_VERSIONS) -> list[Row]:
    """One row for each recording, with TOTAL_COLUMNS; meanings as in docs/GLOSSARY.md."""
    return [
        _row(
            TOTAL_COLUMNS,
            (number, *_run_cells(run, names)),
            (
                run.device.id,
                run.blocks_searched,
                run.accesses,
                run.seconds,
                len(run.hazards),
                len(run.skipped),
                multiply_adds_of(run) or "",
                *(
                    _sum(run, counted, Space.GLOBAL, kind, _LOAD_STORE)
                    for kind in AccessKind
                    for counted in (run.counts.requests, run.counts.sectors)
                ),
                *(
                    _sum(run, counted, Space.SHARED, kind, _LOAD_STORE)
                    for kind in AccessKind
                    for counted in (run.counts.requests, run.counts.wavefronts, run.counts.ideal_wavefronts)
                ),
                _sum(run, run.counts.bytes_asked, Space.GLOBAL),
                SECTOR_BYTES * _sum(run, run.counts.sectors_sent, Space.GLOBAL),
                run.bytes_ideal if is_complete(run) else "",
                *(
                    _sum(run, counted, Space.GLOBAL, path=AccessPath.ASYNC_COPY)
                    for counted in (run.counts.requests, run.counts.sectors)
                ),
                *(
                    _sum(run, counted, Space.SHARED, path=AccessPath.ASYNC_COPY)
                    for counted in (run.counts.wavefronts, run.counts.ideal_wavefronts)
                ),
                _sum(run, run.counts.bytes_asked, Space.GLOBAL, path=AccessPath.COPY_ENGINE),
                _sum(run, run.counts.bytes_asked, Space.SHARED, path=AccessPath.TENSOR_CORE),
                _sum(run, run.counts.bytes_asked, Space.SHARED, path=AccessPath.COPY_ENGINE),
                *(
                    _sum(run, counted, Space.GLOBAL, path=AccessPath.ATOMIC)
                    for counted in (run.counts.requests, run.counts.sectors)
                ),
                *(
                    _sum(run, counted, Space.SHARED, path=AccessPath.ATOMIC)
                    for counted in (run.counts.requests, run.counts.wavefronts, run.counts.ideal_wavefronts)
                ),
                *shared_cells(run),
            ),
        )
        for number, run in enumerate(traces)
    ]


def reuse_rows(traces: Sequence[TraceRun], names: VersionNames = NO_VERSIONS) -> list[Row]:
    """Two rows for each recording, A and B, with REUSE_COLUMNS: how often their elements were loaded."""
    rows = []
    for number, run in enumerate(traces):
        for matrix, loads in (("A", run.a_loads), ("B", run.b_loads)):
            found = element_loads(loads)
            cells = (matrix, found.elements, found.loaded, found.min, found.median, found.max, found.total)
            rows.append(_row(REUSE_COLUMNS, (number, *_run_cells(run, names)), cells))
    return rows


def hazard_rows(traces: Sequence[TraceRun], names: VersionNames = NO_VERSIONS) -> list[Row]:
    """One row for each hazard, with HAZARD_COLUMNS; blocks as "x,y,z", threads with spaces between."""
    return [
        _row(
            HAZARD_COLUMNS,
            (number, *_run_cells(run, names)),
            (
                hazard.kind.value,
                hazard.line,
                hazard.text,
                ",".join(map(str, hazard.block)),
                " ".join(map(str, hazard.threads)),
                hazard.epoch,
                hazard.count,
                hazard.detail,
                hazard.blocks,
            ),
        )
        for number, run in enumerate(traces)
        for hazard in run.hazards
    ]


def skipped_rows(traces: Sequence[TraceRun], names: VersionNames = NO_VERSIONS) -> list[Row]:
    """One row for each access that could not be recorded, with SKIPPED_COLUMNS."""
    return [
        _row(SKIPPED_COLUMNS, (number, *_run_cells(run, names)), (skipped.line, skipped.text, skipped.reason))
        for number, run in enumerate(traces)
        for skipped in run.skipped
    ]


_SKIPPED = TraceTable("skipped.csv", SKIPPED_COLUMNS, skipped_rows)
TRACE_TABLES = (
    TraceTable("sites.csv", SITE_COLUMNS, site_rows),
    TraceTable("totals.csv", TOTAL_COLUMNS, total_rows),
    TraceTable("reuse.csv", REUSE_COLUMNS, reuse_rows),
    TraceTable("hazards.csv", HAZARD_COLUMNS, hazard_rows),
    _SKIPPED,
)


def tables_of(traces: Sequence[TraceRun]) -> tuple[TraceTable, ...]:
    """The tables that recordings have: () for none, and that of what was skipped only where something was."""
    has_skipped = any(run.skipped for run in traces)
    return tuple(table for table in TRACE_TABLES if traces and (table is not _SKIPPED or has_skipped))


_Cells = Iterable[str | int | float]


def _row(columns: Sequence[str], which: _Cells, cells: _Cells) -> Row:
    return dict(zip(columns, (*which, *cells), strict=True))


def _run_cells(run: TraceRun, names: VersionNames) -> tuple[str | int, ...]:
    spec = run.spec
    shape = spec.shape
    params = format_params(spec.params)
    return (
        spec.kernel,
        names.number_of_recording(run),
        params,
        str(run.form),
        shape.m,
        shape.n,
        shape.k,
        run.blocks_recorded,
        run.blocks_in_grid,
        *place_cells(run.device, run.finished),
    )


def _site_cells(run: TraceRun, site: Site) -> tuple[str | int, ...]:
    found = run.counts.of(site)
    return (
        site.line,
        site.column,
        site.text,
        site.space.value,
        site.kind.value,
        site.width_bytes,
        site.array,
        found.accesses,
        found.requests,
        found.sectors,
        found.lines,
        found.bytes_asked,
        found.bytes_moved,
        found.wavefronts,
        found.ideal_wavefronts,
        site.path.value,
        *site_cells(run, site),
    )


def _sum(
    run: TraceRun, column: LongColumn, space: Space, kind: AccessKind | None = None, path: AccessPath | None = None
) -> int:
    chosen = [
        site.index
        for site in run.sites
        if site.space is space and kind in (None, site.kind) and path in (None, site.path) and site.is_counted
    ]
    return int(column[chosen].sum()) if chosen else 0
