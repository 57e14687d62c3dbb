"""What the heading, the axis and the legend of a chart say of the terms that they use."""

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.plot.legend import Legend
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.looks.theme import LIGHT


@pytest.fixture
def chart(qtbot: QtBot, make_run: Any) -> TimingChart:
    made = TimingChart(LIGHT)
    qtbot.addWidget(made)
    made.show_runs([make_run("naive"), make_run("tiled")])
    return made


def test_that_the_heading_of_a_chart_explains_the_terms_of_the_title_and_the_axis(chart: TimingChart) -> None:
    chart.set_view(TimingView.RATE)
    chart.refresh()
    tip = chart._title.toolTip()
    assert tip.startswith(chart.title)
    assert "FLOP/s" in tip.split("\n\n")[1]


def test_that_the_axis_of_a_chart_explains_its_terms(chart: TimingChart) -> None:
    chart.set_view(TimingView.RATE)
    chart.refresh()
    assert "floating-point operations per second" in chart.plot.tip


def test_that_the_evidence_of_a_chart_is_explained(chart: TimingChart) -> None:
    chart.refresh()
    assert chart._evidence.toolTip().endswith("A measured figure comes from a clock or a sensor.")


def test_that_the_legend_explains_its_terms(chart: TimingChart) -> None:
    chart.refresh()
    legend = chart.findChild(Legend)
    assert legend is not None
    assert legend.toolTip().startswith("The device clock is the device's own")
