"""The table of the figure of traffic: bytes, requests and sectors of each recording. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.places import PLACE_COLUMNS, place_cells
from gemmviz.domain.recordings.hazard import gravest_fault
from gemmviz.domain.recordings.multiply_adds import elements_of_c, multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.tables import format_params
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.figures.traffic.recorded import traffic_of
from gemmviz.explain.figures.traffic.units import Per

NAME = "traffic"
_COLUMNS = (
    "recording",
    "kernel",
    "version",
    "params",
    "form",
    "m",
    "n",
    "k",
    "device",
    "blocks_recorded",
    "blocks",
    "bytes_asked",
    "bytes_moved",
    "bytes_ideal",
    "load_requests",
    "load_sectors",
    "store_requests",
    "store_sectors",
    "async_copy_requests",
    "async_copy_sectors",
    "global_atomic_requests",
    "global_atomic_sectors",
    "sectors_per_request",
    "multiply_adds",
    "elements_of_c",
    "asked_per_multiply_add",
    "moved_per_multiply_add",
    "ideal_per_multiply_add",
    "asked_per_element_of_c",
    "moved_per_element_of_c",
    "ideal_per_element_of_c",
    "fault",
    *PLACE_COLUMNS,
)


def traffic_table(traces: Sequence[TraceRun], names: VersionNames | None = None) -> PlotTable:
    """The plotted bytes, as they are and divided, with requests and sectors of global memory; "" where unknown."""
    rows = []
    for number, one in enumerate(traffic_of(traces, names)):
        spec, totals = one.run.spec, one.totals
        terms, elements = multiply_adds_of(one.run), elements_of_c(one.run)
        values = (
            number,
            spec.kernel,
            one.version_number,
            format_params(spec.params),
            str(one.run.form),
            spec.shape.m,
            spec.shape.n,
            spec.shape.k,
            one.run.device.id,
            one.run.blocks_recorded,
            one.run.blocks_in_grid,
            totals.bytes_asked,
            totals.bytes_moved,
            math.nan if totals.bytes_ideal is None else totals.bytes_ideal,
            totals.global_load_requests,
            totals.global_load_sectors,
            totals.global_store_requests,
            totals.global_store_sectors,
            totals.async_copy_requests,
            totals.async_copy_sectors,
            totals.global_atomic_requests,
            totals.global_atomic_sectors,
            one.totals.sectors_per_request,
            "" if terms is None else terms,
            "" if elements is None else elements,
            *one.per(Per.MULTIPLY_ADD),
            *one.per(Per.ELEMENT),
            gravest_fault(one.run.hazards),
            *place_cells(one.run.device, one.run.finished),
        )
        known = ("" if isinstance(value, float) and math.isnan(value) else value for value in values)
        rows.append(dict(zip(_COLUMNS, known, strict=True)))
    return PlotTable(NAME, _COLUMNS, tuple(rows))
