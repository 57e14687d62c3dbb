"""The table of plots: how the files of each are named, when there is something to show, which tables it has. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Self

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.baselines import Baseline, comparable_of
from gemmviz.domain.runs.result import RunResult, Session, timed_runs
from gemmviz.domain.spec import Params, format_params
from gemmviz.explain.figures.accuracy import accuracy_table
from gemmviz.explain.figures.error_map import cells_table, worst_table
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.figures.roofline.roofline import roofline_table
from gemmviz.explain.figures.settings import settings_of_sweep, settings_table
from gemmviz.explain.figures.sweep import sweep_table, sweeps_of
from gemmviz.explain.figures.timing.kernel import kernel_time_table
from gemmviz.explain.figures.timing.ladder import left_out_words, shown_first
from gemmviz.explain.figures.timing.rate import rate_table
from gemmviz.explain.figures.timing.samples import samples_table
from gemmviz.explain.figures.timing.speedup_figure import speedup_table
from gemmviz.explain.figures.timing.whole import whole_time_table
from gemmviz.explain.figures.traffic.traffic_table import traffic_table
from gemmviz.explain.runs.block_schedule import schedule_table
from gemmviz.explain.runs.warp_timeline import warps_table
from gemmviz.gui.charts.mapped_runs import left_out, mapped_runs, runs_with_maps
from gemmviz.gui.recording.block_names import file_word, recorded_block_names


@dataclass(frozen=True, slots=True, eq=False)
class Charted:
    """What the charts of times, errors and traffic compare, where that is not all that a session has.

    `all_traces` are these recordings and those that a person can include, of other sizes or lessons; `others` runs of
    the same size as those that a person chose. `folds` says that charts of times, and others on the whole screen, may
    show the telling ones of many runs alone (explain/figures/timing/ladder.py). `baseline` is what speed-ups are
    against, None for what a chart itself chooses.
    """

    runs: tuple[RunResult, ...]
    traces: tuple[TraceRun, ...]
    all_traces: tuple[TraceRun, ...] = ()
    others: tuple[RunResult, ...] = ()
    folds: bool = False
    baseline: Baseline | None = None

    @property
    def timed(self) -> tuple[RunResult, ...]:
        """The runs whose times the charts compare."""
        runs = timed_runs(self.runs)
        return shown_first(runs, self.baseline) if self.folds else runs

    @property
    def left_out(self) -> str:
        """How many runs the charts of times leave out, in words; "" where they show all."""
        shown, count = len(self.timed), len(timed_runs(self.runs))
        return left_out_words(shown, count) if shown < count else ""


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """One table: the name of its file without suffix, and what makes it."""

    name: str
    make: Callable[[], PlotTable]


@dataclass(frozen=True, slots=True, eq=False)
class PlotSpec:
    """What an export has to know of a plot.

    `title` is what the dialog calls it. `pictures` yields the name of each picture's file, without suffix, and the
    number of the sweep, run, schedule or block it is of, 0 where there is one picture only. `tables` yields the tables,
    asked only where there are pictures. `left_out` says which pictures are left out, "" where none is.
    """

    title: str
    pictures: Callable[[Session], Iterable[tuple[str, int]]]
    tables: Callable[[Session, Charted], Iterable[PlannedTable]]
    left_out: Callable[[Session, Charted], str] = lambda _session, _charted: ""


def _has_times(session: Session) -> bool:
    return bool(timed_runs(session.runs))


def _single(
    name: str,
    title: str,
    is_there: Callable[[Session], bool],
    make: Callable[[Session, Charted], PlotTable],
    table: str = "",
    *,
    of_times: bool = False,
) -> tuple[str, PlotSpec]:
    """A plot of one picture and one table, of the picture's name unless `table` is another one. Charts `of_times` may
    leave out some of many runs.
    """
    return name, PlotSpec(
        title,
        lambda session: ((name, 0),) if is_there(session) else (),
        lambda session, charted: (PlannedTable(table or name, partial(make, session, charted)),),
        lambda _, charted: charted.left_out if of_times else "",
    )


def _error_maps(session: Session, places: Iterable[int]) -> Iterable[tuple[str, int]]:
    """The name and the place of each map; with the parameters where runs of one kernel differ in them."""
    variants: dict[str, set[Params]] = {}
    for run in session.runs:
        variants.setdefault(run.spec.kernel, set()).add(run.spec.params)
    for place in places:
        spec = session.runs[place].spec
        params = format_params(spec.params) if len(variants[spec.kernel]) > 1 else ""
        yield "_".join(filter(None, (f"error_map_{place + 1}", file_word(spec.kernel), file_word(params)))), place


def _error_map_tables(session: Session, charted: Charted) -> Iterable[PlannedTable]:
    """Those of every run, of which not all have pictures."""
    del charted
    for name, place in _error_maps(session, runs_with_maps(session.runs)):
        run, number = session.runs[place], place + 1
        yield PlannedTable(f"{name}_cells", partial(cells_table, run, number))
        yield PlannedTable(f"{name}_worst", partial(worst_table, run, number))


def _schedules(session: Session) -> Iterable[tuple[str, int]]:
    for place, schedule in enumerate(session.schedules):
        yield f"schedule_{place + 1}_{file_word(schedule.spec.kernel)}", place


class Plot(StrEnum):
    """The plots, by the names of their files, in the order of an export; each with its `spec`."""

    spec: PlotSpec

    def __new__(cls, name: str, spec: PlotSpec) -> Self:
        plot = str.__new__(cls, name)
        plot._value_ = name
        plot.spec = spec
        return plot

    KERNEL_TIME = _single(
        "kernel_time", "Kernel time", _has_times, lambda _, charted: kernel_time_table(charted.timed), of_times=True
    )
    END_TO_END_TIME = _single(
        "end_to_end_time",
        "End-to-end time",
        _has_times,
        lambda _, charted: whole_time_table(charted.timed),
        of_times=True,
    )
    RATE = _single(
        "rate", "Rate", _has_times, lambda session, charted: rate_table(charted.timed, session.roofs), of_times=True
    )
    SPEEDUP = _single(
        "speedup",
        "Speed-up",
        lambda session: bool(comparable_of(timed_runs(session.runs))),
        lambda _, charted: speedup_table(charted.timed, charted.baseline),
        of_times=True,
    )
    SAMPLES = _single(
        "samples_in_order", "Samples", _has_times, lambda _, charted: samples_table(charted.timed), of_times=True
    )
    ROOFLINE = _single(
        "roofline",
        "Roofline",
        _has_times,
        lambda session, charted: roofline_table(charted.timed, session.roofs, session.traces),
        of_times=True,
    )
    ERROR_BOUND = _single(
        "error_bound",
        "Error against its bound",
        lambda session: bool(session.runs),
        lambda _, charted: accuracy_table(charted.runs),
        "accuracy",
    )
    RELATIVE_ERROR = _single(
        "relative_error",
        "Relative error",
        lambda session: bool(session.runs),
        lambda _, charted: accuracy_table(charted.runs),
        "accuracy",
    )
    ERROR_MAP = (
        "error_map",
        PlotSpec(
            "Error maps of C",
            lambda session: _error_maps(session, mapped_runs(session.runs)),
            _error_map_tables,
            lambda session, _: left_out(session),
        ),
    )
    SWEEP = (
        "sweep",
        PlotSpec(
            "Sweeps",
            lambda session: ((f"sweep_{sweep}", sweep) for sweep in sweeps_of(session.runs)),
            lambda session, _: (
                PlannedTable(f"sweep_{sweep}", partial(sweep_table, session.runs, sweep))
                for sweep in sweeps_of(session.runs)
            ),
        ),
    )
    SWEEP_FIGURES = (
        "sweep_figures",
        PlotSpec(
            "Settings without a GPU",
            lambda session: ((f"sweep_figures_{number}", number) for number, _ in enumerate(session.sweeps, 1)),
            lambda session, _: (
                PlannedTable(f"sweep_figures_{number}", partial(settings_table, settings_of_sweep(sweep)))
                for number, sweep in enumerate(session.sweeps, 1)
            ),
        ),
    )
    TRAFFIC = _single(
        "traffic",
        "Memory traffic",
        lambda session: bool(session.traces),
        lambda session, charted: traffic_table(charted.traces, session.version_names),
    )
    SCHEDULE = (
        "schedule",
        PlotSpec(
            "Block schedules",
            _schedules,
            lambda session, _: (
                PlannedTable(name, partial(schedule_table, session.schedules[place], name))
                for name, place in _schedules(session)
            ),
        ),
    )
    WARPS = _single(
        "warps",
        "Warps of one SM",
        lambda session: bool(session.warp_timelines),
        lambda session, _: warps_table(session.warp_timelines, "warps"),
    )
    MEMORY = (
        "memory",
        PlotSpec(
            "Memory view",
            lambda session: (
                (block_name.stem, place) for place, block_name in enumerate(recorded_block_names(session))
            ),
            lambda _session, _charted: (),
        ),
    )
