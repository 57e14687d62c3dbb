"""The figure of a sweep: time over the choices of a kernel's parameters, the best one named. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.device import DeviceKind
from gemmviz.domain.runs.doubts import NOISY
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.terms import Evidence, Verdict
from gemmviz.explain.figures.circumstances import subtitle_of_one
from gemmviz.explain.figures.figure import Axis, Edge, Figure, Form, Look, PlotTable, Quantity, Row, Series, Tone
from gemmviz.explain.figures.marks import SeriesMarks, drawn, extent, places_and
from gemmviz.explain.figures.param_words import (
    are_values_alone,
    names_together,
    values_together,
    varied_params,
    varied_words,
)
from gemmviz.explain.figures.run_facts import RUN_COLUMNS, WRONG, WRONG_RESULT, RunFacts, facts_of, notes_of
from gemmviz.explain.figures.ticks import padded_range
from gemmviz.measure.compare import COMPARISON, judge

NAME = "sweep"
NO_SWEEP = (
    "A sweep times one kernel with every choice of its parameters, such as the size of its tiles, by turns. "
    "This page shows the time of each setting, the fastest, and those that are as fast within the noise. "
    "Choose a kernel that has parameters, then press Sweep."
)
_COLUMNS = (
    *RUN_COLUMNS,
    "sweep",
    "median_ms",
    "first_quartile_ms",
    "third_quartile_ms",
    "samples",
    "against_best",
    "ratio_to_best",
    "ratio_low",
    "ratio_high",
)
FASTEST, LOWEST, SLOWER = "fastest", "lowest median", "slower"
AS_FAST, UNRANKED = f"as fast, within {100 * COMPARISON.threshold:g} %", Verdict.CANNOT_TELL.words
_SHORT = {FASTEST: FASTEST, LOWEST: "lowest", AS_FAST: "as fast", UNRANKED: "unclear", SLOWER: SLOWER, WRONG: WRONG}
"""The same beside a row's figure, where there is little room."""
_MEANINGS = {
    AS_FAST: f"the whole 95 % interval of the time ratio lies within {100 * COMPARISON.threshold:g} % of 1",
    UNRANKED: "the 95 % interval of the time ratio does not say which one is faster",
}
"""What those words mean that do not speak for themselves."""
_TONES = {FASTEST: Tone.GOOD, LOWEST: Tone.GOOD, WRONG: Tone.WRONG}
"""Of the figures; the others are muted, so that the winner is the strongest."""
_CELLS = 12
"""More choices than this do not fit side by side."""
_MOST_OF_A_KIND = 3
_LEAST_DECADES = 0.15
"""The settings of a sweep differ by little, and that is what the chart shows."""


@dataclass(frozen=True, slots=True)
class SweepChoice:
    """One choice of a sweep held against the one of the lowest median among those with right results; `verdict` is
    None for that one itself.

    `is_clear`: all the others are slower than it or wrong, so that it is the best.
    """

    fact: RunFacts
    verdict: Verdict | None
    ratio: float
    low: float
    high: float
    is_clear: bool
    is_noisy: bool = False
    """Whether the samples of one of the two scatter so much that the ratio means little."""

    @property
    def times(self) -> str:
        """How many times the lowest median its time is, as a part of a sentence."""
        return figures.times(self.ratio, self.low, self.high, is_noisy=self.is_noisy)

    @property
    def words(self) -> str:
        """How it stands against the lowest median. Any verdict but "slower" and WRONG makes it as good a choice."""
        if self.fact.is_wrong:
            return WRONG
        if self.verdict is None:
            return FASTEST if self.is_clear else LOWEST
        if self.verdict is Verdict.SLOWER:
            return SLOWER
        return AS_FAST if self.verdict is Verdict.SAME else UNRANKED

    @property
    def params(self) -> str:
        """All parameters of the setting, "BM=64 BN=32"."""
        return format_params(self.fact.run.spec.params)


def sweeps_of(runs: Sequence[RunResult]) -> tuple[int, ...]:
    """The numbers of the sweeps among the runs, in their order."""
    return tuple(dict.fromkeys(run.sweep for run in runs if run.sweep))


def sweep_words(runs: Sequence[RunResult], sweep: int) -> str:
    """A sweep as a person chooses it."""
    mine = [run for run in runs if run.sweep == sweep]
    spec = mine[0].spec
    return f"{sweep} · {spec.kernel} · {spec.shape.words} · {', '.join(_varied(mine)) or 'one choice'}"


