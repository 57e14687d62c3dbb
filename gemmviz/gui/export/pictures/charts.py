"""The charts of a session, built out of sight and made ready for a picture one after the other."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.chart import LARGE_WIDTH, Chart
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import ChartSpec
from gemmviz.gui.charts.plot_table import Charted
from gemmviz.gui.export.plan import Planned
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.pages.table import chart_showing

WIDTH = 1200
"""Pixels of a picture where nothing else is asked for; its height follows from what it shows."""
_STEP, _MOST_STEP = 20, 64
"""Units between widths that are tried; and at most, where a step is to give whole units down as well as across."""


class PictureMaker:
    """Makes a chart when it is first needed and uses it for every picture of its kind; never shown on a screen. Where
    they are `dense`, rows have one line each, whatever room there is.
    """

    def __init__(
        self,
        session: Session,
        theme: Theme,
        size: tuple[int, int] | None,
        charted: Charted | None = None,
        *,
        dense: bool = False,
    ) -> None:
        self._session = session
        self._charted = charted or Charted(session.runs, session.traces)
        self.theme = theme
        self._width, self._height = size if size is not None else (WIDTH, 0)
        self._is_dense = dense
        self._made: dict[ChartSpec[Any], Page] = {}
        self.magnification = 1.0
        """Pixels of a unit of the last widget."""

    def widget_for(self, one: Planned) -> Page:
        """A chart that shows a picture of the plan; the next call changes it.

        Where a size was asked for, it is that size in units of `magnification` pixels: its letters are as large as in a
        presentation, or as large as all its rows and notes leave room for. Many rows have one line each; one with more
        is higher.
        """
        chart = self.chart_of(one)
        units = self._fill(chart)
        self.magnification = self._width / units
        height = round(self._height * units / self._width)
        chart.setMinimumSize(0, 0)  # out of sight it would keep that of the picture before
        chart.resize(units, max(height, chart.picture_height(units)))
        return chart

    def _fill(self, chart: Page) -> int:
        """Fill a chart for a picture; the units that it is wide."""
        width, height = self._width, self._height
        tried = []
        if height:
            exact = width // math.gcd(width, height)
            step = exact if exact <= _MOST_STEP else _STEP
            tried = [units for units in range(step, width, step) if units >= LARGE_WIDTH]
        # Rows that have no room in two lines get one each, sooner than the picture is higher than was asked for.
        for dense, units in product((False, True) if height else (self._is_dense,), (*tried, width)):
            if isinstance(chart, Chart):
                chart.set_for_picture(True, units, dense=dense, height=units * height // width)
            else:
                chart.set_for_picture(True, units, large=bool(height))
            if chart.picture_height(units) * width <= height * units:
                return units
        return width

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
            chart = self._made[spec] = spec.make(self.theme)
        spec.show_picture(chart, self._session, self._charted, one.plot, one.number)
        return chart
