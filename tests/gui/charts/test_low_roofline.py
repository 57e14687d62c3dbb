"""The roofline in a low page: numbers for all marks, and a list of names that scrolls."""

from __future__ import annotations

import itertools
import math

import pytest
from gpu_runs import gpu_run, made_roofs
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.explain.figures.roofline.roofline import roofline_of
from gemmviz.gui.charts.plot.legend import Legend
from gemmviz.gui.charts.roofline.labels import boxes_along, crosses
from gemmviz.gui.charts.roofline.plane_text import BETWEEN
from gemmviz.gui.charts.roofline.plot import RooflinePlot
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.looks.theme import LIGHT


@pytest.fixture
def plot(qtbot: QtBot) -> RooflinePlot:
    made = RooflinePlot(LIGHT)
    qtbot.addWidget(made)
    return made


def test_that_marks_of_a_low_plane_have_numbers_alone_and_a_list_that_scrolls(plot: RooflinePlot) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    shown = roofline_of(session.runs, session.roofs, session.traces)
    plot.resize(626, 206)
    plot.show_roofline(shown)
    plot.show()
    assert plot.area.height() >= 130.0
    whole = " ".join(plot.lines_beside)
    named = " ".join((whole, *(label.words for label, _ in plot.written.names)))
    assert [point.name for point in shown.points if point.name not in named] == [], (
        "every name is in sight in a low window"
    )
    assert "scroll" not in whole
    plot.resize(626, 176)
    written = plot.written
    assert {label.words for label, _ in written.names} == set(written.keys.values())
    assert set(written.keys) == {point.name for point in shown.points}
    first = plot.lines_beside
    below = [key for key in plot.words_below.split(BETWEEN)[1:] if key.split(" ")[0] not in " ".join(first)]
    assert first[-1] == f"scroll here for {len(below)} more"
    at = QPointF(plot.width() - 40.0, 60.0)
    wheel = QWheelEvent(
        at,
        at,
        QPoint(),
        QPoint(0, -120 * 20),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(plot, wheel)
    last = plot.lines_beside
    assert last[-1] == "scroll here for the first ones"
    keys = " ".join(plot.words_below.split(BETWEEN)[1:])
    assert keys.endswith(last[-2])
    assert keys.startswith(first[0])
    metrics = QFontMetricsF(plot._fonts.note)
    assert len(last) * math.ceil(metrics.lineSpacing()) <= plot.height(), "no line is cut"
    assert max(map(metrics.horizontalAdvance, (*first, *last))) <= plot._beside.width()


def test_that_notes_that_get_fewer_lines_leave_their_height_to_the_plane(qtbot: QtBot) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.resize(674, 415)
    chart.show_runs(session.runs, session.roofs, session.traces)
    chart.set_view(TimingView.ROOFLINE)
    chart.show()
    for size in ((674, 621), (1094, 655), (674, 415), (1094, 655)):
        chart.resize(*size)
        notes = chart._notes
        qtbot.waitUntil(lambda notes=notes: notes.height() == notes.heightForWidth(notes.width()))


@pytest.mark.parametrize("size", [(626, 235), (626, 250), (900, 300), (1045, 380), (1500, 700)])
def test_that_every_roof_has_its_words_and_no_line_runs_through_them(plot: RooflinePlot, size: tuple[int, int]) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    shown = roofline_of(session.runs, session.roofs, session.traces)
    plot.resize(*size)
    plot.show_roofline(shown)
    roofs = plot.written.roofs
    assert {label.words for label, _ in roofs} == {line.words for line in shown.lines}
    for line in shown.lines:
        low, ridge, high = (
            (shown.x.low, line.gb_per_s * shown.x.low),
            (line.ridge, line.gflops),
            (shown.x.high, line.gflops),
        )
        ends = [plot.place_of(*each).toTuple() for each in (low, ridge, high)]
        for start, end in itertools.pairwise(ends):
            assert not [label.words for label, box in roofs if crosses(box, boxes_along(start, end, 0.5))]


def test_that_the_title_stands_above_the_legend_however_low_the_chart(qtbot: QtBot) -> None:
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs([gpu_run()], (made_roofs(),))
    chart.set_view(TimingView.ROOFLINE)
    chart.show()
    for height, is_beside in ((900, False), (300, True)):
        chart.resize(800, height)
        QApplication.processEvents()
        title, subtitle = chart._title.geometry(), chart._subtitle.geometry()
        legend = chart.findChild(Legend)
        assert legend is not None
        assert chart._title.text() == "Roofline"
        assert max(title.bottom(), subtitle.bottom()) < legend.y()
        assert (subtitle.left() > title.right()) is is_beside


def test_that_the_head_of_a_chart_that_was_narrow_is_as_high_as_before(qtbot: QtBot) -> None:
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs([gpu_run()], (made_roofs(),))
    chart.set_view(TimingView.ROOFLINE)
    chart.show()
    legend = chart.findChild(Legend)
    assert legend is not None
    tops = []
    for width in (800, 330, 800):
        chart.resize(width, 900)
        QApplication.processEvents()
        tops.append(legend.y())
    assert tops[0] == tops[2] < tops[1]


def test_that_the_subtitle_stands_beside_the_title_only_where_it_takes_no_more_lines(qtbot: QtBot) -> None:
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs([gpu_run()], (made_roofs(),))
    chart.set_view(TimingView.ROOFLINE)
    chart.show()
    for width, is_beside in ((800, True), (560, False), (800, True)):
        chart.resize(width, 300)
        QApplication.processEvents()
        title, subtitle = chart._title.geometry(), chart._subtitle.geometry()
        assert (subtitle.left() > title.right()) is is_beside
