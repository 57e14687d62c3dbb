"""What a session has to show: which pictures and tables an export makes, under which names. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.baselines import comparable_of
from gemmviz.domain.runs.result import RunResult, Session, timed_runs
from gemmviz.explain.figures.accuracy import accuracy_table
from gemmviz.explain.figures.error_map import cells_table, worst_table
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.figures.roofline import roofline_table
from gemmviz.explain.figures.sweep import sweep_table, sweeps_of
from gemmviz.explain.figures.timing_kernel import kernel_time_table
from gemmviz.explain.figures.timing_rate import rate_table
from gemmviz.explain.figures.timing_samples import samples_table
from gemmviz.explain.figures.timing_speedup import speedup_table
from gemmviz.explain.figures.timing_whole import whole_time_table
from gemmviz.explain.figures.traffic import traffic_table
from gemmviz.gui.export.reel_names import file_word, reel_names
from gemmviz.gui.schedule.figure import schedule_table

FORMATS = ("png", "svg", "csv")
MOST_MAPS = 8
"""Error maps of one export as pictures, at most: the wrong runs' first, then the newest. The tables have them all."""


class Plot(StrEnum):
    """The charts, by the names of their files."""

    KERNEL_TIME = "kernel_time"
    END_TO_END_TIME = "end_to_end_time"
    RATE = "rate"
    SPEEDUP = "speedup"
    SAMPLES = "samples_in_order"
    ROOFLINE = "roofline"
    ERROR_BOUND = "error_bound"
    RELATIVE_ERROR = "relative_error"
    ERROR_MAP = "error_map"
    SWEEP = "sweep"
    TRAFFIC = "traffic"
    SCHEDULE = "schedule"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Planned:
    """One picture: its chart, the name of its file without suffix, and which sweep, run or recorded block (by its place
    in `reel_names`) it is of.
    """

    plot: Plot
    name: str
    number: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Charted:
    """What the charts of times, errors and traffic compare, where that is not all that a session has."""

    runs: tuple[RunResult, ...]
    traces: tuple[TraceRun, ...]


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """One table: the name of its file without suffix, and what makes it."""

    name: str
    make: Callable[[], PlotTable]


def plots_of(session: Session) -> tuple[Plot, ...]:
    """The charts that have something to show."""
    return tuple(dict.fromkeys(one.plot for one in planned(session)))


def planned(session: Session, names: Collection[str] | None = None) -> tuple[Planned, ...]:
    """The pictures of a session, of the charts in `names` or of all.

    Raises:
        ValueError: a name that no chart has.
    """
    unknown = sorted(set(names or ()) - set(Plot))
    if unknown:
        raise ValueError(f"there is no chart {unknown[0]!r}: choose from {', '.join(Plot)}")
    return tuple(one for one in _all(session) if names is None or one.plot in names)


def planned_tables(
    session: Session, names: Collection[str] | None = None, charted: Charted | None = None
) -> tuple[PlannedTable, ...]:
    """What those pictures plot, each table once; to be made when it is written, as a thousand runs take their time."""
    charted = charted or Charted(session.runs, session.traces)
    pictures = [one for one in planned(session, names) if one.plot is not Plot.ERROR_MAP]
    maps = _maps(session, _with_maps(session.runs)) if names is None or Plot.ERROR_MAP in names else ()
    tables = {table.name: table for one in (*pictures, *maps) for table in _tables(session, charted, one)}
    return tuple(tables.values())


def left_out(session: Session) -> str:
    """How many error maps become pictures, in words; "" where all do."""
    mapped = _with_maps(session.runs)
    if len(mapped) <= MOST_MAPS:
        return ""
    wrong = sum(not session.runs[place].accuracy.passed for place in mapped)
    which = "the newest" if not wrong else "the wrong and the newest" if wrong < MOST_MAPS else "the first wrong ones"
    return f"{MOST_MAPS} of {len(mapped)}, {which}"


