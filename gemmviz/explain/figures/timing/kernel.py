"""The figure of kernel times: one row for each run, error bars from quartile to quartile. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gemmviz.domain import figures
from gemmviz.domain.runs.doubts import NOISY, TIME_RAN_OUT
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.roof import Roofs, newest_roofs
from gemmviz.domain.terms import Evidence, Verdict
from gemmviz.explain.figures.circumstances import subtitle_of_times
from gemmviz.explain.figures.figure import (
    Axis,
    BarLabel,
    Edge,
    Figure,
    Form,
    Look,
    PlotTable,
    Quantity,
    ReferenceLine,
    Row,
    Series,
)
from gemmviz.explain.figures.marks import SeriesMarks, drawn, extent, has_seen_error_bars
from gemmviz.explain.figures.run_facts import (
    NO_RUNS,
    RUN_COLUMNS,
    WRONG_RESULT,
    RunFacts,
    facts_of,
    kernel_words,
    name_among,
    notes_of,
)
from gemmviz.explain.figures.scales import needs_log
from gemmviz.explain.figures.ticks import padded_range
from gemmviz.explain.figures.timing.fastest import comparable, fastest_words
from gemmviz.explain.figures.timing.samples import gauge_lines
from gemmviz.explain.figures.timing.speedup import speedup_of

NAME = "kernel_time"
QUARTILES = (
    "error bars: interquartile range (IQR), in which the middle half of the samples lies; a short bar is a steady time"
)
ERROR_BARS = "error bars: interquartile range"
"""The same for a slide, which seldom has room for IQR and n of each row."""
GPU_CLOCKS = (
    "filled: the kernel alone, by the device clock; hollow: waited, from launch to completion by the host clock"
)
BOTH_CLOCKS = (
    "filled: the kernel alone, by the device clock, or for CPU kernels by the host clock; hollow: waited, from "
    "launch to completion by the host clock"
)
CPU_CLOCKS = (
    "both by the host clock; filled: the kernel alone; hollow: waited, from call to return, which adds handing the "
    "call to the thread that runs the kernel, usually microseconds, more on a busy machine"
)
GPU_BARS = "bars: the kernel alone, by the device clock; the table has the time waited, from launch to completion"
BOTH_BARS = (
    "bars: the kernel alone, by the device clock, or for CPU kernels by the host clock; the table has the time "
    "waited, from launch to completion"
)
CPU_BARS = "bars: the kernel alone, by the host clock; the table has the time waited, from call to return"
_NEAR_THE_FLOOR = 6.0
"""Times of so many empty kernels are near enough to show what one takes; further off, the axis would be empty there."""
_MOST_LABELLED = 6
"""Of so many runs each bar has its factor; of more, words would cover the chart."""
TITLE = "Kernel time"
_COLUMNS = (
    *RUN_COLUMNS,
    "median_ms",
    "first_quartile_ms",
    "third_quartile_ms",
    "min_ms",
    "samples",
    "host_clock_median_ms",
    "host_clock_first_quartile_ms",
    "host_clock_third_quartile_ms",
    "noisy",
    "time_limited",
    "throttled_samples",
)


def kernel_time_figure(runs: Sequence[RunResult], roofs: Sequence[Roofs] = ()) -> Figure:
    """Median kernel time of each run, and the floor of their device where it is near. Bars from 0 by the device clock,
    of a few runs with the factors by which those that can be ranked beat the slowest; where the times lie far apart,
    dots by both clocks on a logarithmic axis.
    """
    facts = facts_of(runs)
    is_log = needs_log(fact.device_ms.median for fact in facts)
    series, edges = _dots(facts) if is_log else _bars(facts)
    unit = figures.time_unit(fact.device_ms.median for fact in facts)
    floor_ms = _floor_ms(facts, roofs)
    low, high = padded_range([*extent(series), *((floor_ms,) if floor_ms else ())], is_log)
    rules = (ReferenceLine(floor_ms, f"empty kernel {figures.milliseconds(floor_ms, unit)}"),) if floor_ms else ()
    words = "time of one launch, logarithmic" if is_log else "time of one launch: shorter is faster"
    axis = Axis(words, Quantity.TIME, low, high, is_log, unit)
    has_error_bars = is_log and any(figures.has_quartiles(fact.device_ms.n) for fact in facts)
    return Figure(
        title=TITLE,
        evidence=Evidence.MEASURED,
        empty=NO_RUNS,
        axis=axis,
        rows=tuple(fact.marked(_row(fact, unit)) for fact in facts),
        series=series,
        edges=tuple(edges),
        rules=rules,
        labels=() if is_log else _factors(facts),
        notes=(*fastest_words(facts, unit), *notes_of(facts), QUARTILES, _clock_words(facts, is_log=is_log)),
        essential=(ERROR_BARS,) if has_error_bars or has_seen_error_bars(series, axis) else (),
        subtitle=subtitle_of_times(runs),
        heads=("kernel", "median"),
    )


def kernel_time_table(runs: Sequence[RunResult]) -> PlotTable:
    """The plotted times in ms."""
    rows = []
    for fact in facts_of(runs):
        device, waited = fact.device_ms, fact.waited_ms
        values = (
            device.median,
            device.first,
            device.third,
            device.least,
            device.n,
            waited.median,
            waited.first,
            waited.third,
            *("true" if doubt in fact.doubts else "false" for doubt in (NOISY, TIME_RAN_OUT)),
            fact.throttled_samples,
        )
        rows.append(fact.identity | dict(zip(_COLUMNS[len(RUN_COLUMNS) :], values, strict=True)))
    return PlotTable(NAME, _COLUMNS, tuple(rows))


def _floor_ms(facts: Sequence[RunFacts], roofs: Sequence[Roofs]) -> float:
    """The time of an empty kernel on the one device of these runs; 0 where it is unknown, or far below all of them."""
    devices = {fact.run.device.id: fact.run.device for fact in facts if not fact.is_cpu}
    if len(devices) != 1:
        return 0.0
    (device,) = devices.values()
    measured = newest_roofs(tuple(roofs), device)
    least = min(fact.device_ms.median for fact in facts if not fact.is_cpu)
    return measured.floor_ms if measured is not None and least < _NEAR_THE_FLOOR * measured.floor_ms else 0.0


def _marks(facts: Sequence[RunFacts], edges: list[Edge], *, is_log: bool) -> dict[Look, SeriesMarks]:
    """What the times of the kernels alone are collected in, by their roles."""
    words = {Look.GPU: f"{kernel_words(facts)}, device clock", Look.CPU: "CPU kernel", Look.WRONG: WRONG_RESULT}
    return {look: SeriesMarks(look, name, is_log, edges) for look, name in words.items()}


def _bars(facts: Sequence[RunFacts]) -> tuple[tuple[Series, ...], list[Edge]]:
    edges: list[Edge] = []
    marks = _marks(facts, edges, is_log=False)
    for place, fact in enumerate(facts):
        marks[fact.look].add(place, fact.device_ms.median, *fact.device_ms.error_bar)
    return drawn(one.series(Form.BARS) for one in marks.values()), edges


def _dots(facts: Sequence[RunFacts]) -> tuple[tuple[Series, ...], list[Edge]]:
    edges: list[Edge] = []
    marks = _marks(facts, edges, is_log=True)
    of_host = {
        Look.GPU: SeriesMarks(Look.GPU_WAITED, f"{kernel_words(facts)}, waited", True, edges),
        Look.CPU: SeriesMarks(Look.CPU_WAITED, "CPU kernel, from call to return", True, edges),
        Look.WRONG: SeriesMarks(Look.WRONG_WAITED, f"{WRONG_RESULT}, waited", True, edges),
    }
    for place, fact in enumerate(facts):
        device, waited = fact.device_ms, fact.waited_ms
        marks[fact.look].add(place, device.median, *device.error_bar)
        of_host[fact.look].add(place, waited.median, *waited.error_bar)
    shifted = ((marks, -0.15), (of_host, 0.15))
    return drawn(one.series(shift=shift) for kind, shift in shifted for one in kind.values()), edges


def _factors(facts: Sequence[RunFacts]) -> tuple[BarLabel, ...]:
    """How many times as fast as the slowest of a few runs each of the others is; none where it cannot be ranked."""
    ranked = comparable(facts)
    if len(ranked) > _MOST_LABELLED or len({fact.run.arithmetic for fact in ranked}) != 1:
        return ()
    slowest = max(ranked, key=lambda fact: fact.device_ms.median)
    labels = []
    for fact in ranked:
        speedup = speedup_of(fact, slowest)
        if fact is not slowest and speedup.verdict is Verdict.FASTER and fact.device_ms.median > 0:
            ends = [fact.device_ms.median, *filter(math.isfinite, fact.device_ms.error_bar)]
            words = f"{speedup.label} as fast"
            against = name_among(slowest, facts)
            labels.append(BarLabel(fact.number, min(ends), max(ends), f"{words} as {against}", words))
    return tuple(labels)


def _clock_words(facts: Sequence[RunFacts], *, is_log: bool) -> str:
    """Whose clock the marks are by."""
    are_cpu = {fact.is_cpu for fact in facts}
    both, cpu, gpu = (BOTH_CLOCKS, CPU_CLOCKS, GPU_CLOCKS) if is_log else (BOTH_BARS, CPU_BARS, GPU_BARS)
    return both if len(are_cpu) > 1 else cpu if True in are_cpu else gpu


def _row(fact: RunFacts, unit: str) -> Row:
    device, waited, timing = fact.device_ms, fact.waited_ms, fact.run.timing
    spread = figures.spread_and_count(device.iqr, device.median, device.n, unit)
    return Row(
        name=fact.name,
        title=fact.title,
        detail=fact.detail,
        beside=fact.size,
        value=figures.milliseconds(device.median, unit),
        note=f"{spread} {fact.marks}".rstrip(),
        flag=fact.marks,
        tooltip=(
            f"{fact.heading}\n"
            f"device clock {figures.milliseconds(device.median, unit)}, least "
            f"{figures.milliseconds(device.least, unit)}, {spread} (measured)\n"
            f"waited {figures.milliseconds(waited.median, unit)}, "
            f"not waited {figures.milliseconds(timing.unsynchronised_ms)} (measured)\n"
            f"stopped by: {timing.stopped_by.value}" + "".join(f"\n{line}" for line in gauge_lines(fact.run))
        ),
    )