def choices_of(runs: Sequence[RunResult], sweep: int) -> tuple[SweepChoice, ...]:
    """The choices of a sweep: by the parameter where one was varied, else by time."""
    places = [place for place, run in enumerate(runs) if run.sweep == sweep and sweep]
    named = zip(facts_of([runs[place] for place in places]), places, strict=True)
    facts = [replace(fact, number=place) for fact, place in named]
    if not facts:
        return ()
    best = min(facts, key=lambda fact: (fact.is_wrong, fact.device_ms.median))
    varied = _varied([fact.run for fact in facts])
    if len(varied) == 1:
        ordered = sorted(facts, key=lambda fact: dict(fact.run.spec.params).get(varied[0], 0))
    else:
        ordered = sorted(facts, key=lambda fact: fact.device_ms.median)
    choices = [_choice(fact, best) for fact in ordered]
    is_clear = all(choice.fact.is_wrong or choice.verdict in (None, Verdict.SLOWER) for choice in choices)
    return tuple(replace(choice, is_clear=is_clear) for choice in choices)


def fastest_of(choices: Sequence[SweepChoice]) -> SweepChoice | None:
    """The setting with the lowest median; None for no sweep, and where all results are wrong."""
    return next((choice for choice in choices if choice.verdict is None and not choice.fact.is_wrong), None)


def verdict_words(choices: Sequence[SweepChoice]) -> str:
    """Which setting is the fastest on this device, and which are not clearly slower; "" for no sweep."""
    fastest = fastest_of(choices)
    if fastest is None or not fastest.params:
        return ""
    device = "this CPU" if fastest.fact.run.device.kind is DeviceKind.CPU else "this GPU"
    others = [words for kind in (AS_FAST, UNRANKED) if (words := _named(choices, kind))]
    if not others:
        return f"{fastest.params} is the fastest setting on {device}" if len(choices) > 1 else ""
    return "; ".join((f"lowest median on {device}: {fastest.params}", *others))


def meanings_of(choices: Iterable[SweepChoice], *, is_short: bool = False) -> tuple[str, ...]:
    """What the words about these choices mean, where they do not speak for themselves; `is_short` as beside a row."""
    said = {choice.words for choice in choices}
    return tuple(
        f"“{_SHORT[words] if is_short else words}” means that {meaning}"
        for words, meaning in _MEANINGS.items()
        if words in said
    )


def _named(choices: Sequence[SweepChoice], words: str) -> str:
    """The settings of which these words are true: "as fast, within 2 %: TILE=8, TILE=16"; "" for none."""
    params = [choice.params for choice in choices if choice.words == words]
    more = f" and {len(params) - _MOST_OF_A_KIND} more" if len(params) > _MOST_OF_A_KIND else ""
    return f"{words}: {', '.join(params[:_MOST_OF_A_KIND])}{more}" if params else ""


def sweep_figure(runs: Sequence[RunResult], sweep: int | None = None) -> Figure:
    """Time over the choices of one sweep, the newest where none is given."""
    sweep = _chosen(runs, sweep)
    choices = choices_of(runs, sweep)
    if not choices:
        return Figure("Sweep", Evidence.MEASURED, NO_SWEEP, Axis("time", Quantity.TIME, 0.1, 10.0, is_log=True))
    facts = [choice.fact for choice in choices]
    varied = _varied([fact.run for fact in facts])
    upright = len(varied) == 1 and len(choices) <= _CELLS
    edges: list[Edge] = []
    best = SeriesMarks(Look.BEST, "fastest setting", True, edges)
    unsure = SeriesMarks(Look.OPEN, "lowest median, and settings not clearly slower", True, edges)
    slower = SeriesMarks(Look.SLOWER, "slower", True, edges)
    wrong = SeriesMarks(Look.WRONG, WRONG_RESULT, True, edges)
    for place, choice in enumerate(choices):
        marks = {WRONG: wrong, SLOWER: slower, FASTEST: best}.get(choice.words, unsure)
        spread = choice.fact.device_ms
        marks.add(place, spread.median, *spread.error_bar)
    series = drawn(marks.series() for marks in (slower, unsure, wrong, best))
    if upright:
        series = (_line(choices), *series)
    low, high = padded_range(extent(series), is_log=True, least_decades=_LEAST_DECADES)
    unit = figures.time_unit(choice.fact.device_ms.median for choice in choices)
    spec = facts[0].run.spec
    over = ", ".join(varied) or "one choice"
    verdict = tuple(filter(None, [verdict_words(choices)]))
    fixed = format_params(tuple((name, value) for name, value in spec.params if name not in varied))
    return Figure(
        title=f"Time over {over}: {spec.kernel}",
        subtitle=subtitle_of_one([fact.run for fact in facts], has_times=True),
        evidence=Evidence.MEASURED,
        empty=NO_SWEEP,
        axis=Axis("kernel time, logarithmic", Quantity.TIME, low, high, is_log=True, unit=unit),
        rows=tuple(_row(choice, varied, unit) for choice in choices),
        series=series,
        edges=tuple(edges),
        essential=verdict,
        notes=(
            *verdict,
            *notes_of(facts),
            *((f"all with {fixed}",) if fixed else ()),
            f"median and interquartile range, device clock, {spec.mode.value} caches; settings are sampled in turn, in "
            "rounds of random order",
            "each setting is compared with the one of the lowest median by pairs of samples",
            *meanings_of(choices, is_short=True),
        ),
        heads=(names_together(varied) if _is_named_above(varied) else "setting", "median"),
        upright=upright,
    )


