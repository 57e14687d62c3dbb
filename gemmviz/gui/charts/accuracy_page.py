"""The page of accuracy: how far results are off, or where one of them is, each with the whole room."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.charts.accuracy_chart import ACCURACY_CHART
from gemmviz.gui.charts.error_map.view import ERROR_MAP_CHART, ErrorMapView
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import JoinedCharts, PageSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.runs_chart import RunsChart
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.segments import Segment, Segments

_SEGMENTS = (
    Segment(
        "accuracyBound", "Against the bound", "The largest error of each run, and the bound that a correct one keeps"
    ),
    Segment("accuracyRelative", "Relative error", "‖C−R‖ / ‖R‖ of each run"),
    Segment("accuracyMap", "Map of C", "Error map: where the result of one run deviates, and its worst elements"),
)
_PLOTS = Plot.ERROR_BOUND, Plot.RELATIVE_ERROR, Plot.ERROR_MAP
_MAP = _PLOTS.index(Plot.ERROR_MAP)


class AccuracyPage(JoinedCharts):
    """Shows the chart or the map, one at a time."""

    def __init__(self, chart: RunsChart, error_map: ErrorMapView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("accuracyPage")
        self._chart, self._error_map = chart, error_map
        chart.controls.hide()  # this page has the same choice, and one more
        self._segments = Segments(_SEGMENTS, LIGHT)
        self._segments.setAccessibleName("Which view of the accuracy is shown")
        self._segments.chosen.connect(self._on_chosen)
        self._stack = QStackedWidget()
        self._stack.addWidget(chart)
        self._stack.addWidget(error_map)
        top = QHBoxLayout()
        top.setContentsMargins(24, 16, 24, 0)
        top.addWidget(self._segments)
        top.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self._stack, 1)

    @property
    def in_front(self) -> Page:
        return self._error_map if self._stack.currentIndex() == 1 else self._chart

    def show_plot(self, plot: Plot) -> None:
        self._segments.choose(_PLOTS.index(plot))

    def show_map_of(self, run: RunResult) -> None:
        """Bring the map to the front with what is wrong in a run's result."""
        self._segments.choose(_MAP)
        self._error_map.show_run(run)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._segments.set_theme(theme)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        self._stack.setCurrentIndex(int(place == _MAP))
        if place != _MAP:
            self._chart.set_view(_PLOTS[place])


ACCURACY_PAGE = PageSpec(
    "Accuracy",
    (ACCURACY_CHART, ERROR_MAP_CHART),
    AccuracyPage,
    compares_chosen=True,
    reset=lambda page: page.show_plot(Plot.ERROR_BOUND),
)
