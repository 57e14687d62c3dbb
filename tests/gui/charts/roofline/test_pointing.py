"""The run under the mouse stands out among the others of the roofline."""

from __future__ import annotations

from gpu_runs import gpu_run, made_roofs
from PySide6.QtCore import QPoint, QRect
from pytestqt.qtbot import QtBot

from gemmviz.explain.figures.roofline.roofline import roofline_of
from gemmviz.gui.charts.roofline.plot import RooflinePlot
from gemmviz.gui.looks.theme import LIGHT


def test_that_the_marks_of_other_runs_step_back(qtbot: QtBot) -> None:
    plot = RooflinePlot(LIGHT)
    qtbot.addWidget(plot)
    plot.resize(800, 500)
    shown = roofline_of([gpu_run(ms=(2.0,) * 3), gpu_run(ms=(20.0,) * 3)], (made_roofs(),))
    plot.show_roofline(shown)
    plot.show()
    here, there = (plot.place_of(point.stand, point.gflops).toPoint() for point in shown.points)
    around = [QRect(at - QPoint(8, 8), at + QPoint(8, 8)) for at in (here, there)]
    before = plot.grab().toImage()
    qtbot.mouseMove(plot, here)
    during = plot.grab().toImage()
    assert [during.copy(place) == before.copy(place) for place in around] == [True, False]
    qtbot.mouseMove(plot, here + QPoint(60, 60))
    assert plot.grab().toImage() == before
