"""The figure of traffic: bytes asked for, moved and ideal, of each recording or per multiply-add. No Qt."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain import figures
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.listing import listed
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.hazard import gravest_fault
from gemmviz.domain.recordings.multiply_adds import multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.terms import CodeForm, Evidence
from gemmviz.explain.figures.circumstances import subtitle_of
from gemmviz.explain.figures.device_names import device_names
from gemmviz.explain.figures.distinctions import BETWEEN
from gemmviz.explain.figures.figure import Axis, Edge, Figure, Form, Look, Quantity, Row, Series, Side, Tone
from gemmviz.explain.figures.marks import drawn
from gemmviz.explain.figures.scales import needs_log
from gemmviz.explain.figures.ticks import padded_range, round_up
from gemmviz.explain.figures.traffic.fewest_bytes import fewest_bytes_words
from gemmviz.explain.figures.traffic.others import NOT_SHOWN
from gemmviz.explain.figures.traffic.recorded import Traffic, traffic_of
from gemmviz.explain.figures.traffic.result_share import result_share_words
from gemmviz.explain.figures.traffic.units import AXIS_WORDS, SHORT_WORDS, Per, value_words, why_no_bytes
from gemmviz.explain.runs.provenance import recorded_on
from gemmviz.explain.runs.recorded_extent import blocks_words
from gemmviz.trace.counts.totals import Totals

NO_TRACES = "Nothing is recorded yet. Choose a kernel and a size, then press Record."
_PARTIAL = (
    "figures in grey are of some blocks, not of the whole grid: compare them with those of a whole grid only per "
    "multiply-add; they show no ideal, because the ideal covers the whole product"
)
_ENGINE = "bytes read by the TMA are in the bars, but not in sectors/request, because the TMA makes no warp requests"
_MEANING = "asked: distinct bytes of each warp request; moved: 32 bytes for each sector read or written"
_USED = "used: asked bytes / moved bytes"
_IDEAL = "ideal: read A and B once (and C where it is added), write the result once; derived from the size"
_SERIES = (
    (Look.ASKED, "asked: distinct bytes that warps ask for"),
    (Look.MOVED, "moved: in sectors of 32 bytes"),
    (Look.IDEAL, "ideal: each matrix once"),
)
_FEWER = "fewer sectors/request are better: all requests here ask for about as many bytes, so less memory is moved"
_WIDTHS = "more % used is better: fewer of the moved bytes are wasted"
"""Where requests ask for different numbers of bytes: their sectors per request do not compare."""
_ALIKE = 0.1
"""So much may bytes per request differ and be called about equally many."""
_SMALL = "C in one block"
_ONE_BLOCK = f"{_SMALL}: one block makes all of C, so bytes are ideal; larger products have more blocks and move more"
_UNITS = {
    Per.MULTIPLY_ADD: "bytes are divided by the multiply-adds of the product that the recorded blocks do",
    Per.ELEMENT: "bytes are divided by the elements of C that the recorded blocks make",
}
_APART, _NEAR = 0.26, 0.03
"""Between the marks of a row, in rows, and how near dots are that would cover each other, in lengths of the axis."""
NOT_KNOWN = "multiply-adds not known"


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
    high = high if is_log else round_up(low, high)
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
    circumstances = [_circumstances(one, devices, with_size=has_sizes) for one in found]
    alone = _names_alone(found, circumstances)
    of_result = result_share_words(list(zip(alone, (one.run for one in found), strict=True)))
    with_sectors = _WIDTHS not in compared
    has_compiled = any(one.run.form is CodeForm.AS_COMPILED for one in found)
    return Figure(
        title="Global memory traffic" + (f", {SHORT_WORDS[per]}" if SHORT_WORDS[per] else ""),
        subtitle=subtitle_of(traces),
        evidence=Evidence.RECORDED,
        empty=NO_TRACES,
        axis=_axis(per, low, high, is_log),
        rows=tuple(
            _row(one, values[1], per, detail, has_compiled, with_sectors=with_sectors, with_blocks=bool(of_part))
            for one, values, detail in zip(found, bytes_of, circumstances, strict=True)
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
                [(name, one.run, values[1]) for name, one, values in zip(alone, found, bytes_of, strict=True)], per
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


def _axis(per: Per, low: float, high: float, is_log: bool) -> Axis:
    words = AXIS_WORDS[per] + (", logarithmic" if is_log else "")
    return Axis(
        words, Quantity.BYTES if per is Per.RECORDING else Quantity.PLAIN, low, high, is_log, has_end=not is_log
    )


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


def _circumstances(one: Traffic, devices: Mapping[str, str], *, with_size: bool) -> str:
    """What tells a recording from the others beside its name; the parameters as in a row of times."""
    run = one.run
    parts = (
        run.spec.shape.words if with_size else "",
        format_params(run.spec.params),
        devices.get(run.device.id, ""),
    )
    return BETWEEN.join(filter(None, parts))


def _names_alone(found: Sequence[Traffic], circumstances: Sequence[str]) -> list[str]:
    """The names in a sentence, where nothing stands beside them: one that several have with what tells them apart."""
    several = Counter(one.name for one in found)
    return [
        BETWEEN.join(filter(None, (one.name, detail, "" if one.is_whole else blocks_words(one.run))))
        if several[one.name] > 1
        else one.name
        for one, detail in zip(found, circumstances, strict=True)
    ]


def _row(
    one: Traffic, moved: float, per: Per, detail: str, with_form: bool, *, with_sectors: bool, with_blocks: bool
) -> Row:
    """`with_blocks`: how much of the grid it is of, because some recordings are of a part of it."""
    run, totals, title = one.run, one.totals, kernel_name(one.run.spec.kernel).title
    blocks = f"{figures.count(run.blocks_recorded)} of {figures.count(run.blocks_in_grid)} blocks"
    extent = blocks_words(run) if with_blocks else ""
    sectors = totals.sectors_per_request
    per_request = f"{sectors:.2f} sectors/request" if with_sectors and not math.isnan(sectors) else ""
    used = f"{figures.percent(totals.bytes_asked / totals.bytes_moved, 2)} used" if totals.bytes_moved else ""
    if totals.bytes_ideal:
        held = f"{figures.number(totals.bytes_moved / totals.bytes_ideal)} times the ideal"
        ideal = f"ideal {figures.count(totals.bytes_ideal)} bytes, moved {held} (derived)"
    else:
        ideal = "no ideal: it covers the whole product, and only some blocks were recorded"
    fault, hazards, by_size = gravest_fault(run.hazards), "", _SMALL if one.is_ideal_by_size else ""
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
        detail=detail,
        value="" if math.isnan(moved) else value_words(moved, per),
        note=BETWEEN.join(filter(None, (fault, by_size or extent, per_request, used))),
        flag=BETWEEN.join(filter(None, (fault, by_size or extent))),
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
