"""A chart of runs that come with the program."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gemmviz.catalogue.lesson_scenes import LessonChart
from gemmviz.explain.figures.timing.rate import KernelComparison
from gemmviz.gui.charts.accuracy_chart import ACCURACY_CHART
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.notes_label import NotesLabel
from gemmviz.gui.charts.plot.layout import DENSE_ROW, ROOMY_ROW
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.timing_chart import TIMING_CHART, TimingView
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.card_scene import on_card
from gemmviz.gui.lessons.scenes.magnified import Magnified
from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.looks.fonts import words
from gemmviz.gui.looks.theme import Theme

VIEWS = {
    "kernel": TimingView.KERNEL,
    "rate": TimingView.RATE,
    "speedup": TimingView.SPEEDUP,
    "roofline": TimingView.ROOFLINE,
}
"""Those of times, by the word a lesson's file uses."""
ERROR = "error"
"""The word for the relative errors."""
_LARGER = 1.3, 1.2, 1.1
"""Times as large as the page's type: at most so that no small word of a chart is larger than the text below it."""
_ON_SCREEN = 1.6, 1.5, 1.4, 1.3, 1.2
"""So much larger than the page's type on the whole screen: small words have 28 pixels there, and less only where all
rows have room in smaller type alone. Rather than these the notes give way.
"""

_POINTS, _POINTS_ON_SCREEN = 9.5, 13.5
"""The type of notes."""
_NOTE_LINES = 2
_MARGIN, _BELOW = 24, 12
"""Pixels beside a chart, and below its notes."""
_LIST_SHARE = 0.45
"""Of the scene's height the open list of notes has so much, at most."""


class ChartScene(LessonScene):
    """Shows the chart of the Timing page, or that of relative errors, without its controls."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("lessonChart")
        self._times = TIMING_CHART.make(on_card(theme))
        self._times.setObjectName("lessonTimingChart")
        self._errors = ACCURACY_CHART.make(on_card(theme))
        self._errors.setObjectName("lessonAccuracyChart")
        card = QFrame()
        card.setProperty("role", "card")
        inside, around = QVBoxLayout(card), QVBoxLayout(self)
        inside.setContentsMargins(1, 1, 1, 1)
        around.setContentsMargins(0, 0, 0, 0)
        self._of_times, self._of_errors, self._factor = Magnified(self._times), Magnified(self._errors), 1.0
        self._of_errors.hide()
        self.notes = NotesLabel()
        self.notes.set_colour(theme.muted)
        self.notes.set_brief(_NOTE_LINES)
        self.notes.toggled.connect(self._fit)
        for chart, magnified in ((self._times, self._of_times), (self._errors, self._of_errors)):
            chart.set_bare(True)
            inside.addWidget(magnified, 1)
        below = self._below = QVBoxLayout()
        below.addWidget(self.notes)
        inside.addLayout(below)
        around.addWidget(card)

    @property
    def chart(self) -> Chart:
        """The one that is shown."""
        return self._errors if self._magnified is self._of_errors else self._times

    @property
    def plots_shown(self) -> tuple[Plot, ...]:
        """What the chart plots."""
        if self.chart is self._errors:
            return ACCURACY_CHART.plots_shown(self._errors)
        return TIMING_CHART.plots_shown(self._times)

    @property
    def _magnified(self) -> Magnified:
        return self._of_times if self._of_errors.isHidden() else self._of_errors

    def show_chart(self, wanted: LessonChart, data: LessonData) -> None:
        """Show the runs a step names."""
        for magnified in (self._of_times, self._of_errors):  # one goes first: both together would need a larger window
            magnified.setVisible(False)
        (self._of_errors if wanted.view == ERROR else self._of_times).setVisible(True)
        if wanted.view == ERROR:
            self._errors.show_runs(data.runs(wanted.session, wanted.kernels))
            self._errors.set_view(Plot.RELATIVE_ERROR)
        else:
            self._show_times(wanted, data)
        figure = self.chart.figure  # brought up to date, so that its height is known
        assert figure is not None
        self.notes.write(figure.notes)
        self.notes.setVisible(bool(figure.notes))
        self._magnified.renew()
        self._fit()

    def _show_times(self, wanted: LessonChart, data: LessonData) -> None:
        runs, session = data.runs(wanted.session, wanted.kernels), data.sessions[wanted.session]
        roofs = session.roofs if wanted.view == "roofline" else ()
        about = wanted.spoken_of if wanted.against else wanted.about
        compared = KernelComparison(about, wanted.against, data.time_unit(wanted.session))
        self._times.begin_anew()  # what another step compared with is nothing to this one
        self._times.set_comparison(compared if about else None)
        self._times.show_runs(runs, roofs, (*session.traces, *data.traces.values()))
        self._times.set_view(VIEWS[wanted.view])

    def set_magnification(self, factor: float) -> None:
        self._factor = factor
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As large as the page's type, or larger where a chart with few rows leaves room."""
        is_on_screen = self.window().isFullScreen()
        tried, row = (_ON_SCREEN, DENSE_ROW) if is_on_screen else (_LARGER, ROOMY_ROW)
        larger = (self._factor * times for times in tried)
        room = self.height() - self._share_with_notes()
        fitting = (each for each in larger if self.chart.least_height(round(self.width() / each), row) * each <= room)
        factor = next(fitting, self._factor * (tried[0] if is_on_screen else 1.0))
        self._magnified.set_magnification(factor)
        # Below the first letters of the chart.
        margin = round(_MARGIN * factor)
        self._below.setContentsMargins(margin, 0, margin, round(_BELOW * self._factor))

    def _share_with_notes(self) -> int:
        """Give the notes their type and room; the height that they take."""
        points = _POINTS_ON_SCREEN if self.window().isFullScreen() else _POINTS
        self.notes.setFont(words(points * self._factor))
        below = round(_BELOW * self._factor)
        if self.notes.isHidden():
            return below
        self.notes.set_most(round(_LIST_SHARE * self.height()))
        return self.notes.heightForWidth(self.width() - 2 * round(_MARGIN * self._factor)) + below

    def set_theme(self, theme: Theme) -> None:
        for chart in (self._times, self._errors):
            chart.set_theme(on_card(theme))
        self.notes.set_colour(theme.muted)
        # Out of sight it would wait, and be painted as it was laid out for the last theme.
        self.chart.refresh()
        QCoreApplication.sendPostedEvents(self.chart, QEvent.Type.LayoutRequest.value)
        self._fit()
        self._magnified.renew()
