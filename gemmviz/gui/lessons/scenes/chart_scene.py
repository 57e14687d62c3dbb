"""A chart of runs that come with the program."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.catalogue.lessons import Chart
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.looks.theme import Theme

VIEWS = {
    "kernel": TimingView.KERNEL, "rate": TimingView.RATE, "speedup": TimingView.SPEEDUP,
    "roofline": TimingView.ROOFLINE,
}  # fmt: skip
"""By the word a lesson's file uses."""


class ChartScene(LessonScene):
    """Shows the chart of the Timing page without its controls."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("lessonChart")
        self.chart = TimingChart(theme)
        self.chart.setObjectName("lessonTimingChart")
        self.chart.set_bare(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.chart)

    def show_chart(self, wanted: Chart, data: LessonData) -> None:
        """Show the runs a step names."""
        runs, session = data.runs(wanted.session, wanted.kernels), data.sessions[wanted.session]
        self.chart.show_roofs(session.roofs if wanted.view == "roofline" else ())
        self.chart.show_traces((*session.traces, *data.traces.values()))
        self.chart.show_runs(runs)
        self.chart.set_view(VIEWS[wanted.view])

    def set_theme(self, theme: Theme) -> None:
        self.chart.set_theme(theme)
