"""The figure of traffic: bytes asked for, fetched and ideal of each recording. No Qt."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.device import Device
from gemmviz.domain.places import PLACE_COLUMNS, place_cells, place_words
from gemmviz.domain.tables import format_params
from gemmviz.domain.terms import Evidence
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.about.provenance import recorded_on
from gemmviz.gui.charts.figure import Axis, Figure, Form, Look, PlotTable, Quantity, Row, Series, Tone
from gemmviz.gui.charts.marks import drawn, extent
from gemmviz.gui.charts.ticks import padded_range
from gemmviz.trace.explain import totals_of
from gemmviz.trace.totals import Totals

NAME = "traffic"
NO_TRACES = "Nothing is recorded yet. Choose a kernel and a size on the left, then press Record."
_COLUMNS = (
    "recording", "kernel", "params", "m", "n", "k", "device", "blocks_recorded", "blocks", "bytes_asked",
    "bytes_fetched", "bytes_ideal", "load_requests", "load_sectors", "store_requests", "store_sectors",
    "async_copy_requests", "async_copy_sectors", "sectors_per_request", *PLACE_COLUMNS,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Traffic:
    """A recording's name among the others and its totals."""

    run: TraceRun
    name: str
    totals: Totals

    @property
    def is_whole(self) -> bool:
        return self.run.blocks_recorded >= self.run.blocks_in_grid

    @property
    def requests(self) -> int:
        """Those of global memory: loads, stores and asynchronous copies; the copy engine makes none."""
        totals = self.totals
        return totals.global_load_requests + totals.global_store_requests + totals.async_copy_requests

    @property
    def sectors_per_request(self) -> float:
        """nan without a request."""
        totals = self.totals
        sectors = totals.global_load_sectors + totals.global_store_sectors + totals.async_copy_sectors
        return sectors / self.requests if self.requests else math.nan


def traffic_of(traces: Sequence[TraceRun]) -> tuple[Traffic, ...]:
    """One for each recording; equal kernels with equal parameters and size are numbered from the second."""
    seen: Counter[tuple[object, ...]] = Counter()
    found = []
    for run in traces:
        key = (run.spec.kernel, run.spec.params, run.spec.shape)
        seen[key] += 1
        name = run.spec.kernel if seen[key] == 1 else f"{run.spec.kernel} #{seen[key]}"
        found.append(Traffic(run, name, totals_of(run)))
    return tuple(found)


def traffic_figure(traces: Sequence[TraceRun]) -> Figure:
    """Grouped bars on a linear axis; a recording of some blocks only has no ideal to be held against."""
    found = traffic_of(traces)
    whole = [place for place, one in enumerate(found) if one.is_whole]
    everywhere = list(range(len(found)))
    series = drawn(
        (
            _bars(Look.ASKED, "asked", everywhere, [one.totals.bytes_asked for one in found], -0.26),
            _bars(Look.FETCHED, "fetched", everywhere, [one.totals.bytes_fetched for one in found], 0.0),
            _bars(Look.IDEAL, "ideal", whole, [found[place].totals.bytes_ideal for place in whole], 0.26),
        )
    )
    low, high = padded_range(extent(series), is_log=False)
    shapes = {one.run.spec.shape for one in found}
    names = _names_of([one.run.device for one in found])
    partial = ("partial recordings show no ideal, because the ideal covers the whole product",)
    engine = ("what the copy engine reads is in the bars, but makes no requests, so it is not in sectors/request",)
    return Figure(
        title="Bytes asked, fetched, ideal",
        evidence=Evidence.RECORDED,
        empty=NO_TRACES,
        axis=Axis("global memory, reads and writes", Quantity.BYTES, low, high),
        rows=tuple(_row(one, len(shapes) > 1, names) for one in found),
        series=series,
        notes=(
            *_where([str(shape) for shape in shapes], traces),
            *(partial if len(whole) < len(found) else ()),
            *(engine if any(one.totals.copy_engine_bytes for one in found) else ()),
            "asked: distinct bytes of each warp request; fetched: 32 for each sector sent (both from the addresses); "
            "ideal: A and B read once, C written once (derived from the size)",
        ),
        heads=("recording", "fetched"),
    )


