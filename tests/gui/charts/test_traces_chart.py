"""A page of recordings as CONTRIBUTING.md makes one: of a figure and a table alone."""

from __future__ import annotations

from collections.abc import Sequence

from pytestqt.qtbot import QtBot

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.figures.figure import Figure, PlotTable
from gemmviz.explain.figures.traffic.traffic import traffic_figure
from gemmviz.explain.figures.traffic.traffic_table import traffic_table
from gemmviz.explain.figures.traffic.units import Per
from gemmviz.gui.charts.plot_table import Charted, Plot
from gemmviz.gui.charts.traces_chart import TracesPlot, traces_chart
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.widgets.segments import Segment


def bytes_figure(traces: Sequence[TraceRun], names: VersionNames | None) -> Figure:
    return traffic_figure(traces, Per.RECORDING, names=names)


def totals_table(traces: Sequence[TraceRun], names: VersionNames | None) -> PlotTable:
    del names
    return PlotTable("totals", ("recordings",), ({"recordings": len(traces)},))


BYTES = TracesPlot(Plot.TRAFFIC, bytes_figure, traffic_table, Segment("ofBytes", "Bytes", "All bytes"))
TOTALS = TracesPlot(Plot.WARPS, bytes_figure, totals_table, Segment("ofTotals", "Totals", "How many"))


def test_that_a_chart_of_recordings_shows_those_that_are_compared(
    qtbot: QtBot, traces: tuple[TraceRun, TraceRun]
) -> None:
    spec = traces_chart("bytesChart", "Bytes of the recordings", BYTES, TOTALS)
    chart = spec.make(LIGHT)
    qtbot.addWidget(chart)
    assert type(chart).__name__ == "BytesChart"
    assert chart.is_blank
    assert chart.wants_controls

    session = Session("2026-01-01T00:00:00+00:00", "1", traces[0].device, 0.0, traces=traces)
    spec.fill(chart, session, Charted((), traces[:1], traces))
    assert not chart.is_blank
    assert len(chart.make_figure().rows) == 1
    assert spec.plots_shown(chart) == (Plot.TRAFFIC,)
    assert [table.rows for table in chart.tables()] == [traffic_table(traces[:1]).rows]

    spec.set_view(chart, Plot.WARPS)
    assert spec.plots_shown(chart) == (Plot.WARPS,)
    assert [table.rows for table in chart.tables()] == [({"recordings": 1},)]


def test_that_a_chart_of_one_figure_of_recordings_has_no_controls(qtbot: QtBot) -> None:
    spec = traces_chart("bytesChart", "Bytes of the recordings", BYTES)
    chart = spec.make(LIGHT)
    qtbot.addWidget(chart)
    assert not chart.wants_controls
    assert spec.plots_shown(chart) == (Plot.TRAFFIC,)
