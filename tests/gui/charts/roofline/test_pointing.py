"""The run under the mouse stands out among the others of the roofline."""

from __future__ import annotations

import pytest
from gpu_runs import gpu_run, made_roofs
from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.explain.figures.roofline.roofline import roofline_of
from gemmviz.gui.charts.roofline.plot import RooflinePlot
from gemmviz.gui.looks.theme import LIGHT


@pytest.fixture(scope="module")
def ladder() -> Session:
    return load_session(next(one.path for one in load_examples() if one.id == "gpu-ladder"))


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


def test_that_a_name_in_the_list_and_a_number_light_the_marks_they_stand_for(qtbot: QtBot, ladder: Session) -> None:
    plot = RooflinePlot(LIGHT)
    qtbot.addWidget(plot)
    plot.resize(640, 240)
    plot.show_roofline(roofline_of(ladder.runs, ladder.roofs, ladder.traces))
    written = plot.written
    assert written.keys, "numbers in a low plane"
    metrics = QFontMetricsF(plot._fonts.note)
    for line in plot._listed[1:6]:
        number = line.words.split(" ")[0]
        if number in written.keys.values():
            names = {name for name, key in written.keys.items() if key == number}
            assert {one.name for one in plot.points_meant(QPointF(line.left + 2, line.middle))} == names
            first = line.words.removeprefix(f"{number} ").split(",")[0]
            at = line.left + metrics.horizontalAdvance(f"{number} {first}") - 3
            assert [one.name for one in plot.points_meant(QPointF(at, line.middle))] == [first]
    label, (x, y) = next((label, at) for label, at in written.names if label.words in written.keys.values())
    lit = plot.points_meant(QPointF(x + label.width / 2, y))
    assert {one.name for one in lit} == {name for name, key in written.keys.items() if key == label.words}
    before = plot.grab().toImage()
    plot._light(lit)
    assert plot.grab().toImage() != before


def test_that_a_run_that_stands_back_has_no_name_until_it_is_pointed_at(qtbot: QtBot, ladder: Session) -> None:
    plot = RooflinePlot(LIGHT)
    qtbot.addWidget(plot)
    plot.resize(900, 560)
    shown = roofline_of(ladder.runs[5:6], ladder.roofs, ladder.traces, ladder.runs[:1])
    plot.show_roofline(shown)
    told, quiet = shown.points
    assert [label.words for label, _ in plot.written.names] == ["tiled"]
    assert (told.is_quiet, quiet.is_quiet, quiet.name) == (False, True, "naive (cached)")
    at = plot.place_of(quiet.stand, quiet.gflops)
    assert plot.points_meant(at) == (quiet,)
    assert plot.tooltip_at(at).startswith("naive")
    assert plot.lines_below == (shown.x.words,), "no number either"
