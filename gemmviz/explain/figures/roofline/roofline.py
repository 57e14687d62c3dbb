"""The roofline: how fast each run computes over how many operations it has for a byte, below what its device can do.

Operations are 2·M·N·K. A run stands at the ideal bytes, which say what its size allows; from there an arrow leads to
the bytes that its kernel moves, where a recording tells them (run_traffic.py). No Qt.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.figures import counted
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.roof import (
    Roof,
    RoofKind,
    Roofs,
    Share,
    attainable,
    compute_roof,
    is_same_device,
    newest_roofs,
    share_of,
)
from gemmviz.domain.runs.roof_words import (
    KIND_WORDS,
    LOWERED_NOTE,
    ROOF_MARK,
    clock_words,
    is_lowered,
    lowered_words,
    rate_words,
    where_measured,
)
from gemmviz.domain.terms import Arithmetic, Evidence
from gemmviz.domain.visible_text import make_visible
from gemmviz.explain.figures.circumstances import subtitle_of_times
from gemmviz.explain.figures.figure import NO_COLUMN, Axis, Figure, Form, Look, PlotTable, Quantity, Row, Series
from gemmviz.explain.figures.roofline.bytes import (
    MARKED_CACHED,
    by_bytes,
    byte_notes,
    cache_note,
    essential_notes,
    form_marks,
    moved_cells,
    moved_words,
    served_by_caches,
)
from gemmviz.explain.figures.roofline.device_roofs import DevicesHere, lack_notes, owner_words, timed_devices
from gemmviz.explain.figures.run_facts import (
    NO_RUNS,
    RUN_COLUMNS,
    WRONG,
    WRONG_RESULT,
    RunFacts,
    distinct_names,
    facts_of,
    notes_of,
    params_note,
)
from gemmviz.explain.figures.traffic.run_traffic import ideal_bytes_of_run, traffic_of_run, why_unknown

NAME = "roofline"
TITLE, NO_ROOFS = "Roofline", "no roofs measured"
NOWHERE = DevicesHere()
_COLUMNS = (
    *RUN_COLUMNS,
    "arithmetic",
    "operations_per_byte",
    "gflops",
    "copy_gb_per_s",
    "roof_gflops",
    "attainable_gflops",
    "roof_clock_mhz",
    "roof_measured",
    "ideal_bytes",
    "moved_bytes",
    "moved_bytes_are",
    "moved_bytes_source",
    "moved_bytes_form",
    "operations_per_moved_byte",
    "throttled_samples",
)
_LOOKS = {
    Arithmetic.TF32: (Look.TF32, "TF32"),
    Arithmetic.TF32X3: (Look.TF32X3, "TF32, three products"),
    Arithmetic.BF16: (Look.BF16, "bf16"),
}


_ROOM = 1.6
"""The plane begins so many times below the first mark and ends so many times behind the last."""
_LONGEST_NAME = 32
"""Characters of a name in the plane."""
_BELOW = 30.0
"""The slope is drawn down to so many times below the slowest run, at most."""


@dataclass(frozen=True, slots=True)
class RooflinePoint:
    """A run: operations per ideal byte, and per byte that it `moved` (0 where no recording tells); GFLOP/s."""

    name: str
    intensity: float
    gflops: float
    look: Look
    tooltip: str
    moved: float = 0.0
    is_estimate: bool = False
    place: int = 0
    """That of its run, among those that are told and then those that stand back."""
    is_quiet: bool = False
    """Whether it stands back: a small mark without a name."""
    is_new: bool = False
    is_spoken_of: bool = False
    """Whether a text beside the roofline is about its main mark."""

    def __post_init__(self) -> None:
        make_visible(self, "name", "tooltip")

    @property
    def stand(self) -> float:
        """The operations per byte at which its name and its main mark stand."""
        return self.moved or self.intensity

    @property
    def inside(self) -> Look:
        """How its main mark is filled."""
        if not self.moved:
            return Look.AT_IDEAL
        return Look.AT_ESTIMATED if self.is_estimate else Look.AT_RECORDED


@dataclass(frozen=True, slots=True)
class RoofLine:
    """A roof in the plane: a slope of `gb_per_s` up to `gflops`, flat from there; `words` name what is flat."""

    gb_per_s: float
    gflops: float
    words: str
    slope_words: str

    def __post_init__(self) -> None:
        make_visible(self, "words", "slope_words")

    @property
    def ridge(self) -> float:
        """Operations per byte from which on the arithmetic bounds."""
        return self.gflops / self.gb_per_s if self.gb_per_s > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Roofline:
    """What the plot shows; the axes reach from `low` to `high`, both logarithmic."""

    points: tuple[RooflinePoint, ...]
    lines: tuple[RoofLine, ...]
    x: Axis
    y: Axis


def roofline_of(
    told: Sequence[RunResult],
    measured: Sequence[Roofs],
    traces: Sequence[TraceRun] = (),
    quiet: Sequence[RunResult] = (),
) -> Roofline:
    """Points of the runs, those that stand back behind the others, and the roofs of their devices in the arithmetics
    that they use.
    """
    runs = [*told, *quiet]
    facts = facts_of(runs)
    named = zip(facts, _shortened(distinct_names(facts, with_device=False)), strict=True)
    owners = owner_words(runs) if len(timed_devices(runs)) > 1 else {}
    traffic = [traffic_of_run(fact.run, traces) for fact in facts]
    marks, unit = form_marks(traffic), figures.rate_unit(fact.run.gflops for fact in facts)
    ends = [MARKED_CACHED * is_cached for is_cached in served_by_caches(runs, traffic, measured)]
    points = tuple(
        replace(point, place=fact.number, is_quiet=fact.number >= len(told), name=f"{point.name}{end}")
        for (fact, name), mark, end in zip(named, marks, ends, strict=True)
        if (point := _point(fact, f"{name}{owners.get(fact.run.device.id, '')}{mark}", measured, traces, unit))
        is not None
    )
    lines = _lines(facts, measured)
    xs = [place for point in points for place in (point.intensity, point.stand)]
    ys = [point.gflops for point in points] + [line.gflops for line in lines]
    ridges = [line.ridge for line in lines if line.ridge > 0]
    nbytes = "ideal or moved byte" if any(point.moved for point in points) else "ideal byte"
    x = _axis(f"operations per {nbytes}, 2·M·N·K / bytes", Quantity.PLAIN, xs + ridges, _ROOM, 1.3)
    low = min([*ys, *(line.gb_per_s * x.low * 1.5 for line in lines)]) if ys else 1.0
    y = _axis("FLOP/s", Quantity.RATE, [*ys, max(low, min(ys, default=1.0) / _BELOW)], _ROOM, 1.3)
    return Roofline(points, lines, x, replace(y, unit=unit))


def roofline_figure(
    runs: Sequence[RunResult],
    measured: Sequence[Roofs],
    traces: Sequence[TraceRun] = (),
    here: DevicesHere = NOWHERE,
    quiet: Sequence[RunResult] = (),
) -> Figure:
    """The same in words, for listeners, legend and notes; a row for each run but those that stand back. Notes say what
    can be measured `here`.
    """
    facts, found = facts_of(runs), _devices(runs, measured)
    traffic = [traffic_of_run(run, traces) for run in runs]
    drawn = [_drawn(roofs, _shares(runs, roofs, measured)) for roofs in found]
    lowered = (LOWERED_NOTE,) if any(is_lowered(roof) for of in drawn for roof in of) else ()
    notes = [f"roofs measured on {_measured_words(*each)}" for each in zip(found, drawn, strict=True)]
    lacking = lack_notes(runs, measured, here)
    rates = np.array([fact.run.gflops for fact in facts])
    kinds = [(look, one, Look.AT_IDEAL) for look, one in _by_look(facts).items()]
    fillings = [(look, one, None) for look, one in by_bytes(traffic).items()]
    series = [
        Series(look, words, Form.DOTS, np.array(places, np.intp), rates[places], inside=inside)
        for look, (words, places), inside in (*kinds, *fillings)
    ]
    if quiet:
        nowhere = np.zeros(0, np.intp)
        series.append(Series(Look.QUIET, f"grey: {counted(len(quiet), 'other run')}", Form.DOTS, nowhere, NO_COLUMN))
    without = [
        (name, why_unknown(fact.run, traces))
        for fact, name, moved in zip(facts, distinct_names(facts), traffic, strict=True)
        if moved is None
    ]
    line = roofline_of(runs, measured, traces, quiet)
    of_bytes = byte_notes(traffic, without, has_slope=any(roof.gb_per_s > 0 for roof in line.lines))
    served = zip(distinct_names(facts), served_by_caches(runs, traffic, measured), strict=True)
    caches = cache_note([name for name, is_served in served if is_served])
    return Figure(
        title=TITLE if line.lines or not runs else f"{TITLE}: {NO_ROOFS}",
        evidence=Evidence.DERIVED,
        empty=NO_RUNS,
        axis=line.y,
        rows=tuple(fact.marked(_row(fact, measured, traces, line.y.unit)) for fact in facts),
        series=tuple(series),
        notes=(*caches, *notes_of(facts), *lowered, *notes, *lacking, *params_note(facts), *of_bytes),
        essential=(*(lacking if line.lines else ()), *essential_notes(of_bytes)),
        subtitle=subtitle_of_times(runs),
        heads=("kernel", "rate"),
    )


def roofline_table(runs: Sequence[RunResult], measured: Sequence[Roofs], traces: Sequence[TraceRun] = ()) -> PlotTable:
    """Points and roofs in full precision; "" where a roof was not measured, or where no recording tells the bytes."""
    rows = []
    for fact in facts_of(runs):
        run = fact.run
        roofs, intensity = newest_roofs(tuple(measured), run.device), _intensity(run, traces)
        copy = roofs.of(RoofKind.COPY) if roofs is not None else None
        share = share_of(run.arithmetic)
        roof = roofs.of(share.kind) if roofs is not None and share is not None else None
        values: tuple[str | float | None, ...] = (
            run.arithmetic.value,
            intensity,
            run.gflops,
            copy.median if copy is not None else None,
            compute_roof(roofs, run.arithmetic) if roofs is not None else None,
            attainable(roofs, run.arithmetic, intensity) if roofs is not None else None,
            roof.clock_mhz or None if roof is not None else None,
            roofs.finished if roofs is not None else None,
            ideal_bytes_of_run(run, traces),
            *moved_cells(run, traffic_of_run(run, traces)),
            fact.throttled_samples,
        )
        cells = ("" if value is None else value for value in values)
        rows.append(fact.identity | dict(zip(_COLUMNS[len(RUN_COLUMNS) :], cells, strict=True)))
    return PlotTable(NAME, _COLUMNS, tuple(rows))


def _point(
    fact: RunFacts, name: str, measured: Sequence[Roofs], traces: Sequence[TraceRun], unit: str
) -> RooflinePoint | None:
    run = fact.run
    gflops, intensity = run.gflops, _intensity(run, traces)
    if not (math.isfinite(gflops) and gflops > 0):
        return None
    moved = traffic_of_run(run, traces)
    part = _part_words(run, measured, traces)
    tooltip = (
        f"{fact.heading}\n{figures.flops(gflops, unit)} in {run.arithmetic} (derived)\n"
        f"{figures.number(intensity)} operations per ideal byte{part}{moved_words(run, moved)}"
        f"{fact.throttled_line}"
    )
    name, look = f"{name}{f' {WRONG}' if fact.is_wrong else ''}{fact.marks}", _look_of(fact)[0]
    if moved is None:
        return RooflinePoint(name, intensity, gflops, look, tooltip)
    return RooflinePoint(name, intensity, gflops, look, tooltip, run.spec.shape.flop / moved.nbytes, moved.is_estimate)


def _shortened(names: Sequence[str]) -> tuple[str, ...]:
    """The names, long ones without their middle, except those that would be told apart no more."""
    short = [name if len(name) <= _LONGEST_NAME else f"{name[:15]}…{name[-16:]}" for name in names]
    counts = Counter(short)
    return tuple(one if counts[one] == 1 else name for one, name in zip(short, names, strict=True))


def _intensity(run: RunResult, traces: Sequence[TraceRun]) -> float:
    """Operations for each ideal byte."""
    return run.spec.shape.flop / ideal_bytes_of_run(run, traces)


def _part_words(run: RunResult, measured: Sequence[Roofs], traces: Sequence[TraceRun]) -> str:
    roofs = newest_roofs(tuple(measured), run.device)
    most = attainable(roofs, run.arithmetic, _intensity(run, traces)) if roofs else None
    return f"\n{figures.percent(run.gflops / most)} of what is attainable there" if most else ""


def _look_of(fact: RunFacts) -> tuple[Look, str]:
    if fact.is_wrong:
        return Look.WRONG, WRONG_RESULT
    if fact.is_cpu:
        return Look.CPU, "CPU kernel"
    return _LOOKS.get(fact.run.arithmetic, (Look.GPU, fact.run.arithmetic.value))


def _by_look(facts: Sequence[RunFacts]) -> dict[Look, tuple[str, list[int]]]:
    found: dict[Look, tuple[str, list[int]]] = {}
    for place, fact in enumerate(facts):
        look, words = _look_of(fact)
        found.setdefault(look, (words, []))[1].append(place)
    return found


def _devices(runs: Sequence[RunResult], measured: Sequence[Roofs]) -> list[Roofs]:
    """The roofs of the devices of these runs, each once."""
    found = [newest_roofs(tuple(measured), run.device) for run in runs]
    return list({id(roofs): roofs for roofs in found if roofs is not None}.values())


def _lines(facts: Sequence[RunFacts], measured: Sequence[Roofs]) -> tuple[RoofLine, ...]:
    runs = [fact.run for fact in facts]
    owners = owner_words(runs)
    lines = []
    for roofs in _devices(runs, measured):
        copy = roofs.of(RoofKind.COPY)
        same = (owners[one.id] for one in timed_devices(runs) if is_same_device(one, roofs.device))
        of_device = next(same, f" on {counted(roofs.device.compute_units, 'CPU thread')}")
        slope = f"{_roof_words(copy)}{of_device}" if copy else ""
        for share in _shares(runs, roofs, measured):
            roof = roofs.of(share.kind)
            if roof is not None:
                flat = roof.median / share.divisor
                words = f"{_roof_words(roof, share.divisor)}{of_device}"
                lines.append(RoofLine(copy.median if copy else 0.0, flat, words, slope))
    return tuple(lines)


def _roof_words(roof: Roof, divisor: int = 1) -> str:
    """ "TF32 tensor 477 TFLOP/s at 1245 MHz !", "1/3 of TF32 tensor 159 TFLOP/s !"; the mark and the clock only where
    something held it down.
    """
    words = f"{KIND_WORDS[roof.kind]} {rate_words(roof.kind, roof.median / divisor)}"
    if divisor == 1:
        return f"{words}{lowered_words(roof)}"
    return f"1/{divisor} of {words}{f' {ROOF_MARK}' if is_lowered(roof) else ''}"


def _shares(runs: Sequence[RunResult], roofs: Roofs, measured: Sequence[Roofs]) -> tuple[Share, ...]:
    """What bounds each arithmetic that runs on the device of these roofs use, each once."""
    own = [run for run in runs if newest_roofs(tuple(measured), run.device) is roofs]
    return tuple(dict.fromkeys(share for run in own if (share := share_of(run.arithmetic)) is not None))


def _drawn(roofs: Roofs, shares: Sequence[Share]) -> list[Roof]:
    """The roofs that are drawn: the slope and those that are shared."""
    return [roof for roof in roofs.roofs if roof.kind in (RoofKind.COPY, *(share.kind for share in shares))]


def _measured_words(roofs: Roofs, shown: Sequence[Roof]) -> str:
    """Where and at which clocks the roofs that are drawn were measured."""
    clocks = {KIND_WORDS[roof.kind]: words for roof in shown if (words := clock_words(roof))}
    where = where_measured(roofs)
    if len(set(clocks.values())) == 1:
        return f"{where}, {next(iter(clocks.values()))}"
    return where + (f" ({'; '.join(f'{kind} {words}' for kind, words in clocks.items())})" if clocks else "")


def _row(fact: RunFacts, measured: Sequence[Roofs], traces: Sequence[TraceRun], unit: str) -> Row:
    run = fact.run
    intensity = figures.number(_intensity(run, traces))
    moved = moved_words(run, traffic_of_run(run, traces))
    note = f"{intensity} operations per ideal byte{_part_words(run, measured, traces)}{moved}".replace("\n", ", ")
    words = f"{note} {fact.marks}".rstrip()
    return Row(fact.name, fact.detail, figures.flops(run.gflops, unit), words, beside=fact.size, title=fact.title)


def _axis(words: str, quantity: Quantity, values: Sequence[float], room: float, at_end: float = 1.0) -> Axis:
    """A logarithmic axis that shows the values, with some room at either end, `at_end` times as much at its end."""
    usable = [value for value in values if math.isfinite(value) and value > 0] or [1.0]
    return Axis(words, quantity, min(usable) / room, max(usable) * at_end * room, is_log=True)
