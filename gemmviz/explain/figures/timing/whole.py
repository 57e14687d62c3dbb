"""The figure of whole runs: A and B in, the kernel, launching and waiting, C out, stacked up to the median. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.runs.moved import gb_per_s, gb_per_s_words, moved_bytes
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.whole_runs import WholeTime
from gemmviz.domain.runs.whole_words import (
    MEANING,
    PARTS,
    PARTS_UNKNOWN,
    PINNED_COLUMNS,
    WHOLE_COLUMNS,
    difference,
    difference_words,
    differences_note,
    parts_notes,
    spread_words,
    whole_cells,
)
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.circumstances import subtitle_of
from gemmviz.explain.figures.figure import Axis, Edge, Figure, Form, Look, PlotTable, Quantity, Row, Series
from gemmviz.explain.figures.marks import SeriesMarks, drawn, edge_of, extent
from gemmviz.explain.figures.run_facts import (
    NO_RUNS,
    RUN_COLUMNS,
    WRONG_RESULT,
    RunFacts,
    distinct_names,
    facts_of,
    is_doubt_of_samples,
    notes_of,
)
from gemmviz.explain.figures.scales import needs_log
from gemmviz.explain.figures.ticks import padded_range
from gemmviz.explain.figures.timing.fastest import fastest_whole_words

NAME = "end_to_end_time"
TITLE = "End-to-end time, part by part"
SHARES = "each row has its own scale, because the times differ too much for one axis"
_RATE_COLUMNS = ("in_gb_per_s", "out_gb_per_s", "in_pinned_gb_per_s", "out_pinned_gb_per_s")
_COLUMNS = (*RUN_COLUMNS, *WHOLE_COLUMNS, *PINNED_COLUMNS, *_RATE_COLUMNS)
_KERNELS = {Look.GPU: "GPU kernel", Look.CPU: "CPU kernel", Look.WRONG: f"kernel with a {WRONG_RESULT}"}
_UP, _DOWN = -0.12, 0.24
"""Where the bars of a row with two kinds of transfers stand."""

Stack = NDArray[np.float64]
"""Shape (rows, 4): the parts of each row's bar in their order."""


def whole_time_figure(runs: Sequence[RunResult]) -> Figure:
    """Stacked bars of the parts of the median end-to-end run, up to its time; shares of it where runs lie far apart."""
    facts = facts_of(runs)
    wholes, pinned = ([fact.run.timing.whole for fact in facts], [fact.run.timing.pinned for fact in facts])
    reasons = [difference(fact.run.timing, whole, _quartiles(fact)) for fact, whole in zip(facts, wholes, strict=True)]
    is_shares = needs_log(whole.median for whole in wholes)
    series = _series(facts, wholes, pinned, is_shares)
    unit = figures.time_unit(whole.median for whole in wholes)
    if is_shares:
        axis = Axis("share of the end-to-end time in %", Quantity.PERCENT, -2.0, max([102.0, *extent(series)]))
    else:
        _, high = padded_range(extent(series), is_log=False)
        axis = Axis("end-to-end time", Quantity.TIME, -0.02 * high, high, unit=unit)
    return Figure(
        title=TITLE,
        evidence=Evidence.MEASURED,
        empty=NO_RUNS,
        axis=axis,
        rows=tuple(row[0].marked(_row(*row, unit)) for row in zip(facts, wholes, pinned, reasons, strict=True)),
        series=series,
        edges=tuple(_unknown(wholes)),
        notes=(
            *fastest_whole_words(facts, unit),
            *(note for note in notes_of(facts) if not is_doubt_of_samples(note)),
            *((SHARES,) if is_shares else ()),
            MEANING,
            *parts_notes(wholes),
            *filter(None, [differences_note(reasons, distinct_names(facts))]),
        ),
        essential=(SHARES,) if is_shares else (),
        subtitle=subtitle_of(runs),
        heads=("kernel", "end to end"),
    )


def whole_time_table(runs: Sequence[RunResult]) -> PlotTable:
    """The plotted times in ms, and how fast the transfers were."""
    rows = []
    for fact in facts_of(runs):
        timing = fact.run.timing
        values = (*whole_cells(timing.whole), *whole_cells(timing.pinned), *_rate_cells(fact.run))
        rows.append(fact.identity | dict(zip(_COLUMNS[len(RUN_COLUMNS) :], values, strict=True)))
    return PlotTable(NAME, _COLUMNS, tuple(rows))


def _rate_cells(run: RunResult) -> tuple[float | str, ...]:
    """Rates in the order of _RATE_COLUMNS; "" where nothing was timed."""
    to_device, back = moved_bytes(run)
    return tuple(
        gb_per_s(nbytes, ms) or ""
        for whole in (run.timing.whole, run.timing.pinned)
        for nbytes, ms in ((to_device, whole.in_ms), (back, whole.out_ms))
    )


def _unknown(wholes: Sequence[WholeTime]) -> list[Edge]:
    """End-to-end times that are no number, at the edge of the axis."""
    edges = []
    for place, whole in enumerate(wholes):
        edge = edge_of(place, whole.median, False, Look.WHOLE) if whole.n else None
        if edge:
            edges.append(Edge(place, edge.side, f"end to end {edge.words}", Look.WHOLE))
    return edges


def _quartiles(fact: RunFacts) -> tuple[float, float, float]:
    """Of the kernel's own samples, in ms."""
    return fact.device_ms.first, fact.device_ms.median, fact.device_ms.third


