"""The figure of kernel times: one row for each run, both clocks, error bars from quartile to quartile. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain import figures
from gemmviz.domain.runs.doubts import NOISY, TIME_RAN_OUT
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.roof import Roofs, newest_roofs
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.circumstances import subtitle_of_times
from gemmviz.explain.figures.figure import Axis, Edge, Figure, Look, PlotTable, Quantity, ReferenceLine, Row, Series
from gemmviz.explain.figures.marks import SeriesMarks, drawn, extent
from gemmviz.explain.figures.run_facts import (
    NO_RUNS,
    RUN_COLUMNS,
    WRONG_RESULT,
    RunFacts,
    facts_of,
    kernel_words,
    notes_of,
)
from gemmviz.explain.figures.ticks import padded_range
from gemmviz.explain.figures.timing.fastest import fastest_words
from gemmviz.explain.figures.timing.samples import gauge_lines

NAME = "kernel_time"
QUARTILES = (
    "error bars: interquartile range (IQR), where the middle half of n samples lies, from four on; a short one is a "
    "steady time"
)
ERROR_BARS = "error bars: interquartile range"
"""The same for a slide, which seldom has room for IQR and n of each row."""
GPU_CLOCKS = "filled: the kernel alone, by the device clock; hollow: from launch to completion, by the host clock"
BOTH_CLOCKS = (
    "filled: the kernel alone, by the device clock, or for CPU kernels by the host clock; hollow: from launch to "
    "completion, by the host clock"
)
CPU_CLOCKS = (
    "both by the host clock; filled: the kernel alone; hollow: from call to return, with handing the call to the "
    "thread that runs the kernel, which shows in kernels of microseconds"
)
_NEAR_THE_FLOOR = 6.0
"""Times of so many empty kernels are near enough to show what one takes; further off, the axis would be empty there."""
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
    """Median kernel time of each run on a logarithmic axis, and the floor of their device where it is near."""
    facts = facts_of(runs)
    series, edges = _series(facts)
    unit = figures.time_unit(fact.device_ms.median for fact in facts)
    floor_ms = _floor_ms(facts, roofs)
    low, high = padded_range([*extent(series), *((floor_ms,) if floor_ms else ())], is_log=True)
    rules = (ReferenceLine(floor_ms, f"empty kernel {figures.milliseconds(floor_ms, unit)}"),) if floor_ms else ()
    are_cpu = {fact.is_cpu for fact in facts}
    clocks = BOTH_CLOCKS if len(are_cpu) > 1 else CPU_CLOCKS if True in are_cpu else GPU_CLOCKS
    return Figure(
        title=TITLE,
        evidence=Evidence.MEASURED,
        empty=NO_RUNS,
        axis=Axis("time of one launch, logarithmic", Quantity.TIME, low, high, is_log=True, unit=unit),
        rows=tuple(fact.marked(_row(fact, unit)) for fact in facts),
        series=series,
        edges=tuple(edges),
        rules=rules,
        notes=(*fastest_words(facts, unit), *notes_of(facts), QUARTILES, clocks),
        essential=(ERROR_BARS,) if any(figures.has_quartiles(fact.device_ms.n) for fact in facts) else (),
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


def _series(facts: Sequence[RunFacts]) -> tuple[tuple[Series, ...], list[Edge]]:
    edges: list[Edge] = []
    marks = {
        Look.GPU: SeriesMarks(Look.GPU, f"{kernel_words(facts)}, device clock", True, edges),
        Look.CPU: SeriesMarks(Look.CPU, "CPU kernel", True, edges),
        Look.WRONG: SeriesMarks(Look.WRONG, WRONG_RESULT, True, edges),
    }
    of_host = {
        Look.GPU: SeriesMarks(Look.GPU_WAITED, f"{kernel_words(facts)}, host clock", True, edges),
        Look.CPU: SeriesMarks(Look.CPU_WAITED, "CPU kernel, from call to return", True, edges),
        Look.WRONG: SeriesMarks(Look.WRONG_WAITED, f"{WRONG_RESULT}, host clock", True, edges),
    }
    for place, fact in enumerate(facts):
        device, waited = fact.device_ms, fact.waited_ms
        marks[fact.look].add(place, device.median, *device.error_bar)
        of_host[fact.look].add(place, waited.median, *waited.error_bar)
    shifted = ((marks, -0.15), (of_host, 0.15))
    return drawn(one.series(shift=shift) for kind, shift in shifted for one in kind.values()), edges


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
            f"host clock, waited {figures.milliseconds(waited.median, unit)}, "
            f"not waited {figures.milliseconds(timing.unsynchronised_ms)} (measured)\n"
            f"stopped by: {timing.stopped_by.value}" + "".join(f"\n{line}" for line in gauge_lines(fact.run))
        ),
    )