def traffic_table(traces: Sequence[TraceRun]) -> PlotTable:
    """The plotted bytes, with requests and sectors of global memory."""
    rows = []
    for number, one in enumerate(traffic_of(traces)):
        spec, totals = one.run.spec, one.totals
        values = (
            number, spec.kernel, format_params(spec.params), spec.shape.m, spec.shape.n, spec.shape.k,
            one.run.device.id, one.run.blocks_recorded, one.run.blocks_in_grid, totals.bytes_asked,
            totals.bytes_fetched, totals.bytes_ideal if one.is_whole else math.nan, totals.global_load_requests,
            totals.global_load_sectors, totals.global_store_requests, totals.global_store_sectors,
            totals.async_copy_requests, totals.async_copy_sectors, one.sectors_per_request,
            *place_cells(one.run.device, one.run.finished),
        )  # fmt: skip
        rows.append(dict(zip(_COLUMNS, values, strict=True)))
    return PlotTable(NAME, _COLUMNS, tuple(rows))


def _bars(look: Look, words: str, places: Sequence[int], values: Sequence[int], shift: float) -> Series:
    return Series(
        look, words, Form.BARS, np.array(places, np.intp), np.array(values, np.float64), shift=shift, thickness=0.2
    )


def _where(sizes: Sequence[str], traces: Sequence[TraceRun]) -> tuple[str, ...]:
    """On which devices, and at which size if all have the same; else it stands in their rows."""
    size = f", at {sizes[0]}" if len(sizes) == 1 else ""
    return tuple(f"{words}{size}" for words in recorded_on(traces))


def _names_of(devices: Sequence[Device]) -> dict[str, str]:
    """What each device is called in its rows, by its id: by its name, unless another has the same; {} for just one."""
    known = {device.id: device for device in devices}
    names = Counter(device.short_name for device in known.values())
    if len(known) == 1:
        return {}
    return {key: key if names[one.short_name] > 1 else one.short_name for key, one in known.items()}


def _row(one: Traffic, with_size: bool, names: Mapping[str, str]) -> Row:
    run, totals = one.run, one.totals
    blocks = f"{figures.count(run.blocks_recorded)} of {figures.count(run.blocks_in_grid)} blocks"
    parts = (
        str(run.spec.shape) if with_size else "", names.get(run.device.id, ""),
        "" if one.is_whole else blocks, format_params(run.spec.params),
    )  # fmt: skip
    per_request = "" if math.isnan(one.sectors_per_request) else f"{one.sectors_per_request:.2f} sectors/request"
    if one.is_whole and totals.bytes_ideal:
        held = f"{figures.number(totals.bytes_fetched / totals.bytes_ideal)} times the ideal"
        ideal = f"ideal {figures.count(totals.bytes_ideal)} bytes, fetched {held} (derived)"
    else:
        ideal = "no ideal: it covers the whole product, and only some blocks were recorded"
    params = f"   {format_params(run.spec.params)}" if run.spec.params else ""
    return Row(
        name=one.name,
        detail=" · ".join(part for part in parts if part),
        value=figures.size(totals.bytes_fetched),
        note=per_request,
        tooltip=(
            f"{one.name}{params}\n{run.spec.shape}, {blocks}, recorded on {place_words(run.device, run.finished)}\n"
            f"asked {figures.count(totals.bytes_asked)} bytes (recorded)\n"
            f"fetched {figures.count(totals.bytes_fetched)} bytes (derived)\n{ideal}\n"
            f"loads: {figures.count(totals.global_load_requests)} requests, "
            f"{figures.count(totals.global_load_sectors)} sectors (recorded)\n"
            f"stores: {figures.count(totals.global_store_requests)} requests, "
            f"{figures.count(totals.global_store_sectors)} sectors (recorded)"
            f"{_copies(totals)}"
        ),
        tone=Tone.PLAIN if one.is_whole else Tone.OPEN,
    )


def _copies(totals: Totals) -> str:
    """The lines of a tooltip for what is neither a load nor a store; "" where there is nothing of that kind."""
    words = ""
    if totals.async_copy_requests:
        words += (
            f"\nasynchronous copies: {figures.count(totals.async_copy_requests)} requests, "
            f"{figures.count(totals.async_copy_sectors)} sectors (recorded)"
        )
    if totals.copy_engine_bytes:
        words += f"\ncopy engine: {figures.count(totals.copy_engine_bytes)} bytes read, no requests (recorded)"
    return words
