"""The figure of samples: each as its time over the median of its run, in the order taken. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.circumstances import subtitle_of_times
from gemmviz.explain.figures.figure import (
    Axis,
    Column,
    Edge,
    Figure,
    Form,
    Look,
    PlotTable,
    Quantity,
    Row,
    Series,
    Side,
)
from gemmviz.explain.figures.run_facts import NO_RUNS, RUN_COLUMNS, RunFacts, facts_of, kernel_words, notes_of
from gemmviz.explain.figures.ticks import round_down
from gemmviz.explain.figures.timing.fastest import fastest_words

NAME = "samples_in_order"
TITLE = "Samples in the order taken"
MEANING = "IQR, interquartile range: the spread of the middle half of the n samples of a run"
ORDER = "samples run from top to bottom in the order taken"
HELD = "sample taken while the clock was throttled"
MOST_OF_A_RUN, MOST_IN_ALL, LEAST_OF_A_RUN = 300, 12_000, 20
_COLUMNS = (
    *RUN_COLUMNS,
    "sample",
    "kernel_ms",
    "over_median",
    "clock_mhz",
    "temperature_c",
    "power_w",
    "held_down",
)
_BAND = 0.62
"""The part of a row that the samples fill, the first at the top."""
_INNER = (1.0, 99.0)
"""Percentiles of all samples between which the axis reaches, and a little further."""
_NEAR, _FURTHEST, _HALF_A_DOT = 0.15, 0.5, 0.015
"""Parts of the axis: a sample no farther beyond its end than this moves the end, in all by so much at most, and so that
no dot is cut."""
_FREE = 0.12
"""The part that is added where samples still lie beyond, so that no dot is where they are told in words."""
BEYOND = "triangle at an end: samples lie beyond the axis; the farthest is named"


def samples_figure(runs: Sequence[RunResult]) -> Figure:
    """Every sample of each run, or every n-th of a long series; hollow where something held the GPU's clock down."""
    facts = facts_of(runs)
    low, high = _ends(facts)
    edges: list[Edge] = []
    most = _most(len(facts))
    series = tuple(one for one in _series(facts, low, high, most, edges) if one.places.size)
    room = _FREE * (high - low)
    first = max(low - room, 0.0) if any(edge.side is Side.LOW for edge in edges) else low
    last = high + room if any(edge.side is Side.HIGH for edge in edges) else high
    beyond = (BEYOND,) if edges else ()
    thinned = any(fact.device_ms.n > most for fact in facts)
    return Figure(
        title=TITLE,
        evidence=Evidence.MEASURED,
        empty=NO_RUNS,
        axis=Axis("time of a sample over its run's median", Quantity.RATIO, first, last),
        rows=tuple(fact.marked(_row(fact)) for fact in facts),
        series=series,
        edges=tuple(edges),
        notes=(
            *fastest_words(facts),
            *notes_of(facts),
            *((f"of a series of more than {most} samples only {most} are drawn, evenly spread",) if thinned else ()),
            ORDER,
            *beyond,
            *((MEANING,) if facts else ()),
        ),
        essential=(ORDER, *beyond, MEANING),
        subtitle=subtitle_of_times(runs),
        heads=("kernel", "samples"),
    )


def samples_table(runs: Sequence[RunResult]) -> PlotTable:
    """Every sample, none left out, with what was read beside it."""
    rows = []
    for fact in facts_of(runs):
        gauges, median = fact.run.timing.gauges, fact.device_ms.median
        told = [gauges.clock_mhz, gauges.temperature_c, gauges.power_w] if gauges.count else []
        held = gauges.throttled
        for place, ms in enumerate(fact.run.timing.kernel_samples_ms.tolist()):
            beside: list[str | float] = [float(column[place]) for column in told]
            is_held = ("true" if held[place] else "false") if gauges.count else ""
            values = (place, ms, ms / median if median > 0 else 1.0, *(beside or [""] * 3), is_held)
            rows.append(fact.identity | dict(zip(_COLUMNS[len(RUN_COLUMNS) :], values, strict=True)))
    return PlotTable(NAME, _COLUMNS, tuple(rows))


