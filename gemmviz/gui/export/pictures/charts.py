"""The charts of a session, built out of sight and made ready for a picture one after the other."""

from __future__ import annotations

from typing import Any

from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.page import Page
from gemmviz.gui.export.plan import Planned
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.pages.plots import Charted
from gemmviz.gui.pages.spec import ChartSpec
from gemmviz.gui.pages.table import chart_showing

WIDTH = 1200
"""Pixels of a picture where nothing else is asked for; its height follows from what it shows."""


class PictureMaker:
    """Makes a chart when it is first needed and uses it for every picture of its kind; never shown on a screen."""

    def __init__(
        self, session: Session, theme: Theme, size: tuple[int, int] | None, charted: Charted | None = None
    ) -> None:
        self._session = session
        self._charted = charted or Charted(session.runs, session.traces)
        self._theme = theme
        self._width, self._height = size if size is not None else (WIDTH, 0)
        self._made: dict[ChartSpec[Any], Page] = {}

    def widget_for(self, one: Planned) -> Page:
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

    def chart_of(self, one: Planned) -> Page:
        """A chart that shows what a picture of the plan is of; the next call for one of its kind changes it.

        Raises:
            ValueError: no page of figures shows that plot.
        """
        spec = chart_showing(one.plot)
        chart = self._made.get(spec)
        if chart is None:
            chart = self._made[spec] = spec.make(self._theme)
        spec.show_picture(chart, self._session, self._charted, one.plot, one.number)
        return chart
