"""What a lesson has found stands above the chart that shows it."""

from __future__ import annotations

from typing import Any

from lesson_scenes import LESSONS
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.timing_chart import TIMING_CHART
from gemmviz.gui.charts.traffic_chart import TRAFFIC_CHART
from gemmviz.gui.control.lessons.lesson_results import LessonResults
from gemmviz.gui.layout.dock_strips import DockStrips
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.pages.pages import Pages


def strips_of(qtbot: QtBot) -> tuple[DockStrips, QDockWidget]:
    """The panels of a window that has one, and that panel."""
    window, dock, middle = QMainWindow(), QDockWidget("Figures"), QWidget()
    qtbot.addWidget(window)
    window.setCentralWidget(middle)
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    window.show()
    return DockStrips(window, {"figures": dock}, QVBoxLayout(middle)), dock


def test_that_panels_are_folded_beside_the_times_of_a_lesson_until_it_is_followed_no_more(
    qtbot: QtBot, make_run: Any
) -> None:
    session = Session("2026-11-23T10:00:00+00:00", "1", make_run().device, 1.0)
    strips, dock = strips_of(qtbot)
    results = LessonResults(Pages(LIGHT), strips)
    results.begin("race", session)
    results.stand_alone(LESSONS["race"])
    assert not dock.isHidden(), "its page is that of memory, where the source is needed"
    results.begin("tiling", session)
    results.stand_alone(LESSONS["tiling"])
    assert dock.isHidden()
    results.end(session)
    assert not dock.isHidden()
    strips.fold_all()
    results.end(session)
    assert dock.isHidden(), "a person folded it"


def test_that_a_panel_that_only_another_page_shows_is_folded_with_the_others_and_comes_back_with_them(
    qtbot: QtBot, make_run: Any
) -> None:
    session = Session("2026-11-23T10:00:00+00:00", "1", make_run().device, 1.0)
    strips, dock = strips_of(qtbot)
    results = LessonResults(Pages(LIGHT), strips)
    results.begin("tiling", session)
    results.keep_alone(lambda: None)
    assert not dock.isHidden(), "nothing was folded"
    results.stand_alone(LESSONS["tiling"])
    results.keep_alone(dock.show)
    assert dock.isHidden()
    dock.show()
    results.keep_alone(lambda: None)
    assert not dock.isHidden(), "a person opened it"
    dock.hide()
    results.end(session)
    assert not dock.isHidden()


def test_that_panels_that_showed_only_after_a_lesson_began_are_folded_once_its_chart_shows(
    qtbot: QtBot, make_run: Any
) -> None:
    session = Session("2026-11-23T10:00:00+00:00", "1", make_run().device, 1.0)
    strips, dock = strips_of(qtbot)
    results = LessonResults(Pages(LIGHT), strips)
    dock.hide()  # as on the first page
    results.begin("coalescing", session)
    results.stand_alone(LESSONS["coalescing"])
    dock.show()
    results.stand_alone_late(LESSONS["coalescing"])
    assert dock.isHidden()
    dock.show()
    results.stand_alone_late(LESSONS["coalescing"])
    assert not dock.isHidden(), "a person opened it"
    dock.hide()
    results.end(session)
    assert not dock.isHidden()


def test_that_a_verdict_stands_above_the_chart_of_its_lesson_until_another_begins(qtbot: QtBot, make_run: Any) -> None:
    pages = Pages(LIGHT)
    for _, widget in pages.tabs:
        qtbot.addWidget(widget)
    results, session = (
        LessonResults(pages, strips_of(qtbot)[0]),
        Session("2026-11-23T10:00:00+00:00", "1", make_run().device, 1.0),
    )
    timing, traffic = pages.chart(TIMING_CHART), pages.chart(TRAFFIC_CHART)
    verdicts = [chart.findChild(QLabel, "chartVerdict") for chart in (timing, traffic)]
    results.begin("tiling", session)
    timing.show_runs([make_run(), make_run("tiled")])
    results.show_verdict(LESSONS["tiling"], "tiled is 16.0 times as fast as naive")
    timing.resize(700, 400)
    timing.show()
    QApplication.processEvents()
    assert verdicts[0].text() == "Lesson 1: tiled is 16.0 times as fast as naive."
    assert verdicts[0].isVisible()
    assert verdicts[0].geometry().bottom() < timing.plot.y()
    results.show_verdict(LESSONS["coalescing"], "naive 2.00 sectors per request", "Traffic")
    assert [verdict.text() for verdict in verdicts] == ["", "Lesson 2: naive 2.00 sectors per request."]
    assert results.concluded is LESSONS["coalescing"]
    results.begin("coalescing", session)
    assert results.concluded is None
    assert all(verdict.isHidden() for verdict in verdicts)
