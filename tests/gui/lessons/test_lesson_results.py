"""What a lesson has found stands above the chart that shows it."""

from __future__ import annotations

from typing import Any

from lesson_scenes import LESSONS
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.timing_chart import TIMING_CHART
from gemmviz.gui.charts.traffic_chart import TRAFFIC_CHART
from gemmviz.gui.control.lessons.lesson_results import LessonResults
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.pages.pages import Pages


def test_that_a_verdict_stands_above_the_chart_of_its_lesson_until_another_begins(qtbot: QtBot, make_run: Any) -> None:
    pages = Pages(LIGHT)
    for _, widget in pages.tabs:
        qtbot.addWidget(widget)
    results, session = LessonResults(pages), Session("2026-11-23T10:00:00+00:00", "1", make_run().device, 1.0)
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
    results.begin("coalescing", session)
    assert all(verdict.isHidden() for verdict in verdicts)
