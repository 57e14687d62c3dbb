"""The rows of the results that are in sight are whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.gui.results.table import ResultsTable
from gemmviz.gui.results.view import ROW_HEIGHT


@pytest.mark.parametrize("height", [160, 171, 185, 220])
def test_that_the_rows_in_sight_are_whole_at_both_ends(
    qtbot: QtBot, make_result: Callable[..., RunResult], host: Device, height: int
) -> None:
    table = ResultsTable("cpu_ijk")
    qtbot.addWidget(table)
    table.show()
    runs = tuple(make_result("naive", (float(n),) * 2) for n in range(1, 30))
    table.show_session(Session("", "1", host, 0.0, runs))
    table.resize(900, height)
    shown = table.findChild(QTableView, "resultsTable")
    shown.scrollToBottom()
    qtbot.waitUntil(lambda: shown.viewport().height() % ROW_HEIGHT == 0)
    assert shown.rowViewportPosition(shown.rowAt(0)) == 0
    last = shown.model().rowCount() - 1
    assert shown.rowViewportPosition(last) + ROW_HEIGHT == shown.viewport().height()
    table.show_session(Session("", "1", host, 0.0, runs[:1]))
    qtbot.waitUntil(lambda: table.layout().contentsMargins().bottom() == 0)


def test_that_pixels_below_whole_rows_ask_for_no_height(
    qtbot: QtBot, make_result: Callable[..., RunResult], host: Device
) -> None:
    """A dock would be higher for them, in which others are left, and so on without an end."""
    table = ResultsTable("cpu_ijk")
    qtbot.addWidget(table)
    table.show()
    runs = tuple(make_result("naive", (float(n),) * 2) for n in range(1, 30))
    table.show_session(Session("", "1", host, 0.0, runs))
    least, left = set(), set()
    for height in range(200, 200 + ROW_HEIGHT):
        table.resize(900, height)
        table._show_whole_rows()
        least.add(table.minimumSizeHint().height())
        left.add(table.layout().contentsMargins().bottom())
    assert len(least) == 1
    assert left == set(range(ROW_HEIGHT))
