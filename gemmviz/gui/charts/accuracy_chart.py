"""The chart of accuracy: the largest error against its bound, and the relative error."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.accuracy import accuracy_table, bound_figure, relative_figure
from gemmviz.explain.figures.figure import Figure, PlotTable
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.page_spec import ChartSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.segments import Segment, Segments


class AccuracyView(IntEnum):
    """What the chart of accuracy shows; the places of its segments."""

    BOUND = 0
    RELATIVE = 1


_SEGMENTS = (
    Segment("accuracyViewBound", "Against the bound", "max |C-R| / (u·|A|·|B|), which a correct kernel keeps below K"),
    Segment("accuracyViewRelative", "Relative error", "‖C-R‖ / ‖R‖ in Frobenius norms"),
)


class AccuracyChart(Chart):
    """Shows runs in the order given."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("accuracyChart", "Accuracy of the runs", theme, parent)
        self._runs: tuple[RunResult, ...] = ()
        self._segments = Segments(_SEGMENTS, theme)
        self._segments.setAccessibleName("What the chart shows")
        self._segments.chosen.connect(self._on_view_chosen)
        self.controls_layout.addWidget(self._segments)
        self.controls_layout.addStretch(1)
        self.set_tab_order(*self._segments.buttons)
        self.show_runs(())

    @property
    def view(self) -> AccuracyView:
        """What is shown now."""
        return AccuracyView(self._segments.current)

    def set_view(self, view: AccuracyView) -> None:
        """Show another view."""
        self._segments.choose(view)

    def show_runs(self, runs: Sequence[RunResult]) -> None:
        """Show these runs."""
        self._runs = tuple(runs)
        self.renew()

    @property
    def is_blank(self) -> bool:
        return not self._runs

    def tables(self) -> tuple[PlotTable, ...]:
        """Both errors of every run."""
        return (accuracy_table(self._runs),)

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self._segments.set_theme(theme)

    def make_figure(self) -> Figure:
        return bound_figure(self._runs) if self.view is AccuracyView.BOUND else relative_figure(self._runs)

    @Slot(int)
    def _on_view_chosen(self, place: int) -> None:
        del place
        self.renew()


ACCURACY_CHART = ChartSpec(
    AccuracyChart,
    lambda chart, _session, charted: chart.show_runs(charted.runs),
    {Plot.ERROR_BOUND: AccuracyView.BOUND, Plot.RELATIVE_ERROR: AccuracyView.RELATIVE},
    lambda chart: chart.view,
    lambda chart, view: chart.set_view(view),
)
