"""In a narrow chart the legend takes the lines that its entries need, and nothing else takes room without need."""

from __future__ import annotations

import pytest
from gpu_runs import gpu_run, made_roofs
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.plot.legend import Legend
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.charts.traffic_chart import TrafficChart
from gemmviz.gui.widgets.segments import Segments


@pytest.mark.parametrize("height", [600, 390, 320])
def test_that_the_legend_has_all_its_lines_after_the_chart_became_narrow(qtbot: QtBot, height: int) -> None:
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.show_runs([gpu_run(f"k{number}", (2.0 + number,) * 3) for number in range(2)], (made_roofs(),))
    chart.set_view(TimingView.WHOLE)
    chart.resize(1500, 600)
    chart.show()
    QApplication.processEvents()
    legend = chart.findChild(Legend)
    assert legend is not None
    in_one_line = legend.height()
    for width in (400, 1500, 400):
        chart.resize(width, height)
        QApplication.processEvents()
        assert legend.height() == legend.heightForWidth(legend.width())
        assert (legend.height() > in_one_line) == (width == 400)


def test_that_no_line_is_kept_for_a_reason_that_there_is_none_of(qtbot: QtBot) -> None:
    chart = TrafficChart()
    qtbot.addWidget(chart)
    chart.resize(600, 390)
    chart.show_traces(())
    chart.grab()
    switch = chart.findChild(Segments)
    assert switch is not None
    assert chart.controls.sizeHint().height() < switch.sizeHint().height() + 10
