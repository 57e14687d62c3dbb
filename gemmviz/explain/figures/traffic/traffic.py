"""The figure of traffic: bytes asked for, moved and ideal, of each recording or per multiply-add. No Qt."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain import figures
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.listing import listed
from gemmviz.domain.places import PLACE_COLUMNS, place_cells, place_words
from gemmviz.domain.recordings.access import adds_to_c
from gemmviz.domain.recordings.hazard import gravest_fault
from gemmviz.domain.recordings.multiply_adds import elements_of_c, is_complete, multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.terms import CodeForm, Evidence
from gemmviz.explain.figures.circumstances import subtitle_of
from gemmviz.explain.figures.device_names import device_names
from gemmviz.explain.figures.figure import Axis, Edge, Figure, Form, Look, PlotTable, Quantity, Row, Series, Side, Tone
from gemmviz.explain.figures.marks import drawn
from gemmviz.explain.figures.scales import needs_log
from gemmviz.explain.figures.ticks import padded_range
from gemmviz.explain.figures.traffic.fewest_bytes import fewest_bytes_words
from gemmviz.explain.figures.traffic.others import NOT_SHOWN
from gemmviz.explain.figures.traffic.result_share import result_share_words
from gemmviz.explain.figures.traffic.units import AXIS_WORDS, SHORT_WORDS, Per, divisor, value_words, why_no_bytes
from gemmviz.explain.runs.provenance import recorded_on
from gemmviz.trace.counts.totals import Totals
from gemmviz.trace.explain import totals_of

NAME = "traffic"
NO_TRACES = "Nothing is recorded yet. Choose a kernel and a size, then press Record."
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
_PARTIAL = "partial recordings show no ideal, because the ideal covers the whole product; their figures are grey"
_ENGINE = "bytes read by the TMA are in the bars, but not in sectors/request, because the TMA makes no warp requests"
_MEANING = "asked: distinct bytes of each warp request; moved: 32 bytes for each sector read or written"
_USED = "used: asked / moved"
_IDEAL = "ideal: read A and B once (and C where it is added), write the result once; derived from the size"
_SERIES = (
    (Look.ASKED, "asked: distinct bytes that warps ask for"),
    (Look.MOVED, "moved: in sectors of 32 bytes"),
    (Look.IDEAL, "ideal: each matrix once"),
)
_FEWER = "fewer sectors/request are better: less memory is moved, as requests ask for about equally many bytes here"
_WIDTHS = "more % used is better: of the moved bytes fewer are wasted"
"""Where requests ask for different numbers of bytes: their sectors per request do not compare."""
_ALIKE = 0.1
"""So much may bytes per request differ and be called about equally many."""
ONE_BLOCK = "one block"
_ONE_BLOCK = f"{ONE_BLOCK} makes all of C there, so bytes are ideal; larger products have more blocks and move more"
_AT_IDEAL = 1.01  # times the ideal
_UNITS = {
    Per.MULTIPLY_ADD: "bytes are divided by the multiply-adds of the product that the recorded blocks do",
    Per.ELEMENT: "bytes are divided by the elements of C that the recorded blocks make",
}
_APART, _NEAR = 0.26, 0.03
"""Between the marks of a row, in rows, and how near dots are that would cover each other, in lengths of the axis."""
NOT_KNOWN = "multiply-adds not known"


@dataclass(frozen=True, slots=True, eq=False)
class Traffic:
    """A recording's name among the others, its kernel's version, "" where that has one text only, and totals."""

    run: TraceRun
    name: str
    version_number: str
    totals: Totals

    @property
    def is_whole(self) -> bool:
        return is_complete(self.run)

    @property
    def is_ideal_by_size(self) -> bool:
        """Whether the ideal is reached because the product is so small that one block makes all of it."""
        ideal = self.totals.bytes_ideal
        return self.run.blocks_in_grid == 1 and bool(ideal) and self.totals.bytes_moved <= _AT_IDEAL * (ideal or 0)

    def per(self, per: Per) -> tuple[float, float, float]:
        """Bytes asked, moved and ideal; nan where the recording does not tell, and for the ideal of a part."""
        by, totals = divisor(self.run, per), self.totals
        ideal = math.nan if totals.bytes_ideal is None else totals.bytes_ideal
        asked, moved, ideal = (
            nbytes / by if by else math.nan for nbytes in (totals.bytes_asked, totals.bytes_moved, ideal)
        )
        return asked, moved, ideal


def ideal_words(trace: TraceRun) -> str:
    """Which bytes of a kernel are its ideal: "A and B read once, C written once"."""
    has_d = any(array.name == "D" for array in trace.arrays)
    read = "A, B and C" if has_d or adds_to_c(trace.spec.computes) else "A and B"
    return f"{read} read once, {'D' if has_d else 'C'} written once"


def traffic_of(traces: Sequence[TraceRun], names: VersionNames | None = None) -> tuple[Traffic, ...]:
    """One for each recording. That of a version of a kernel says which; equal kernels with equal parameters, size, form
    and version are numbered from the second. `names` are those of a session's versions; without them the different
    texts of these recordings count as such.
    """
    known = names or VersionNames(traces=tuple(traces))
    seen: Counter[tuple[object, ...]] = Counter()
    found = []
    for run in traces:
        version = known.of_recording(run)
        key = (run.spec.kernel, run.spec.params, run.spec.shape, run.form, version)
        seen[key] += 1
        name = " · ".join(filter(None, (run.spec.kernel, version)))
        found.append(
            Traffic(
                run, name if seen[key] == 1 else f"{name} #{seen[key]}", known.number_of_recording(run), totals_of(run)
            )
        )
    return tuple(found)


def traffic_figure(
    traces: Sequence[TraceRun], per: Per = Per.MULTIPLY_ADD, others: str = "", names: VersionNames | None = None
) -> Figure:
    """Grouped bars from 0, or dots on a logarithmic axis where recordings lie far apart.

    Recordings that cannot be compared byte by byte are shown per multiply-add whatever `per` says; one of some blocks
    has no ideal to be held against. `others` says how many are not among them (`others_words`). `names` are those of
    versions.
    """
    per = Per.MULTIPLY_ADD if per is Per.RECORDING and why_no_bytes(traces) else per
    found = traffic_of(traces, names)
    bytes_of = [one.per(per) for one in found]
    is_log = needs_log(value for values in bytes_of for value in values)
    form = Form.DOTS if is_log else Form.BARS  # a bar's length means something only from 0 on
    low, high = padded_range([value for values in bytes_of for value in values], is_log)
    shifts = [_shifts(values, (low, high), is_log) for values in bytes_of]
    series = drawn(
        _marks(look, words, form, [(values[nth], where[nth]) for values, where in zip(bytes_of, shifts, strict=True)])
        for nth, (look, words) in enumerate(_SERIES)
    )
    has_sizes = len({one.run.spec.shape for one in found}) > 1
    devices = device_names(one.run.device for one in found)
    compared = _compared_words([one.totals for one in found])
    of_part = (_PARTIAL,) if not all(one.is_whole for one in found) else ()
    of_one_block = (_ONE_BLOCK,) if any(one.is_ideal_by_size for one in found) else ()
    of_result = result_share_words([(one.name, one.run) for one in found])
    with_sectors = _WIDTHS not in compared
    has_compiled = any(one.run.form is CodeForm.AS_COMPILED for one in found)
    return Figure(
        title="Global memory traffic" + (f", {SHORT_WORDS[per]}" if SHORT_WORDS[per] else ""),
        subtitle=subtitle_of(traces),
        evidence=Evidence.RECORDED,
        empty=NO_TRACES,
        axis=_axis(per, low, high, is_log),
        rows=tuple(
            _row(one, values[1], per, has_sizes, devices, has_compiled, with_sectors=with_sectors)
            for one, values in zip(found, bytes_of, strict=True)
        ),
        series=series,
        edges=tuple(
            Edge(place, Side.LOW, NOT_KNOWN, Look.MOVED)
            for place, values in enumerate(bytes_of)
            if math.isnan(values[1])
        ),
        notes=(
            *((f"{others} {NOT_SHOWN}",) if others else ()),
            *fewest_bytes_words(
                [(one.name, one.run, values[1]) for one, values in zip(found, bytes_of, strict=True)], per
            ),
            *recorded_on(traces),
            *of_part,
            *((_UNITS[per],) if per in _UNITS else ()),
            *((_ENGINE,) if with_sectors and any(one.totals.copy_engine_bytes for one in found) else ()),
            *of_one_block,
            *compared,
            *of_result,
            _MEANING,
            _USED,
            *((_IDEAL,) if any(one.look is Look.IDEAL for one in series) else ()),
        ),
        essential=(*of_one_block, *of_part, *compared, *of_result, _MEANING),
        heads=("recording", "moved"),
    )


def _compared_words(found: Sequence[Totals]) -> tuple[str, ...]:
    """What tells which kernel's requests are better where they differ in sectors; nothing where they do not."""
    asking = [one for one in found if one.global_requests]
    sectors = [one.sectors_per_request for one in asking]
    if len({f"{value:.2f}" for value in sectors}) < 2:
        return ()
    widths = [one.bytes_asked / one.global_requests for one in asking]
    has_engine = any(one.copy_engine_bytes for one in asking)
    return (_FEWER if not has_engine and max(widths) <= min(widths) * (1 + _ALIKE) else _WIDTHS,)


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