def mapped_runs(runs: tuple[RunResult, ...]) -> tuple[int, ...]:
    """The places of the runs whose error maps are exported as pictures."""
    mapped = _with_maps(runs)
    wrong = [place for place in mapped if not runs[place].accuracy.passed]
    sound = [place for place in reversed(mapped) if runs[place].accuracy.passed]
    return tuple(sorted((wrong + sound)[:MOST_MAPS]))


def _all(session: Session) -> Iterator[Planned]:
    runs, timed = session.runs, timed_runs(session.runs)
    if timed:
        yield Planned(Plot.KERNEL_TIME, Plot.KERNEL_TIME)
        yield Planned(Plot.END_TO_END_TIME, Plot.END_TO_END_TIME)
        yield Planned(Plot.RATE, Plot.RATE)
        if comparable_of(timed):
            yield Planned(Plot.SPEEDUP, Plot.SPEEDUP)
        yield Planned(Plot.SAMPLES, Plot.SAMPLES)
        yield Planned(Plot.ROOFLINE, Plot.ROOFLINE)
    if runs:
        yield Planned(Plot.ERROR_BOUND, Plot.ERROR_BOUND)
        yield Planned(Plot.RELATIVE_ERROR, Plot.RELATIVE_ERROR)
    yield from _maps(session, mapped_runs(runs))
    for sweep in sweeps_of(runs):
        yield Planned(Plot.SWEEP, f"{Plot.SWEEP}_{sweep}", sweep)
    if session.traces:
        yield Planned(Plot.TRAFFIC, Plot.TRAFFIC)
    for place, schedule in enumerate(session.schedules):
        yield Planned(Plot.SCHEDULE, f"{Plot.SCHEDULE}_{place + 1}_{file_word(schedule.spec.kernel)}", place)
    for place, reel in enumerate(reel_names(session)):
        yield Planned(Plot.MEMORY, reel.stem, place)


def _with_maps(runs: tuple[RunResult, ...]) -> tuple[int, ...]:
    return tuple(place for place, run in enumerate(runs) if run.error_map.values.size)


def _maps(session: Session, places: Collection[int]) -> Iterator[Planned]:
    for place in places:
        kernel = file_word(session.runs[place].spec.kernel)
        yield Planned(Plot.ERROR_MAP, f"{Plot.ERROR_MAP}_{place + 1}_{kernel}", place)


def _tables(session: Session, charted: Charted, one: Planned) -> list[PlannedTable]:
    runs, compared, timed = session.runs, charted.runs, timed_runs(charted.runs)
    match one.plot:
        case Plot.KERNEL_TIME:
            return [PlannedTable(one.name, lambda: kernel_time_table(timed))]
        case Plot.END_TO_END_TIME:
            return [PlannedTable(one.name, lambda: whole_time_table(timed))]
        case Plot.RATE:
            return [PlannedTable(one.name, lambda: rate_table(timed, session.roofs))]
        case Plot.SPEEDUP:
            return [PlannedTable(one.name, lambda: speedup_table(timed))]
        case Plot.SAMPLES:
            return [PlannedTable(one.name, lambda: samples_table(timed))]
        case Plot.ROOFLINE:
            return [PlannedTable(one.name, lambda: roofline_table(timed, session.roofs, session.traces))]
        case Plot.ERROR_BOUND | Plot.RELATIVE_ERROR:
            return [PlannedTable("accuracy", lambda: accuracy_table(compared))]
        case Plot.ERROR_MAP:
            run, number = runs[one.number], one.number + 1
            return [
                PlannedTable(f"{one.name}_cells", lambda: cells_table(run, number)),
                PlannedTable(f"{one.name}_worst", lambda: worst_table(run, number)),
            ]
        case Plot.SWEEP:
            return [PlannedTable(one.name, lambda: sweep_table(runs, one.number))]
        case Plot.TRAFFIC:
            return [PlannedTable(one.name, lambda: traffic_table(charted.traces))]
        case Plot.SCHEDULE:
            return [PlannedTable(one.name, lambda: schedule_table(session.schedules[one.number], one.name))]
        case Plot.MEMORY:
            return []
