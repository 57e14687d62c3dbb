"""A chart of recordings without more to choose than which of its figures is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.figures.figure import Figure, PlotTable
from gemmviz.gui.charts.page_spec import ChartSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.views_chart import ViewsChart, class_name
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.segments import Segment
from gemmviz.gui.work.last_work import Asked


@dataclass(frozen=True, slots=True)
class TracesPlot:
    """One figure of a chart of recordings: its plot, what makes figure and table of the recordings and of the names of
    versions, and the segment that chooses it, None where it is the only one.
    """

    plot: Plot
    figure: Callable[[Sequence[TraceRun], VersionNames | None], Figure]
    table: Callable[[Sequence[TraceRun], VersionNames | None], PlotTable]
    segment: Segment | None = None


class TracesChart(ViewsChart):
    """Shows recordings in the order given, in one of its views."""

    filled_by = frozenset({Asked.RECORDING})

    def __init__(
        self,
        object_name: str,
        accessible_name: str,
        views: Sequence[TracesPlot],
        *,
        theme: Theme = LIGHT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(object_name, accessible_name, [(view.plot, view.segment) for view in views], theme, parent)
        self._views = tuple(views)
        self.show_traces(())

    def show_traces(self, traces: Sequence[TraceRun], names: VersionNames | None = None) -> None:
        """Show these recordings; `names` are those of the versions of kernels."""
        self._traces, self._names = tuple(traces), names
        self.renew()

    @property
    def is_blank(self) -> bool:
        return not self._traces

    def tables(self) -> tuple[PlotTable, ...]:
        """All that is plotted of every recording."""
        return (self._views[self.place].table(self._traces, self._names),)

    def make_figure(self) -> Figure:
        return self._views[self.place].figure(self._traces, self._names)


def traces_chart(object_name: str, accessible_name: str, *views: TracesPlot) -> ChartSpec[TracesChart]:
    """A chart of the recordings that are compared: those of the size that Memory shows."""

    class Shown(TracesChart):
        def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
            super().__init__(object_name, accessible_name, views, theme=theme, parent=parent)

    Shown.__name__ = Shown.__qualname__ = class_name(object_name)
    return ChartSpec(
        Shown,
        lambda chart, session, charted: chart.show_traces(charted.traces, session.version_names),
        {view.plot: view.plot for view in views},
        lambda chart: chart.view,
        lambda chart, plot: chart.set_view(plot),
    )