def _series(
    facts: Sequence[RunFacts], wholes: Sequence[WholeTime], of_pinned: Sequence[WholeTime], is_shares: bool
) -> tuple[Series, ...]:
    pageable, pinned = _stacks(wholes, of_pinned, is_shares)
    of_kernel = {look: np.array([fact.look is look for fact in facts], bool) for look in _KERNELS}
    everywhere = np.ones(len(facts), bool)
    up = np.where(pinned.any(axis=1), _UP, 0.0)
    bars = [
        _bars(look, words, pageable, part, where, up)
        for look, words, part, where in (
            (Look.MOVED_IN, "in", 0, everywhere),
            *((look, words, 1, of_kernel[look]) for look, words in _KERNELS.items()),
            (Look.WAITING, PARTS[2], 2, everywhere),
            (Look.MOVED_OUT, "out", 3, everywhere),
        )
    ]
    down = np.full(len(facts), _DOWN)
    bars += [
        _bars(look, words, pinned, part, everywhere, down, 0.16)
        for look, words, part in (
            (Look.PINNED_IN, "thin: copied through page-locked (pinned) memory", 0),
            (Look.PINNED_KERNEL, "", 1),
            (Look.PINNED_WAITING, "", 2),
            (Look.PINNED_OUT, "", 3),
        )
    ]
    if is_shares:
        return drawn(bars)
    median = SeriesMarks(Look.WHOLE, "median and interquartile range (IQR)", False, [])
    for place, whole in enumerate(wholes):
        if math.isfinite(whole.median):
            median.add(place, whole.median, *whole.error_bar)
    return drawn([*bars, _at(median.series(), up)])


def _at(series: Series, offsets: NDArray[np.float64]) -> Series:
    """The marks on the bars of ordinary memory."""
    return Series(
        series.look,
        series.words,
        series.form,
        series.places,
        series.values,
        series.low,
        series.high,
        offsets=offsets[series.places],
    )


def _stacks(wholes: Sequence[WholeTime], pinned: Sequence[WholeTime], is_shares: bool) -> tuple[Stack, Stack]:
    """In ms, or in per cent of the end-to-end time from ordinary memory. A run with an unknown part has no bar."""
    stacks = []
    for kind in (wholes, pinned):
        times: Stack = np.array([whole.parts for whole in kind], np.float64).reshape(-1, len(PARTS))
        stacks.append(np.where(np.isfinite(times).all(axis=1, keepdims=True), times, 0.0))
    if is_shares:
        total = stacks[0].sum(axis=1, keepdims=True)
        stacks = [np.divide(100.0 * stack, total, out=np.zeros_like(stack), where=total > 0) for stack in stacks]
    return stacks[0], stacks[1]


def _bars(
    look: Look,
    words: str,
    stack: Stack,
    part: int,
    where: NDArray[np.bool_],
    offsets: NDArray[np.float64],
    thickness: float = 0.4,
) -> Series:
    """One part of the bars of all rows that have it."""
    places = np.flatnonzero(where & (stack[:, part] > 0))
    ends = stack[:, : part + 1].sum(axis=1)[places]
    starts = stack[:, :part].sum(axis=1)[places]
    return Series(look, words, Form.BARS, places, ends, start=starts, thickness=thickness, offsets=offsets[places])


def _row(fact: RunFacts, whole: WholeTime, pinned: WholeTime, reason: str, unit: str) -> Row:
    timing = fact.run.timing
    time = figures.milliseconds
    median = time(whole.median, unit) if math.isfinite(whole.median) else "unknown"
    parts = ", ".join(f"{name} {time(ms, unit)}" for name, ms in zip(PARTS, whole.parts, strict=True))
    spread = "" if whole.is_estimate else spread_words(whole, unit)
    kind = Evidence.DERIVED if whole.is_estimate else Evidence.MEASURED
    lines = (
        fact.heading,
        f"end to end {median}, {spread_words(whole, unit)} (measured)",
        PARTS_UNKNOWN if whole.are_parts_unknown else f"{parts} ({kind})" if whole.n else "",
        _rates(fact.run, whole),
        _pinned(fact.run, pinned),
        difference_words(whole.kernel_ms, fact.device_ms.median, reason),
        f"first launch {time(timing.first_launch_ms)}, build {time(timing.compile_ms)} (measured)",
    )
    return Row(
        name=fact.name,
        title=fact.title,
        detail=fact.detail,
        beside=fact.size,
        value=median,
        note=" · ".join(filter(None, (_kernel_words(whole), spread))),
        tooltip="\n".join(filter(None, lines)),
    )


def _kernel_words(whole: WholeTime) -> str:
    """The kernel's share of the end-to-end time; "" without one."""
    share = whole.kernel_ms / whole.median if whole.median > 0 else math.nan
    if not math.isfinite(share):
        return PARTS_UNKNOWN if whole.are_parts_unknown else ""
    return f"kernel {'≈ ' if whole.is_estimate else ''}{figures.percent(share)}"


def _rates(run: RunResult, whole: WholeTime) -> str:
    """A line of a tooltip: how fast the transfers were; "" where they took no time."""
    to_device, back = moved_bytes(run)
    if not (whole.in_ms > 0 and whole.out_ms > 0):
        return ""
    return f"in at {gb_per_s_words(to_device, whole.in_ms)}, out at {gb_per_s_words(back, whole.out_ms)} (derived)"


def _pinned(run: RunResult, pinned: WholeTime) -> str:
    """A line of a tooltip: transfers from page-locked memory; "" where they were not timed."""
    to_device, back = moved_bytes(run)
    if not pinned.n:
        return ""
    moved_in, moved_out = (figures.milliseconds(ms) for ms in (pinned.in_ms, pinned.out_ms))
    whole = "" if pinned.is_estimate else f", end to end {figures.milliseconds(pinned.median)}, {spread_words(pinned)}"
    return (
        f"page-locked: in {moved_in} at {gb_per_s_words(to_device, pinned.in_ms)}, "
        f"out {moved_out} at {gb_per_s_words(back, pinned.out_ms)}{whole}"
    )
