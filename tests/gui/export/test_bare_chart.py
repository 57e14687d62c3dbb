"""Charts without controls, for pages that have chosen what is shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.pictures.charts import PictureMaker
from gemmviz.gui.export.plan import Planned
from gemmviz.gui.looks.theme import LIGHT


@pytest.mark.parametrize("plot", [Plot.KERNEL_TIME, Plot.SPEEDUP, Plot.ROOFLINE, Plot.SWEEP, Plot.TRAFFIC])
def test_that_a_bare_chart_shows_its_figure_and_no_control(
    qtbot: QtBot, make_result: Callable[..., RunResult], host: Device, plot: Plot
) -> None:
    runs = (
        make_result("tiled", params=(("TILE", 8),), sweep=1),
        make_result("tiled", sweep=1),
        make_result("cpu_ijk", backend="host", params=()),
    )
    shown = Planned(plot, plot, 1 if plot is Plot.SWEEP else 0)
    chart = PictureMaker(Session("", "1", host, 0.0, runs), LIGHT, None).chart_of(shown)
    chart.set_bare(True)
    qtbot.addWidget(chart)
    chart.show()
    assert isinstance(chart, Chart)
    assert chart.figure is not None
    assert bool(chart.figure.rows) == (plot is not Plot.TRAFFIC)
    assert not [part for kind in (QPushButton, QComboBox) for part in chart.findChildren(kind) if part.isVisible()]
    chart.set_bare(False)
    assert bool(chart.figure.rows) == any(part.isVisible() for part in chart.findChildren(QPushButton))
