"""The figure of rates: 2·M·N·K over the kernel's time. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.roof import RoofKind, Roofs
from gemmviz.domain.runs.roof_words import rate_words
from gemmviz.domain.terms import Evidence, Verdict
from gemmviz.explain.figures.circumstances import subtitle_of_times
from gemmviz.explain.figures.figure import Axis, BarLabel, Edge, Figure, Form, Look, PlotTable, Quantity, Row, Side
from gemmviz.explain.figures.marks import SeriesMarks, drawn, extent, has_seen_error_bars
from gemmviz.explain.figures.roofline.run_roof import LOWERED_ROOFS, RunRoof, roof_notes, roof_of
from gemmviz.explain.figures.run_facts import (
    NO_RUNS,
    RUN_COLUMNS,
    WRONG_RESULT,
    RunFacts,
    facts_of,
    kernel_words,
    notes_of,
)
from gemmviz.explain.figures.scales import needs_log
from gemmviz.explain.figures.ticks import padded_range
from gemmviz.explain.figures.timing.fastest import fastest_words
from gemmviz.explain.figures.timing.speedup import Speedup, speedup_of

NAME = "rate"
TITLE = "Rate of arithmetic"
_FAR, _FAR_ON_LOG = 2.5, 50.0
"""A roof so many times above the fastest run would leave marks too little of the axis: it stands at the edge."""
_COLUMNS = (
    *RUN_COLUMNS,
    "gflops",
    "gflops_at_third_quartile",
    "gflops_at_first_quartile",
    "median_ms",
    "roof_gflops",
    "throttled_samples",
)
ERROR_BARS = "error bars: the rates at the quartiles of the kernel time, by the "
GPU_CLOCK, CPU_CLOCK, BOTH_CLOCKS = "device clock", "host clock", "device clock, or for CPU kernels by the host clock"
"""Whose clock the times of a chart are by, from the kernels that it shows."""


@dataclass(frozen=True, slots=True)
class KernelComparison:
    """The kernels of a chart that are spoken of, and the one that they are compared with; times are in `time_unit`, in
    the one that fits where it is "".
    """

    about: tuple[str, ...]
    against: str
    time_unit: str = ""

    def look_of(self, kernel: str) -> Look:
        """The role of a kernel whose result is right."""
        return Look.SPOKEN_OF if kernel in self.about else Look.COMPARED


def rate_figure(
    runs: Sequence[RunResult], roofs: Sequence[Roofs] = (), compared: KernelComparison | None = None
) -> Figure:
    """Bars of GFLOP/s from 0, or dots on a logarithmic axis where rates lie far apart, with error bars from the
    quartiles of the time; at each the roof of its own device and arithmetic, at the edge where it is far above all.

    With `compared` the bars of the kernels that are spoken of stand out, with their factors, and rows fill the height.
    """
    facts = facts_of(runs)
    is_log = needs_log(_rates(fact)[0] for fact in facts)
    edges: list[Edge] = []
    words = {
        Look.GPU: kernel_words(facts),
        Look.CPU: "CPU kernel",
        # Factors without room for it leave out what they are against.
        Look.SPOKEN_OF: f"this step, compared with {compared.against}" if compared is not None else "",
        Look.COMPARED: "for comparison",
        Look.WRONG: WRONG_RESULT,
    }
    marks = {look: SeriesMarks(look, name, is_log, edges) for look, name in words.items()}
    for place, fact in enumerate(facts):
        is_compared = compared is not None and fact.look is not Look.WRONG
        look = compared.look_of(fact.run.spec.kernel) if compared is not None and is_compared else fact.look
        marks[look].add(place, *_rates(fact))
    # A bar's length means something only from 0 on, which a logarithmic axis has not.
    shown = drawn(one.series(Form.DOTS if is_log else Form.BARS) for one in marks.values())
    fastest = max((value for value in extent(shown) if math.isfinite(value)), default=0.0)
    found = [(fact, roof) for fact in facts if (roof := roof_of(fact.run, roofs)) is not None]
    lines = SeriesMarks(Look.ROOF, "measured roof of its device and arithmetic", is_log, edges)
    for fact, roof in found:
        if roof.gflops <= (_FAR_ON_LOG if is_log else _FAR) * fastest:
            lines.add(fact.number, roof.gflops)
        else:
            name = f"{fact.run.arithmetic} roof"
            edges.append(Edge(fact.number, Side.HIGH, f"{name} {rate_words(RoofKind.FP32, roof.gflops)}", Look.ROOF))
    series = (*shown, *drawn([lines.series(Form.TICKS)]))
    low, high = padded_range(extent(series), is_log)
    rates = [_rates(fact)[0] for fact in facts]
    unit = figures.rate_unit(rates if is_log else [max(rates, default=0.0)])  # on a linear axis the largest
    time_unit = compared.time_unit if compared is not None else ""
    time_unit = time_unit or figures.time_unit(fact.device_ms.median for fact in facts)
    quantity = "FLOP/s, 2·M·N·K / median kernel time"
    axis = Axis(quantity + (", logarithmic" if is_log else ""), Quantity.RATE, low, high, is_log, unit)
    error_bars = (f"{ERROR_BARS}{_clock(facts)}",) if has_seen_error_bars(shown, axis) else ()
    of_roofs = roof_notes(runs, roofs)
    return Figure(
        title=TITLE,
        evidence=Evidence.DERIVED,
        empty=NO_RUNS,
        axis=axis,
        rows=tuple(fact.marked(_row(fact, roof_of(fact.run, roofs), unit, time_unit)) for fact in facts),
        series=series,
        edges=tuple(edges),
        labels=_factors(facts, compared) if compared is not None and not is_log else (),
        fills_height=compared is not None,
        notes=(
            *fastest_words(facts, time_unit),
            *notes_of(facts),
            *error_bars,
            *of_roofs,
        ),
        essential=(*(note for note in of_roofs if note.startswith(LOWERED_ROOFS)), *error_bars),
        subtitle=subtitle_of_times(runs),
        heads=("kernel", "rate"),
    )


def rate_table(runs: Sequence[RunResult], roofs: Sequence[Roofs] = ()) -> PlotTable:
    """The plotted rates in GFLOP/s."""
    rows = tuple(
        fact.identity
        | dict(
            zip(
                _COLUMNS[len(RUN_COLUMNS) :],
                (*_rates(fact), fact.device_ms.median, _roof_cell(fact, roofs), fact.throttled_samples),
                strict=True,
            )
        )
        for fact in facts_of(runs)
    )
    return PlotTable(NAME, _COLUMNS, rows)


def _factors(facts: Sequence[RunFacts], compared: KernelComparison) -> tuple[BarLabel, ...]:
    """How many times as fast each kernel is that is spoken of, or as long a slower one takes; no number where the two
    cannot be ranked.
    """
    other = next((fact for fact in facts if fact.run.spec.kernel == compared.against), None)
    if other is None:
        return ()
    labels, against = [], _rates(other)[0]
    for place, fact in enumerate(facts):
        rate, *quartiles = _rates(fact)
        if fact.run.spec.kernel in compared.about and all(math.isfinite(each) and each > 0 for each in (rate, against)):
            speedup = speedup_of(fact, other)
            is_open = fact is not other and speedup.verdict is Verdict.CANNOT_TELL
            short = "about as fast" if is_open else _factor(speedup)
            ends = [rate, *filter(math.isfinite, quartiles)]
            labels.append(BarLabel(place, min(ends), max(ends), f"{short} as {compared.against}", short))
    return tuple(labels)


def _factor(speedup: Speedup) -> str:
    """ "1.57× as fast" or, of a slower kernel, "takes 5.3× as long", as numbers below 1 are hard to read."""
    return f"{speedup.label} as fast" if speedup.ratio >= 1 else f"takes {speedup.label} as long"


def _clock(facts: Sequence[RunFacts]) -> str:
    on_cpu = {fact.is_cpu for fact in facts}
    return BOTH_CLOCKS if len(on_cpu) > 1 else CPU_CLOCK if on_cpu == {True} else GPU_CLOCK


def _rates(fact: RunFacts) -> tuple[float, float, float]:
    """At the median, the third and the first quartile of the time; nan where so few samples have no quartiles."""
    device, flop = fact.device_ms, fact.run.spec.shape.flop
    first, third = device.error_bar
    median, slow, fast = (math.inf if ms == 0 else flop / (ms * 1e6) for ms in (device.median, third, first))
    return median, slow, fast


def _roof_cell(fact: RunFacts, roofs: Sequence[Roofs]) -> float | str:
    roof = roof_of(fact.run, roofs)
    return roof.gflops if roof is not None else ""


def _row(fact: RunFacts, roof: RunRoof | None, unit: str, time_unit: str) -> Row:
    rate, slow, fast = _rates(fact)
    part = f"{figures.percent(rate / roof.gflops)} of the {fact.run.arithmetic} roof" if roof is not None else ""
    time = figures.milliseconds(fact.device_ms.median, time_unit)
    between = (
        f", {figures.flops(slow, unit)} to {figures.flops(fast, unit)} at the quartiles" if not math.isnan(slow) else ""
    )
    return Row(
        name=fact.name,
        title=fact.title,
        detail=fact.detail,
        beside=fact.size,
        value=figures.flops(rate, unit),
        flag=fact.marks,
        note=" · ".join(filter(None, (part, f"{time} {fact.marks}".rstrip()))),
        tooltip=(
            f"{fact.heading}\n{figures.flops(rate, unit)} at the median{between} (derived)\n"
            f"{figures.count(fact.run.spec.shape.flop)} operations in "
            f"{time} (measured){fact.throttled_line}"
            + (f"\n{part}: {roof.words}" if roof else "")
            + (f"\n{roof.throttling}" if roof and roof.throttling else "")
        ),
    )