def _axis(per: Per, low: float, high: float, is_log: bool) -> Axis:
    words = AXIS_WORDS[per] + (", logarithmic" if is_log else "")
    return Axis(words, Quantity.BYTES if per is Per.RECORDING else Quantity.PLAIN, low, high, is_log)


def _marks(look: Look, words: str, form: Form, marks: Sequence[tuple[float, float]]) -> Series:
    """Of each row a value and its place within the row; none where the value is not known."""
    known = [place for place, (value, _) in enumerate(marks) if not math.isnan(value)]
    values, shifts = (np.array([marks[place][nth] for place in known], np.float64) for nth in (0, 1))
    return Series(look, words, form, np.array(known, np.intp), values, thickness=0.2, shifts=shifts)


def _shifts(values: Sequence[float], axis: tuple[float, float], is_log: bool) -> list[float]:
    """Where the marks of a row stand within it: bars below each other around its middle; dots in the middle, those
    that would cover each other around it. nan for a value that is not known.
    """
    length = math.log10(axis[1] / axis[0]) if is_log else 0.0
    shifts = [math.nan] * len(values)
    for nth, value in enumerate(values):
        near = [
            other
            for other, against in enumerate(values)
            if not math.isnan(against)
            and (not is_log or min(value, against) <= 0 or abs(math.log10(value / against)) < _NEAR * length)
        ]
        if nth in near:
            shifts[nth] = _APART * (near.index(nth) - (len(near) - 1) / 2)
    return shifts


