"""A chart of runs without more to choose than which of its figures is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtWidgets import QWidget

from gemmviz.domain.figures import counted
from gemmviz.domain.runs.result import RunResult, timed_runs
from gemmviz.explain.figures.figure import Figure, PlotTable
from gemmviz.explain.figures.timing.ladder import left_out_note, left_out_words, shown_first
from gemmviz.gui.charts.page_spec import ChartSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.views_chart import ViewsChart, class_name
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.segments import Segment

NOT_DRAWN = "its times are emulated and cannot be compared with measured ones"
ONLY_EMULATED = (
    f"The PTX machine executed the kernel once and checked its result. No time is shown: {NOT_DRAWN}. "
    "The Accuracy page and the results table show the check."
)


@dataclass(frozen=True, slots=True)
class RunsPlot:
    """One figure of a chart of runs: its plot, what makes figure and table of the runs, and the segment that chooses
    it, None where it is the only one.
    """

    plot: Plot
    figure: Callable[[Sequence[RunResult]], Figure]
    table: Callable[[Sequence[RunResult]], PlotTable]
    segment: Segment | None = None


class RunsChart(ViewsChart):
    """Shows runs in the order given, in one of its views. `timed_only` leaves out those without measured times. On the
    whole screen the telling ones of many runs stand for all, where it `folds`.
    """

    def __init__(
        self,
        object_name: str,
        accessible_name: str,
        views: Sequence[RunsPlot],
        *,
        timed_only: bool = False,
        theme: Theme = LIGHT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(object_name, accessible_name, [(view.plot, view.segment) for view in views], theme, parent)
        self._views, self._timed_only = tuple(views), timed_only
        self._runs: tuple[RunResult, ...] = ()
        self._left_out, self._folds, self._is_presented = 0, False, False
        self.show_runs(())

    def show_runs(self, runs: Sequence[RunResult], *, folds: bool = False) -> None:
        """Show these runs."""
        self._folds = folds
        self._runs = timed_runs(runs) if self._timed_only else tuple(runs)
        self._left_out = len(runs) - len(self._runs)
        self.renew()

    def set_for_picture(
        self, wanted: bool, width: int = 0, *, dense: bool = False, large: bool = False, height: int = 0
    ) -> None:
        if self._is_presented != (wanted and large):
            self._is_presented = wanted and large
            self.renew()
        super().set_for_picture(wanted, width, dense=dense, large=large, height=height)

    @property
    def is_blank(self) -> bool:
        return not self._runs

    def tables(self) -> tuple[PlotTable, ...]:
        """All that is plotted of every run."""
        return (self._shown.table(self._runs),)

    def words_for_empty(self, idle: str) -> str:
        return idle if self._left_out else super().words_for_empty(idle)

    def make_figure(self) -> Figure:
        runs = shown_first(self._runs) if self._folds and self._is_presented else self._runs
        figure = with_left_out(self._shown.figure(runs), self._left_out)
        if len(runs) == len(self._runs):
            return figure
        few = left_out_words(len(runs), len(self._runs))
        notes = (*figure.notes, left_out_note(runs, self._runs))
        return replace(figure, notes=notes, essential=(*figure.essential, few))

    @property
    def _shown(self) -> RunsPlot:
        return self._views[self.place]


def runs_chart(
    object_name: str, accessible_name: str, *views: RunsPlot, timed_only: bool = False
) -> ChartSpec[RunsChart]:
    """A chart of the runs that are compared, of a class of its own: `accuracyChart` is an AccuracyChart."""

    class Shown(RunsChart):
        def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
            super().__init__(object_name, accessible_name, views, timed_only=timed_only, theme=theme, parent=parent)

    Shown.__name__ = Shown.__qualname__ = class_name(object_name)
    return ChartSpec(
        Shown,
        lambda chart, _session, charted: chart.show_runs(charted.runs, folds=charted.folds),
        {view.plot: view.plot for view in views},
        lambda chart: chart.view,
        lambda chart, plot: chart.set_view(plot),
    )


def with_left_out(figure: Figure, left_out: int) -> Figure:
    """A figure of runs that says how many emulated ones it leaves out."""
    if not left_out:
        return figure
    note = f"{counted(left_out, 'run')} on the PTX machine not shown: {NOT_DRAWN}"
    return replace(figure, notes=(*figure.notes, note), empty=figure.empty if figure.rows else ONLY_EMULATED)
