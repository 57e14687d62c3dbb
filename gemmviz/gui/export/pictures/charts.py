"""The charts of a session, built out of sight and made ready for a picture one after the other."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.accuracy_chart import AccuracyChart, AccuracyView
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.error_map.view import ErrorMapView
from gemmviz.gui.charts.sweep_chart import SweepChart
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.charts.traffic_chart import TrafficChart
from gemmviz.gui.export.plan import Charted, Planned, Plot
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.schedule.page import SchedulePage

WIDTH = 1200
"""Pixels of a picture where nothing else is asked for; its height follows from what it shows."""

TIMING = {
    Plot.KERNEL_TIME: TimingView.KERNEL,
    Plot.END_TO_END_TIME: TimingView.WHOLE,
    Plot.RATE: TimingView.RATE,
    Plot.SPEEDUP: TimingView.SPEEDUP,
    Plot.SAMPLES: TimingView.SAMPLES,
    Plot.ROOFLINE: TimingView.ROOFLINE,
}
Kind = TypeVar("Kind", TimingChart, AccuracyChart, ErrorMapView, SweepChart, TrafficChart, SchedulePage)
ACCURACY = {Plot.ERROR_BOUND: AccuracyView.BOUND, Plot.RELATIVE_ERROR: AccuracyView.RELATIVE}


def bare_chart(session: Session, plot: Plot, theme: Theme, number: int = 0) -> Chart | ErrorMapView | SchedulePage:
    """A chart of a session without its controls, to be placed where something else has chosen what is shown; `number`
    is that of a Planned.
    """
    chart = PictureMaker(session, theme, None).chart_of(Planned(plot, plot, number))
    if not isinstance(chart, ErrorMapView):
        chart.set_bare(True)
    return chart


class PictureMaker:
    """Makes a chart when it is first needed and uses it for every picture of its kind; never shown on a screen."""

    def __init__(
        self, session: Session, theme: Theme, size: tuple[int, int] | None, charted: Charted | None = None
    ) -> None:
        self._session = session
        self._charted = charted or Charted(session.runs, session.traces)
        self._theme = theme
        self._width, self._height = size if size is not None else (WIDTH, 0)
        self._made: dict[type[QWidget], Chart | ErrorMapView | SchedulePage] = {}

    def widget_for(self, one: Planned) -> QWidget:
        """A chart that shows a picture of the plan; the next call changes it."""
        chart = self.chart_of(one)
        chart.set_for_picture(True, self._width)
        chart.resize(self._width, max(self._height, chart.picture_height(self._width)))
        return chart

    def close(self) -> None:
        """Let go of the charts."""
        for chart in self._made.values():
            chart.deleteLater()
        self._made.clear()

    def chart_of(self, one: Planned) -> Chart | ErrorMapView | SchedulePage:
        """A chart that shows what a picture of the plan is of; the next call for one of its kind changes it."""
        runs, compared = self._session.runs, self._charted.runs
        if one.plot in TIMING:
            timing = self._kept(TimingChart)
            timing.show_runs(compared, self._session.roofs, self._session.traces)
            timing.set_view(TIMING[one.plot])
            return timing
        if one.plot in ACCURACY:
            accuracy = self._kept(AccuracyChart)
            accuracy.show_runs(compared)
            accuracy.set_view(ACCURACY[one.plot])
            return accuracy
        if one.plot is Plot.ERROR_MAP:
            error_map = self._kept(ErrorMapView)
            error_map.show_run(runs[one.number])
            return error_map
        if one.plot is Plot.SWEEP:
            sweep = self._kept(SweepChart)
            sweep.show_runs([run for run in runs if run.sweep == one.number])
            return sweep
        if one.plot is Plot.SCHEDULE:
            schedule = self._kept(SchedulePage)
            schedule.show_schedule(self._session.schedules[one.number])
            return schedule
        traffic = self._kept(TrafficChart)
        traffic.show_traces(self._charted.traces)
        return traffic

    def _kept(self, kind: type[Kind]) -> Kind:
        chart = self._made.get(kind)
        if not isinstance(chart, kind):
            chart = kind(self._theme)
            self._made[kind] = chart
        return chart