def _row(
    one: Traffic,
    moved: float,
    per: Per,
    with_size: bool,
    names: Mapping[str, str],
    with_form: bool,
    *,
    with_sectors: bool,
) -> Row:
    run, totals, title = one.run, one.totals, kernel_name(one.run.spec.kernel).title
    blocks = f"{figures.count(run.blocks_recorded)} of {figures.count(run.blocks_in_grid)} blocks"
    parts = (
        run.spec.shape.words if with_size else "",
        format_params(run.spec.params),
        "" if one.is_whole else blocks,
        names.get(run.device.id, ""),
    )
    sectors = totals.sectors_per_request
    per_request = f"{sectors:.2f} sectors/request" if with_sectors and not math.isnan(sectors) else ""
    used = f"{figures.percent(totals.bytes_asked / totals.bytes_moved, 2)} used" if totals.bytes_moved else ""
    if totals.bytes_ideal:
        held = f"{figures.number(totals.bytes_moved / totals.bytes_ideal)} times the ideal"
        ideal = f"ideal {figures.count(totals.bytes_ideal)} bytes, moved {held} (derived)"
    else:
        ideal = "no ideal: it covers the whole product, and only some blocks were recorded"
    fault, hazards, by_size = gravest_fault(run.hazards), "", ONE_BLOCK if one.is_ideal_by_size else ""
    if run.hazards:
        kinds = listed([*dict.fromkeys(hazard.kind.words for hazard in run.hazards)])
        hazards = f"{figures.counted(len(run.hazards), 'hazard')}: {kinds} (recorded)\n"
    params = f"   {format_params(run.spec.params)}" if run.spec.params else ""
    head = f"{one.name} · {title}{params}" if title else f"{one.name}{params}"
    return Row(
        name=one.name,
        recording=run,
        title=title,
        beside=str(run.form) if with_form else "",
        detail=" · ".join(part for part in parts if part),
        value="" if math.isnan(moved) else value_words(moved, per),
        note=" · ".join(filter(None, (fault, by_size, per_request, used))),
        flag=" · ".join(filter(None, (fault, by_size))),
        tooltip=(
            f"{head}\n{hazards}{run.spec.shape.words}, {blocks}, "
            f"{run.recorded_words} on {place_words(run.device, run.finished)}\n"
            f"{_divided(one)}"
            f"asked {figures.count(totals.bytes_asked)} bytes (recorded)\n"
            f"moved {figures.count(totals.bytes_moved)} bytes (derived)\n{ideal}\n"
            f"loads: {figures.counted(totals.global_load_requests, 'request')}, "
            f"{figures.counted(totals.global_load_sectors, 'sector')} (recorded)\n"
            f"stores: {figures.counted(totals.global_store_requests, 'request')}, "
            f"{figures.counted(totals.global_store_sectors, 'sector')} (recorded)"
            f"{_copies(totals)}"
        ),
        tone=Tone.WRONG if fault else Tone.PLAIN if one.is_whole else Tone.OPEN,
    )


def _divided(one: Traffic) -> str:
    """A line of a tooltip: the bytes moved for each multiply-add and each element of C."""
    terms = multiply_adds_of(one.run)
    if terms is None:
        return f"{NOT_KNOWN}: not all recorded blocks were kept\n"
    per_term, per_element = one.per(Per.MULTIPLY_ADD)[1], one.per(Per.ELEMENT)[1]
    return (
        f"{figures.count(terms)} multiply-adds: {figures.number(per_term)} bytes moved for each, "
        f"{figures.number(per_element)} for each element of C (derived)\n"
    )


def _copies(totals: Totals) -> str:
    """The lines of a tooltip for what is neither a load nor a store; "" where there is nothing of that kind."""
    words = ""
    if totals.global_atomic_requests:
        words += (
            f"\natomic operations: {figures.counted(totals.global_atomic_requests, 'request')}, "
            f"{figures.counted(totals.global_atomic_sectors, 'sector')} (recorded)"
        )
    if totals.async_copy_requests:
        words += (
            f"\nasynchronous copies: {figures.counted(totals.async_copy_requests, 'request')}, "
            f"{figures.counted(totals.async_copy_sectors, 'sector')} (recorded)"
        )
    if totals.copy_engine_bytes:
        words += f"\nTMA: {figures.count(totals.copy_engine_bytes)} bytes read, no requests (recorded)"
    return words
