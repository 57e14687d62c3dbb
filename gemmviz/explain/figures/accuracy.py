"""The figures of accuracy: the relative error, and the largest error against its bound. No Qt."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.listing import listed
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.circumstances import subtitle_of
from gemmviz.explain.figures.figure import (
    Axis,
    Edge,
    Figure,
    Form,
    Look,
    PlotTable,
    Quantity,
    ReferenceLine,
    Row,
    Series,
    Tone,
)
from gemmviz.explain.figures.marks import SeriesMarks, drawn, extent
from gemmviz.explain.figures.run_facts import NO_RUNS, RUN_COLUMNS, RunFacts, facts_of, name_among, unwritten_words
from gemmviz.explain.figures.ticks import padded_range
from gemmviz.explain.runs.provenance import measured_on
from gemmviz.explain.runs.reference import PRODUCT, computed, reference_words, scaling_words

NAME = "accuracy"
FREIVALDS = "freivalds"
NO_NUMBER = figures.NO_NUMBER
ERROR_MEANING = f"{figures.ERROR_NAME}: {figures.ERROR_MEANING}"
RELATIVE_MEANING = "relative error: the size of all errors of C together, as a part of the size of the exact result R"
UNWRITTEN = "not written"
"""In place of an error that unwritten elements leave without a number."""

_COLUMNS = (*RUN_COLUMNS, "relative_frobenius", "max_error_over_ug", "bound", "method", "unwritten")
_FREIVALDS_NOTE = (
    "Freivalds: checked by random projections, as the full product would cost too much; the figures are estimates"
)


_MOST_NAMED = 4
_FAR_BELOW = 1000.0
"""The axis begins so many times below the bound where no run has an error."""


def bound_figure(runs: Sequence[RunResult]) -> Figure:
    """error / u·G of each run against the bound K, on a logarithmic axis."""
    facts = facts_of(runs)
    series, edges = _series(facts, lambda fact: fact.run.accuracy.max_error_over_ug)
    bounds, rules = _bounds(facts)
    reached = [*extent((*series, *bounds)), *(rule.value for rule in rules)]
    if not series and reached:  # no error at all: the bound alone would leave an axis around itself
        reached.append(min(reached) / _FAR_BELOW)
    low, high = padded_range(reached, is_log=True)
    return Figure(
        title="Largest error against its bound",
        evidence=Evidence.DERIVED,
        empty=NO_RUNS,
        axis=Axis(f"{figures.ERROR_NAME}, logarithmic", Quantity.PLAIN, low, high, is_log=True),
        rows=tuple(_row(fact, fact.run.accuracy.max_error_over_ug, figures.number, has_bound=True) for fact in facts),
        series=(*series, *bounds),
        edges=tuple(edges),
        rules=rules,
        notes=(*_conclusion(facts), *_notes(facts), ERROR_MEANING, _bound_note(facts)),
        essential=(ERROR_MEANING, _bound_note(facts)),
        subtitle=subtitle_of(runs),
        heads=("kernel", "largest error"),
    )


def relative_figure(runs: Sequence[RunResult]) -> Figure:
    """‖C−R‖ / ‖R‖ of each run on a logarithmic axis."""
    facts = facts_of(runs)
    series, edges = _series(facts, lambda fact: fact.run.accuracy.relative_frobenius)
    low, high = padded_range(extent(series), is_log=True)
    return Figure(
        title="Relative error",
        evidence=Evidence.DERIVED,
        empty=NO_RUNS,
        axis=Axis("‖C−R‖ / ‖R‖, Frobenius norms, logarithmic", Quantity.PLAIN, low, high, is_log=True),
        rows=tuple(_row(fact, fact.run.accuracy.relative_frobenius, figures.scientific) for fact in facts),
        series=series,
        edges=tuple(edges),
        notes=(*_notes(facts), RELATIVE_MEANING, reference_words(fact.run.spec for fact in facts)),
        essential=(reference_words(fact.run.spec for fact in facts),),
        subtitle=subtitle_of(runs),
        heads=("kernel", "relative error"),
    )


def accuracy_table(runs: Sequence[RunResult]) -> PlotTable:
    """The plotted errors."""
    rows = []
    for fact in facts_of(runs):
        found = fact.run.accuracy
        values = (
            found.relative_frobenius,
            found.max_error_over_ug,
            found.bound,
            found.method,
            found.unwritten,
        )
        rows.append(fact.identity | dict(zip(_COLUMNS[len(RUN_COLUMNS) :], values, strict=True)))
    return PlotTable(NAME, _COLUMNS, tuple(rows))


def _series(facts: Sequence[RunFacts], value_of: Callable[[RunFacts], float]) -> tuple[tuple[Series, ...], list[Edge]]:
    edges: list[Edge] = []
    gpu = SeriesMarks(Look.GPU, "GPU kernel, passed", True, edges)
    cpu = SeriesMarks(Look.CPU, "CPU kernel, passed", True, edges)
    wrong = SeriesMarks(Look.WRONG, "WRONG", True, edges)
    for place, fact in enumerate(facts):
        marks = wrong if not fact.run.accuracy.passed else cpu if fact.is_cpu else gpu
        marks.add(place, value_of(fact))
    never = {place for place, fact in enumerate(facts) if fact.run.accuracy.unwritten}
    told = [
        replace(edge, words=UNWRITTEN) if edge.place in never and edge.words == NO_NUMBER else edge for edge in edges
    ]
    return drawn(marks.series() for marks in (gpu, cpu, wrong)), told


def _bounds(facts: Sequence[RunFacts]) -> tuple[tuple[Series, ...], tuple[ReferenceLine, ...]]:
    """One line where all bounds are the same, else a stroke in each row."""
    bounds = [fact.run.accuracy.bound for fact in facts]
    usable = [(place, bound) for place, bound in enumerate(bounds) if math.isfinite(bound) and bound > 0]
    if not usable:
        return (), ()
    if len({bound for _, bound in usable}) == 1:
        return (), (ReferenceLine(usable[0][1], f"bound {_bound_words(usable[0][1])}"),)
    places, values = np.array([place for place, _ in usable], np.intp), np.array([bound for _, bound in usable])
    return (Series(Look.BOUND, "bound", Form.TICKS, places, values),), ()


def _bound_words(bound: float) -> str:
    return figures.count(round(bound)) if math.isfinite(bound) else str(bound)


def _conclusion(facts: Sequence[RunFacts]) -> tuple[str, ...]:
    """Whether all results are right, and which is nearest to its bound."""
    count = figures.counted(len(facts), "result")
    wrong = list(dict.fromkeys(fact.name for fact in facts if not fact.run.accuracy.passed))
    if wrong:
        return (f"wrong among {count}: {listed(wrong, _MOST_NAMED)}",)
    nearest = max(facts, key=_part_of_bound, default=None)
    if nearest is None:
        return ()
    part = _part_of_bound(nearest)
    if len(facts) == 1:
        return (f"the result is right: {figures.error_against_bound(*_error_and_bound(nearest))}",)
    share = figures.percent(part, 2)
    alike = [fact for fact in facts if figures.percent(_part_of_bound(fact), 2) == share]
    if not part:
        which = "none has an error"
    elif len(alike) == len(facts):
        which = f"each at {share} of its bound"
    elif len(alike) == 1:
        which = f"nearest to its bound is {name_among(nearest, facts)}, at {share} of it"
    else:
        names = [name_among(fact, facts) for fact in alike]
        which = f"nearest to their bounds are {listed(names, _MOST_NAMED)}, at {share}"
    return (f"{'both results' if len(facts) == 2 else f'all {count}'} are right: {which}",)


def _error_and_bound(fact: RunFacts) -> tuple[float, float]:
    return fact.run.accuracy.max_error_over_ug, fact.run.accuracy.bound


def _part_of_bound(fact: RunFacts) -> float:
    error, bound = _error_and_bound(fact)
    return error / bound if bound > 0 else 0.0


def _bound_note(facts: Sequence[RunFacts]) -> str:
    specs = [fact.run.spec for fact in facts]
    limit = "K + 2, as it also scales and adds" if any(computed(spec) != PRODUCT for spec in specs) else "K"
    return (
        f"{reference_words(specs)}; u = 2⁻²⁴, the rounding error of one float32 operation; {scaling_words(specs)}; a "
        f"correct sum of K products in float32 stays below {limit}"
    )


def _notes(facts: Sequence[RunFacts]) -> tuple[str, ...]:
    projected = any(fact.run.accuracy.method == FREIVALDS for fact in facts)
    return (*measured_on(fact.run for fact in facts), *((_FREIVALDS_NOTE,) if projected else ()))


def _row(fact: RunFacts, value: float, written: Callable[[float], str], *, has_bound: bool = False) -> Row:
    """The row of a run; with the bound beside it where that is one of the value."""
    found = fact.run.accuracy
    verdict = "passed" if found.passed else "WRONG"
    bound = f"bound {_bound_words(found.bound)}"
    method = "Freivalds" if found.method == FREIVALDS else ""
    unwritten = unwritten_words(found.unwritten)
    equal = (
        f"\n{figures.count(found.exact_matches)} of {figures.count(found.elements)} elements equal to "
        f"{found.exact_reference}"
        if found.elements
        else ""
    )
    return Row(
        name=fact.name,
        title=fact.title,
        detail=fact.detail,
        beside=fact.size,
        value=UNWRITTEN if found.unwritten and math.isnan(value) else _words_of(value, written),
        note=" · ".join(filter(None, (verdict, unwritten or method or (bound if has_bound else "")))),
        tooltip=(
            f"{fact.heading}\n{figures.ERROR_NAME} {_words_of(found.max_error_over_ug, figures.number)}, "
            f"{bound}: {verdict} (derived, {method or 'float64'})\n"
            f"‖C−R‖ / ‖R‖ {_words_of(found.relative_frobenius, figures.scientific)} (derived){equal}"
            + (f"\n{unwritten}" if unwritten else "")
        ),
        tone=Tone.GOOD if found.passed else Tone.WRONG,
        flag="" if found.passed else verdict,
        run=fact.run,
    )


def _words_of(value: float, written: Callable[[float], str]) -> str:
    return written(value) if math.isfinite(value) else figures.number(value)