def sweep_table(runs: Sequence[RunResult], sweep: int | None = None) -> PlotTable:
    """The plotted times in ms, and the ratio of each choice to the best, by blocks of pairs."""
    rows = []
    for choice in choices_of(runs, _chosen(runs, sweep)):
        spread = choice.fact.device_ms
        values = (
            choice.fact.run.sweep,
            spread.median,
            spread.first,
            spread.third,
            spread.n,
            choice.words,
            choice.ratio,
            choice.low,
            choice.high,
        )
        rows.append(choice.fact.identity | dict(zip(_COLUMNS[len(RUN_COLUMNS) :], values, strict=True)))
    return PlotTable(NAME, _COLUMNS, tuple(rows))


def _chosen(runs: Sequence[RunResult], sweep: int | None) -> int:
    present = sweeps_of(runs)
    return sweep if sweep in present and sweep is not None else present[-1] if present else 0


def _choice(fact: RunFacts, best: RunFacts) -> SweepChoice:
    if fact is best:
        return SweepChoice(fact, None, 1.0, 1.0, 1.0, False)
    mine, others = fact.run.timing.kernel_samples_ms, best.run.timing.kernel_samples_ms
    pairs = min(mine.size, others.size)
    found = judge(mine[:pairs], others[:pairs])
    is_noisy = NOISY in (*fact.doubts, *best.doubts)
    return SweepChoice(fact, found.verdict, found.ratio, found.low, found.high, False, is_noisy)


def _line(choices: Sequence[SweepChoice]) -> Series:
    """From choice to choice, in the parameter's order."""
    medians = [(place, choice.fact.device_ms.median) for place, choice in enumerate(choices)]
    places, values = places_and([(place, median) for place, median in medians if median > 0])
    return Series(Look.SLOWER, "", Form.LINE, places, values)


def _varied(runs: Sequence[RunResult]) -> tuple[str, ...]:
    return varied_params([run.spec.params for run in runs])


def _is_named_above(varied: Sequence[str]) -> bool:
    """Whether rows have values alone, below the names of the parameters: of one, and of so many that both are long."""
    return len(varied) == 1 or are_values_alone(varied)


def _row(choice: SweepChoice, varied: Sequence[str], unit: str) -> Row:
    fact = choice.fact
    params = fact.run.spec.params
    name = values_together(params, varied) if _is_named_above(varied) else varied_words(params, varied)
    spread = fact.device_ms
    against = ""
    if choice.verdict is not None and np.isfinite(choice.ratio):
        between = f"from {figures.number(choice.low)} to {figures.number(choice.high)}"
        against = f"\n{choice.times} the lowest median, {between} (derived)"
    threads = fact.run.launch.threads_per_block
    return Row(
        name=name or fact.name,
        detail=f"{threads} threads",
        value=figures.milliseconds(spread.median, unit),
        note=f"{_SHORT[choice.words]} {fact.marks}".rstrip(),
        flag=f"{'' if choice.words == SLOWER else _SHORT[choice.words]} {fact.marks}".strip(),
        tooltip=(
            f"{fact.heading}\n{figures.milliseconds(spread.median, unit)}, "
            f"{figures.spread_and_count(spread.iqr, spread.median, spread.n, unit)} (measured)\n"
            f"{choice.words}{against}"
        ),
        tone=_TONES.get(choice.words, Tone.OPEN),
        run=fact.run,
    )
