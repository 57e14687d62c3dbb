"""The figure of speed-ups against a library, a CPU kernel or another kernel, which may be a tie. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain import figures
from gemmviz.domain.input_words import fill_words
from gemmviz.domain.runs.baselines import IN_ITS_OWN, Baseline, comparable_of
from gemmviz.domain.runs.doubts import DOUBTS, marks_of
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import Evidence, Verdict
from gemmviz.explain.figures.circumstances import subtitle_of_times
from gemmviz.explain.figures.figure import Axis, Edge, Figure, Look, PlotTable, Quantity, ReferenceLine, Row, Tone
from gemmviz.explain.figures.marks import SeriesMarks, drawn, extent
from gemmviz.explain.figures.run_facts import (
    NO_RUNS,
    RUN_COLUMNS,
    WRONG,
    WRONG_RESULT,
    RunFacts,
    describe,
    facts_of,
    kernel_words,
    notes_of,
)
from gemmviz.explain.figures.ticks import padded_range
from gemmviz.explain.figures.timing.fastest import fastest_words
from gemmviz.explain.figures.timing.speedup import (
    IN_TURN,
    SEPARATE,
    TOO_NEAR,
    UNSURE,
    WHY_UNRANKED,
    Speedup,
    speedups_of,
)

NAME = "speedup"
NO_BASELINE = (
    "None of the runs shown can be compared with another one. Tick another kernel, a GPU vendor's library or a CPU "
    "kernel (cpu_blas, for instance), then press Run; or choose more runs in Results."
)
DRIFT = (
    "separate series: the two kernels were not sampled in turn, so clocks may drift between them; a difference of "
    f"{TOO_NEAR}"
)
MIXED_DRIFT = f"{DRIFT}, except in rows that say {IN_TURN!r}"
PLAIN_DRIFT = f"the kernels ran one after the other, and clocks drift meanwhile; a difference of {TOO_NEAR}"
"""The same for who has not learned what a series is."""
ALONE = "without a baseline"
"""The heading of runs that nothing is compared with, where others are grouped by their baselines."""
CONDITIONS = "runs are compared at the same size, fill and cache state, by the device clock"
QUARTILE_BAR = (
    "error bars: from the baseline's first quartile over the kernel's third to the baseline's third over the kernel's "
    "first"
)
INTERVAL_BAR = "error bars of kernels sampled in turn: the 95 % confidence interval of the ratio of pairs"

_COLUMNS = (
    *RUN_COLUMNS,
    "baseline",
    "baseline_row",
    "speedup",
    "low",
    "high",
    "verdict",
    "series",
    "throttled_samples",
    "baseline_throttled_samples",
)


def speedup_figure(
    runs: Sequence[RunResult],
    baseline: Baseline | None = None,
    others: Sequence[RunResult] = (),
    *,
    with_series: bool = True,
) -> Figure:
    """Speed-ups on a logarithmic axis; against the first baseline where none is given, also where that is among
    `others`, which are not shown. `with_series`: with what statisticians ask, such as whether the samples of two
    kernels were taken in turn.
    """
    baseline = baseline if baseline is not None else next(iter(comparable_of(runs)), None)
    if baseline is None:
        axis = Axis("times as fast", Quantity.RATIO, 0.1, 10.0, is_log=True)
        return Figure("Speed-up", Evidence.DERIVED, NO_BASELINE if runs else NO_RUNS, axis)
    facts = facts_of(runs)
    speedups = speedups_of(facts, baseline, others)
    edges: list[Edge] = []
    gpu = SeriesMarks(Look.GPU, kernel_words(facts), True, edges)
    cpu = SeriesMarks(Look.CPU, "CPU kernel", True, edges)
    unsure = SeriesMarks(Look.OPEN, Verdict.CANNOT_TELL.words, True, edges)
    wrong = SeriesMarks(Look.WRONG, WRONG_RESULT, True, edges)
    groups = _groups(speedups)
    series_of = _series_of(facts, speedups)
    rows: list[Row] = []
    for heading, members in groups.items():
        rows += [Row("", "", "", heading=heading)] if heading else []
        for fact, speedup in ((facts[member], speedups[member]) for member in members):
            place = len(rows)
            rows.append(fact.marked(_row(fact, speedup, baseline, says_in_turn=with_series and len(series_of) > 1)))
            if speedup is None:
                continue
            marks = wrong if fact.is_wrong else unsure if _is_open(fact, speedup) else cpu if fact.is_cpu else gpu
            if speedup.baseline is fact:
                marks.add(place, 1.0)
            else:
                marks.add(place, speedup.ratio, speedup.low, speedup.high)
    series = drawn(marks.series() for marks in (gpu, cpu, unsure, wrong))
    compared = zip(facts, speedups, strict=True)
    unranked = [fact.name for fact, one in compared if one and _is_open(fact, one) and not fact.is_wrong]
    words_of_drift = PLAIN_DRIFT if not with_series else MIXED_DRIFT if True in series_of else DRIFT
    drift = (words_of_drift,) if False in series_of else ()
    low, high = padded_range([*extent(series), 1.0], is_log=True)
    words = baseline.words
    return Figure(
        title=f"Speed-up against {words}",
        evidence=Evidence.DERIVED,
        empty=NO_RUNS,
        axis=Axis(f"times as fast as {words}, logarithmic", Quantity.RATIO, low, high, is_log=True),
        rows=tuple(rows),
        series=series,
        edges=tuple(edges),
        rules=(ReferenceLine(1.0, "equally fast"),),
        notes=(
            *fastest_words(facts),
            *notes_of(facts),
            *((f"each kernel is compared with {words} {IN_ITS_OWN}",) if baseline.is_library and with_series else ()),
            *((unranked_words(unranked),) if unranked else ()),
            *(_bars(facts, speedups) if with_series else ()),
            *drift,
            *((CONDITIONS,) if with_series else ()),
        ),
        essential=drift,
        subtitle=subtitle_of_times(runs),
        heads=("kernel", "speed-up"),
    )


def unranked_words(names: Sequence[str]) -> str:
    """Which kernels the verdict is about, and what it means."""
    named = ", ".join(dict.fromkeys(names))
    return f"{Verdict.CANNOT_TELL.words}: {named}. {WHY_UNRANKED}; the glossary has the rule"


def _is_open(fact: RunFacts, speedup: Speedup) -> bool:
    """Whether a kernel is compared with another one and cannot be ranked."""
    return speedup.verdict is Verdict.CANNOT_TELL and speedup.baseline is not fact


def _groups(speedups: Sequence[Speedup | None]) -> dict[str, list[int]]:
    """The places of runs by what they are compared with, in words; those without a baseline come last. Where all are
    compared with one kernel, one group without words.
    """
    found: dict[str, list[int]] = {}
    for place, one in enumerate(speedups):
        kernel = one.baseline.run.spec.kernel if one is not None else ""
        heading = " · ".join(filter(None, (f"against {kernel}", one.baseline.title))) if one is not None else ALONE
        found.setdefault(heading, []).append(place)
    if len(found.keys() - {ALONE}) < 2:
        return {"": list(range(len(speedups)))}
    return {heading: found[heading] for heading in sorted(found, key=lambda heading: heading == ALONE)}


def _bars(facts: Sequence[RunFacts], speedups: Sequence[Speedup | None]) -> tuple[str, ...]:
    """What the error bars are, of each kind that is there."""
    drawn_of = _series_of(facts, speedups)
    return tuple(words for in_turn, words in ((False, QUARTILE_BAR), (True, INTERVAL_BAR)) if in_turn in drawn_of)


def _series_of(facts: Sequence[RunFacts], speedups: Sequence[Speedup | None]) -> set[bool]:
    """Whether kernels were sampled in turn with their baselines, of each kind that is there."""
    return {
        one.in_turn for fact, one in zip(facts, speedups, strict=True) if one is not None and one.baseline is not fact
    }


def speedup_table(
    runs: Sequence[RunResult], baseline: Baseline | None = None, others: Sequence[RunResult] = ()
) -> PlotTable:
    """The plotted ratios; "" where there is nothing to compare with, and for the number of a baseline in `others`."""
    baseline = baseline if baseline is not None else next(iter(comparable_of(runs)), None)
    rows = []
    shown = {id(run) for run in runs}
    for fact, found in _compared(runs, baseline, others):
        words = "" if baseline is None else baseline.words
        values: tuple[str | int | float, ...] = (words, "", "", "", "", "", "", fact.throttled_samples, "")
        if found is not None:
            base = found.baseline
            values = (
                describe(base.run.spec),
                base.number + 1 if id(base.run) in shown else "",
                found.ratio,
                found.low,
                found.high,
                "baseline" if base is fact else WRONG if fact.is_wrong else found.verdict.value,
                IN_TURN if found.in_turn else SEPARATE,
                fact.throttled_samples,
                base.throttled_samples,
            )
        rows.append(fact.identity | dict(zip(_COLUMNS[len(RUN_COLUMNS) :], values, strict=True)))
    return PlotTable(NAME, _COLUMNS, tuple(rows))


def _compared(
    runs: Sequence[RunResult], baseline: Baseline | None, others: Sequence[RunResult]
) -> list[tuple[RunFacts, Speedup | None]]:
    facts = facts_of(runs)
    found = speedups_of(facts, baseline, others) if baseline is not None else (None,) * len(facts)
    return list(zip(facts, found, strict=True))


def _row(fact: RunFacts, speedup: Speedup | None, baseline: Baseline, *, says_in_turn: bool) -> Row:
    if speedup is None:
        run, spec = fact.run, fact.run.spec
        why = (
            f"{baseline.words} has not run at {spec.shape.words} with {fill_words(spec.fill)}, {spec.mode.value} caches"
        )
        where = "at this size"
        if baseline.is_library:
            why += f", seed {spec.seed}, in {run.arithmetic} on {run.device.place_name}"
            where = "on the CPU" if fact.is_cpu else f"in {run.arithmetic}"
        elif baseline.is_device_kernel:
            why += f", on {run.device.place_name}"
        tooltip = f"{fact.heading}\n{why}"
        return Row(fact.name, fact.detail, "no baseline", where, tooltip, Tone.OPEN, fact.size, title=fact.title)
    if speedup.baseline is fact:
        words = f"the baseline {fact.marks}".rstrip()
        return Row(
            fact.name, fact.detail, "1×", words, fact.heading, beside=fact.size, flag=fact.marks, title=fact.title
        )
    series = IN_TURN if speedup.in_turn else SEPARATE
    short = f" · {IN_TURN}" if says_in_turn and speedup.in_turn else ""
    is_open = speedup.verdict is Verdict.CANNOT_TELL and not fact.is_wrong
    ratio = f"{UNSURE} {speedup.figure}×" if is_open else f"{speedup.range}×"
    verdict = WRONG if fact.is_wrong else speedup.words
    marks = marks_of(doubt for doubt in DOUBTS if doubt in (*fact.doubts, *speedup.baseline.doubts))
    of_baseline = speedup.baseline.run.timing.gauges.throttled_words
    beside = "" if fact.is_wrong else verdict
    return Row(
        name=fact.name,
        title=fact.title,
        detail=fact.detail,
        beside=fact.size,
        value=ratio,
        note=f"{beside}{short} {marks}".strip(" ·"),
        flag=marks,
        tooltip=(
            f"{fact.heading}\n{ratio} as fast as {describe(speedup.baseline.run.spec)}, "
            f"from {figures.number(speedup.low)}× to {figures.number(speedup.high)}×, "
            f"{series}: {verdict} (derived){fact.throttled_line}"
            + (f"\n{speedup.baseline.name}: {of_baseline}" if of_baseline else "")
        ),
        tone=Tone.OPEN if is_open else Tone.PLAIN,
    )
