"""Beside an open list of all notes the rows of a chart stay legible; the list scrolls."""

from __future__ import annotations

import pytest
from gpu_runs import gpu_run, made_roofs
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.notes_label import NotesList
from gemmviz.gui.charts.plot.layout import ROOMY_ROW
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.widgets.plain_label import PlainLabel


@pytest.mark.parametrize("rows", [2, 3])
def test_that_rows_stay_legible_beside_an_open_list(qtbot: QtBot, rows: int) -> None:
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.show_runs([gpu_run(f"k{number}", (2.0 + number,) * 3) for number in range(rows)], (made_roofs(),))
    chart.set_view(TimingView.WHOLE)
    chart.resize(600, 400)
    chart.show()
    QApplication.processEvents()
    link, notes = chart.findChild(QPushButton, "notesLink"), chart.findChild(NotesList)
    assert link is not None
    assert notes is not None
    link.click()
    QApplication.processEvents()
    assert chart.plot.plot_layout().cell >= ROOMY_ROW
    assert notes.height() >= 2 * notes.fontMetrics().lineSpacing()
    assert notes.verticalScrollBar().maximum() > 0


def test_that_an_open_list_stays_open_with_whole_lines_where_another_view_is_shown(qtbot: QtBot) -> None:
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.show_runs([gpu_run(f"k{number}", (2.0 + number,) * 3) for number in range(9)], (made_roofs(),))
    chart.resize(640, 400)
    chart.show()
    QApplication.processEvents()
    link, notes = chart.findChild(QPushButton, "notesLink"), chart.findChild(NotesList)
    assert link is not None
    assert notes is not None
    chart.set_view(TimingView.SPEEDUP)
    QApplication.processEvents()
    link.click()
    for view in (TimingView.SPEEDUP, TimingView.WHOLE, TimingView.SPEEDUP):
        chart.set_view(view)
        chart.refresh()
        for _ in range(4):
            QApplication.processEvents()
        assert notes.height() >= 3 * notes.fontMetrics().lineSpacing()
        assert notes.verticalScrollBar().maximum() > 0
        shown = [label for label in notes.findChildren(PlainLabel) if label.y() < notes.height()]
        last = max(shown, key=PlainLabel.y)
        below = notes.height() - last.y() - last.contentsMargins().top()
        assert below % last.fontMetrics().lineSpacing() == 0 or below >= last.height(), "no line is cut"
        assert last.font().pointSizeF() == notes.font().pointSizeF()


def test_that_a_verdict_leaves_all_notes_where_there_is_room_for_them(qtbot: QtBot) -> None:
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.show_runs([gpu_run(name, (2.0,) * 3) for name in ("naive", "tiled")], (made_roofs(),))
    chart.show_verdict("Lesson 1: tiled is 8 times as fast.")
    chart.show()
    link = chart.findChild(QPushButton, "notesLink")
    assert link is not None
    for height, is_folded in ((320, True), (700, False)):
        chart.resize(640, height)
        for _ in range(4):
            QApplication.processEvents()
        assert link.isVisible() == is_folded
