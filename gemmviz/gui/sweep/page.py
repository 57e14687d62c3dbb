"""The page of sweeps: the times of settings that ran, or the figures of settings that were examined without a GPU."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import JoinedCharts, PageSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.sweep_chart import SWEEP_CHART, SweepChart
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.sweep.settings_page import SETTINGS_CHART, SettingsPage
from gemmviz.gui.widgets.segments import Segment, Segments

_SEGMENTS = (
    Segment("sweepTimes", "Times", "The time of each setting, measured on a device"),
    Segment(
        "sweepFigures",
        "Figures without a GPU",
        "Registers, occupancy, requests, bank conflicts and the result of each setting",
    ),
)


class SweepPage(JoinedCharts):
    """Shows one of the two at a time."""

    def __init__(self, times: SweepChart, settings: SettingsPage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sweepPage")
        self._charts: tuple[Page, Page] = (times, settings)
        self._segments = Segments(_SEGMENTS, LIGHT)
        self._segments.setAccessibleName("What is shown of the settings")
        self._segments.chosen.connect(self._on_chosen)
        self._stack = QStackedWidget()
        for chart in self._charts:
            self._stack.addWidget(chart)
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
        return self._charts[self._stack.currentIndex()]

    def show_plot(self, plot: Plot) -> None:
        del plot  # there is one
        self._segments.choose(0)

    def show_settings(self) -> None:
        """Bring the figures without a GPU to the front."""
        self._segments.choose(1)

    def set_theme(self, theme: Theme) -> None:
        self._segments.set_theme(theme)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        self._stack.setCurrentIndex(place)


SWEEP_PAGE = PageSpec("Sweep", (SWEEP_CHART, SETTINGS_CHART), SweepPage, reset=lambda page: page.show_plot(Plot.SWEEP))
