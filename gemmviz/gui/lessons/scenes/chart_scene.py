"""A chart of runs that come with the program."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gemmviz.catalogue.lesson_scenes import LessonChart
from gemmviz.explain.figures.timing.rate import KernelComparison
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.magnified import Magnified
from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.looks.theme import Theme

VIEWS = {
    "kernel": TimingView.KERNEL,
    "rate": TimingView.RATE,
    "speedup": TimingView.SPEEDUP,
    "roofline": TimingView.ROOFLINE,
}
"""By the word a lesson's file uses."""
_LARGER = 1.3, 1.2, 1.1
"""Times as large as the page's type: at most so that no small word of a chart is larger than the text below it."""
_ON_SCREEN = 1.6
"""So much larger than the page's type on the whole screen, whatever the chart has to show: small words have 28 pixels
there, and rather its notes give way.
"""


class ChartScene(LessonScene):
    """Shows the chart of the Timing page without its controls."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("lessonChart")
        self.chart = TimingChart(theme)
        self.chart.setObjectName("lessonTimingChart")
        self.chart.set_bare(True)
        card = QFrame()
        card.setProperty("role", "card")
        inside, around = QVBoxLayout(card), QVBoxLayout(self)
        inside.setContentsMargins(1, 1, 1, 1)
        around.setContentsMargins(0, 0, 0, 0)
        self._magnified, self._factor = Magnified(self.chart), 1.0
        inside.addWidget(self._magnified)
        around.addWidget(card)

    def show_chart(self, wanted: LessonChart, data: LessonData) -> None:
        """Show the runs a step names."""
        runs, session = data.runs(wanted.session, wanted.kernels), data.sessions[wanted.session]
        roofs = session.roofs if wanted.view == "roofline" else ()
        compared = KernelComparison(wanted.spoken_of, wanted.against, data.time_unit(wanted.session))
        self.chart.set_comparison(compared if wanted.against else None)
        self.chart.show_runs(runs, roofs, (*session.traces, *data.traces.values()))
        self.chart.set_view(VIEWS[wanted.view])
        assert self.chart.figure is not None  # brought up to date, so that its height is known
        self._magnified.renew()
        self._fit()

    def set_magnification(self, factor: float) -> None:
        self._factor = factor
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As large as the page's type, or larger where a chart with few rows leaves room."""
        is_on_screen = self.window().isFullScreen()
        larger = (self._factor * times for times in (() if is_on_screen else _LARGER))
        fitting = (
            each for each in larger if self.chart.least_height(round(self.width() / each)) * each <= self.height()
        )
        least = self._factor * (_ON_SCREEN if is_on_screen else 1.0)
        self._magnified.set_magnification(max(next(fitting, least), least))

    def set_theme(self, theme: Theme) -> None:
        self.chart.set_theme(theme)
        # Out of sight it would wait, and be painted as it was laid out for the last theme.
        self.chart.refresh()
        QCoreApplication.sendPostedEvents(self.chart, QEvent.Type.LayoutRequest.value)
        self._fit()
        self._magnified.renew()