def _most(runs: int) -> int:
    return max(LEAST_OF_A_RUN, min(MOST_OF_A_RUN, MOST_IN_ALL // max(runs, 1)))


def _ratios(fact: RunFacts) -> Column:
    """Each sample over the median; ones where the clock saw nothing."""
    samples, median = fact.run.timing.kernel_samples_ms, fact.device_ms.median
    ratios: Column = samples / median if median > 0 else np.ones(samples.size)
    return ratios


def _ends(facts: Sequence[RunFacts]) -> tuple[float, float]:
    """Between which samples are dots: all but the odd ones, and at least 2 % to either side of the median."""
    if not facts:
        return 0.9, 1.1
    ratios = np.sort(np.concatenate([_ratios(fact) for fact in facts]))
    low, high = np.percentile(ratios, _INNER)
    room = 0.08 * max(float(high - low), 0.0)
    low, high = max(min(float(low) - room, 0.98), 0.0), max(float(high) + room, 1.02)
    reach = high - low
    high += _moved(ratios[ratios > high] - high, reach)
    low = max(low - _moved(low - ratios[ratios < low][::-1], reach), 0.0)
    return round_down(low, high), high


def _moved(beyond: Column, reach: float) -> float:
    """How far an end is moved out to samples that lie so far beyond it, the nearest first."""
    end = 0.0
    for away in beyond.tolist():
        if away - end > _NEAR * reach or away > _FURTHEST * reach:
            break
        end = away + _HALF_A_DOT * reach
    return end


def _series(facts: Sequence[RunFacts], low: float, high: float, most: int, edges: list[Edge]) -> tuple[Series, ...]:
    words = {
        Look.SAMPLE: f"sample of a {kernel_words(facts)}",
        Look.CPU_SAMPLE: "sample of a CPU kernel",
        Look.HELD_SAMPLE: HELD,
    }
    gathered: dict[Look, list[tuple[int, float, float]]] = {look: [] for look in words}
    for place, fact in enumerate(facts):
        ratios, held = _ratios(fact), fact.run.timing.gauges.throttled
        chosen = np.unique(np.linspace(0, ratios.size - 1, min(most, ratios.size)).round().astype(int))
        plain = Look.CPU_SAMPLE if fact.is_cpu else Look.SAMPLE
        for number in chosen.tolist():
            ratio = float(ratios[number])
            if low <= ratio <= high:
                look = Look.HELD_SAMPLE if held.size and held[number] else plain
                down = _BAND * ((number + 0.5) / ratios.size - 0.5)
                gathered[look].append((place, ratio, down))
        _tell_odd(place, ratios, low, high, plain, edges)
    return tuple(
        Series(
            look,
            words[look],
            Form.DOTS,
            np.array([mark[0] for mark in marks], np.intp),
            np.array([mark[1] for mark in marks]),
            offsets=np.array([mark[2] for mark in marks]),
        )
        for look, marks in gathered.items()
    )


def _tell_odd(place: int, ratios: Column, low: float, high: float, look: Look, edges: list[Edge]) -> None:
    """Samples beyond the axis, in words at its ends."""
    for side, beyond in ((Side.LOW, ratios[ratios < low]), (Side.HIGH, ratios[ratios > high])):
        if beyond.size:
            furthest = float(beyond.min() if side is Side.LOW else beyond.max())
            many = f"{beyond.size} {'down' if side is Side.LOW else 'up'} to " if beyond.size > 1 else ""
            edges.append(Edge(place, side, f"{many}{figures.number(furthest)}×", look))


def _row(fact: RunFacts) -> Row:
    gauges, device = fact.run.timing.gauges, fact.device_ms
    held = int(gauges.throttled.sum())
    spread = figures.spread(device.iqr, device.median, device.n)
    note = f"{held} throttled" if held else f"IQR {spread}" if spread != "–" else ""
    return Row(
        name=fact.name,
        title=fact.title,
        detail=fact.detail,
        beside=fact.size,
        value=f"n {figures.count(device.n)} {fact.marks}".rstrip(),
        note=note,
        tooltip="\n".join(
            (
                fact.heading,
                f"{figures.counted(device.n, 'sample')}, median {figures.milliseconds(device.median)}, "
                f"least {figures.milliseconds(device.least)} (measured)",
                *gauge_lines(fact.run),
            )
        ),
    )


def gauge_lines(run: RunResult) -> tuple[str, ...]:
    """What was read beside the samples, for a tooltip; () where nobody can tell."""
    gauges = run.timing.gauges
    if not gauges.count:
        return ()
    clock = gauges.clock_mhz
    read = (
        f"clock {figures.megahertz(float(np.median(clock)))}, lowest {figures.count(round(float(clock.min())))}; "
        f"{np.median(gauges.temperature_c):.0f} °C, {np.median(gauges.power_w):.0f} W (measured)"
    )
    return tuple(filter(None, (read, gauges.throttled_words)))
