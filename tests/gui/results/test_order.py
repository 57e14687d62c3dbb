"""The order of the rows: what is in sight when it changes, and that it ends with its session."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QLineEdit, QTableView
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.explain.runs.columns import PLACE, Key
from gemmviz.gui.results.table import ResultsTable

Make = Callable[..., RunResult]
KERNELS = ("naive", "tiled", "tiled_transposed")


@pytest.fixture
def table(qtbot: QtBot, make_result: Make, host: Device) -> ResultsTable:
    """60 runs of three kernels, each slower than the one before it, of which the newest are in sight."""
    table = ResultsTable("cpu_ijk")
    qtbot.addWidget(table)
    table.resize(1280, 220)
    table.show()
    qtbot.waitExposed(table)
    runs = tuple(make_result(KERNELS[place % 3], (1.0 + place,) * 2) for place in range(60))
    table.show_session(Session("", "1", host, 0.0, runs))
    return table


def view_of(table: ResultsTable) -> QTableView:
    return table.findChild(QTableView, "resultsTable")


def rows_in_sight(table: ResultsTable) -> list[int]:
    view = view_of(table)
    return [
        row
        for row in range(view.model().rowCount())
        if view.viewport().rect().contains(view.visualRect(view.model().index(row, 0)).center())
    ]


def head_clicked(table: ResultsTable, qtbot: QtBot, key: Key) -> None:
    header = view_of(table).horizontalHeader()
    middle = header.sectionViewportPosition(PLACE[key]) + header.sectionSize(PLACE[key]) // 2
    place = header.viewport().rect().center()
    place.setX(middle)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_that_the_first_row_is_in_sight_after_a_click_on_a_heading(table: ResultsTable, qtbot: QtBot) -> None:
    assert 0 not in rows_in_sight(table)
    head_clicked(table, qtbot, Key.MEDIAN)
    model = view_of(table).model()
    assert isinstance(model, QSortFilterProxyModel)
    assert model.sortColumn() == PLACE[Key.MEDIAN]
    assert rows_in_sight(table)[0] == 0


def test_that_the_first_match_is_in_sight_after_filtering(table: ResultsTable) -> None:
    table.findChild(QLineEdit, "resultsFilter").setText("tiled")
    assert view_of(table).model().rowCount() == 40
    assert rows_in_sight(table)[0] == 0


def test_that_all_rows_begin_at_the_top_once_the_filter_is_cleared(table: ResultsTable) -> None:
    line = table.findChild(QLineEdit, "resultsFilter")
    line.setText("naive")
    view_of(table).scrollToBottom()
    line.clear()
    assert rows_in_sight(table)[0] == 0


def test_that_a_chosen_row_stays_in_sight_whatever_the_order(table: ResultsTable, qtbot: QtBot) -> None:
    view_of(table).selectRow(59)
    head_clicked(table, qtbot, Key.MEDIAN)
    head_clicked(table, qtbot, Key.MEDIAN)
    (chosen,) = view_of(table).selectionModel().selectedRows()
    assert chosen.row() == 0
    head_clicked(table, qtbot, Key.MEDIAN)
    (chosen,) = view_of(table).selectionModel().selectedRows()
    assert chosen.row() in rows_in_sight(table)
    assert chosen.row() == 59


def test_that_the_order_of_the_session_comes_back(table: ResultsTable, qtbot: QtBot) -> None:
    head_clicked(table, qtbot, Key.KERNEL)
    table.findChild(QLineEdit, "resultsFilter").setText("tiled")
    table.forget_order()
    model = view_of(table).model()
    assert [model.index(row, 0).data() for row in range(4)] == ["naive", "tiled", "tiled_transposed", "naive"]
    assert model.rowCount() == 60
    assert view_of(table).horizontalHeader().sortIndicatorSection() not in range(model.columnCount())


@pytest.mark.parametrize("typed", ["64x48x32", "64×48×32"])
def test_that_a_size_is_found_as_it_is_typed_and_as_it_is_shown(table: ResultsTable, typed: str) -> None:
    table.findChild(QLineEdit, "resultsFilter").setText(typed)
    assert view_of(table).model().rowCount() == 60
    table.findChild(QLineEdit, "resultsFilter").setText("64x48x33")
    assert view_of(table).model().rowCount() == 0
