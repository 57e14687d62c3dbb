"""Beside an open list of all notes the rows of a chart stay legible; the list scrolls."""

from __future__ import annotations

import pytest
from gpu_runs import gpu_run, made_roofs
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.notes_label import NotesList
from gemmviz.gui.charts.plot.layout import ROOMY_ROW
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView


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
