"""The table of the pages of figures, in the order of their tabs."""

from __future__ import annotations

from typing import Any

from gemmviz.gui.charts.accuracy_page import ACCURACY_PAGE
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import ChartSpec, PageSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.timing_chart import TIMING_PAGE
from gemmviz.gui.charts.traffic_chart import TRAFFIC_PAGE
from gemmviz.gui.referee.page import REFEREE_PAGE
from gemmviz.gui.schedule.schedules_page import SCHEDULE_PAGE
from gemmviz.gui.sweep.page import SWEEP_PAGE

PAGES: tuple[PageSpec, ...] = (TIMING_PAGE, ACCURACY_PAGE, SWEEP_PAGE, TRAFFIC_PAGE, SCHEDULE_PAGE, REFEREE_PAGE)


def chart_showing(plot: Plot) -> ChartSpec[Any]:
    """The chart that shows a plot.

    Raises:
        ValueError: no page shows it.
    """
    for page in PAGES:
        for chart in page.charts:
            if plot in chart.plots:
                return chart
    raise ValueError(f"no page of figures shows the plot {plot}: add it to a ChartSpec of a page in gui/pages/table.py")


def chart_of(widget: Page) -> ChartSpec[Any]:
    """The spec of a widget.

    Raises:
        ValueError: no page has such a chart.
    """
    for page in PAGES:
        for chart in page.charts:
            if type(widget) is chart.kind:
                return chart
    raise ValueError(f"{type(widget).__name__} is on no page of figures: add its PageSpec to gui/pages/table.py")
