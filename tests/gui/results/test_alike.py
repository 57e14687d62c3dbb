"""What all rows of the results have in common stands once above them, and leaves its room to the parameters."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunError, RunResult, Session
from gemmviz.explain.runs.alike import columns_alike, words_for_alike
from gemmviz.explain.runs.columns import PLACE, Key
from gemmviz.explain.runs.rows import row_of
from gemmviz.gui.results.table import IS_ALIKE, ResultsTable
from gemmviz.gui.results.view import RunsView

Make = Callable[..., RunResult]
PARAMS = (("BM", 128), ("BN", 256), ("TM", 8), ("TN", 16))
AT_1280 = 655
NARROW = 177
"""What is left for the words above the table at 1280x800 beside the source."""


@pytest.fixture
def runs(make_result: Make) -> tuple[RunResult, ...]:
    return tuple(make_result(f"kernel_{n}", (1.0 + n,) * 9, shape="96x80x33", params=PARAMS) for n in range(3))


def shown(qtbot: QtBot, session: Session) -> ResultsTable:
    table = ResultsTable("cpu_ijk")
    qtbot.addWidget(table)
    table.resize(AT_1280, 220)
    table.show()
    table.show_session(session)
    return table


def in_common(table: ResultsTable) -> str:
    label = table.findChild(QLabel, "resultsInCommon")
    assert isinstance(label, QLabel)
    return label.text() if label.isVisibleTo(table) else ""


def is_hidden(table: ResultsTable, key: Key) -> bool:
    view = table.findChild(RunsView)
    assert isinstance(view, RunsView)
    return view.isColumnHidden(PLACE[key])


def test_that_what_is_alike_is_named_once_and_parameters_are_whole(
    qtbot: QtBot, host: Device, runs: tuple[RunResult, ...]
) -> None:
    table = shown(qtbot, Session("", "1", host, 0.0, runs))
    assert in_common(table).startswith("All: M×N×K = 96×80×33 · ")
    assert all(is_hidden(table, key) for key in (Key.SIZE, Key.DEVICE, Key.MODE))
    view = table.findChild(RunsView)
    assert isinstance(view, RunsView)
    needed = view.fontMetrics().horizontalAdvance("BM=128 BN=256 TM=8 TN=16")
    assert view.columnWidth(PLACE[Key.PARAMS]) >= needed + 18


def test_that_a_copy_says_below_once_what_is_alike(qtbot: QtBot, host: Device, runs: tuple[RunResult, ...]) -> None:
    table, _, below = shown(qtbot, Session("", "1", host, 0.0, runs)).copy_text().partition("\n\n")
    assert "size" not in table.splitlines()[0].split("\t")
    assert below.startswith("M×N×K = 96×80×33 · ")


def test_that_a_column_comes_back_with_a_row_that_differs(
    qtbot: QtBot, host: Device, runs: tuple[RunResult, ...], make_result: Make
) -> None:
    table = shown(qtbot, Session("", "1", host, 0.0, runs))
    action = table.findChild(QAction, "column_size")
    assert isinstance(action, QAction)
    assert not action.isEnabled()
    assert IS_ALIKE in action.toolTip()
    table.show_session(Session("", "1", host, 0.0, (*runs, make_result("other", (1.0,) * 9, shape="7x7x7"))))
    assert not is_hidden(table, Key.SIZE)
    assert action.isEnabled()
    assert "×" not in in_common(table)
    table.show_session(Session("", "1", host, 0.0, runs[:1]))
    assert in_common(table) == ""
    assert not is_hidden(table, Key.DEVICE)


def test_that_nothing_is_said_of_rows_that_lack_it(runs: tuple[RunResult, ...]) -> None:
    rows = [*map(row_of, runs), row_of(RunError("row_shared", "too many floats", size="96x80x33"))]
    assert columns_alike(rows) == {Key.SIZE}
    assert words_for_alike(rows, columns_alike(rows)) == "All: M×N×K = 96×80×33"
    assert columns_alike(rows[:1]) == frozenset()
    assert words_for_alike(rows, frozenset()) == ""


def test_that_different_devices_are_not_alike(make_result: Make) -> None:
    rows = [row_of(make_result("a", (1.0,) * 9)), row_of(make_result("b", (1.0,) * 9, backend="host"))]
    assert Key.DEVICE not in columns_alike(rows)


def test_that_what_is_alike_is_not_cut_in_a_narrow_window(qtbot: QtBot, host: Device, make_result: Make) -> None:
    runs = tuple(make_result(f"kernel_{n}", (1.0 + n,) * 9, shape="4096x4096x4096") for n in range(2))
    table = shown(qtbot, Session("", "1", host, 0.0, runs))
    label = table.findChild(QLabel, "resultsInCommon")
    assert isinstance(label, QLabel)
    table.resize(AT_1280 - (label.width() - NARROW), 220)
    table.grab()
    assert label.width() == NARROW
    assert in_common(table) == "4096×4096×4096 · pocl · cold"
    assert "All: M×N×K = 4096×4096×4096 · pocl · cold" in label.toolTip()
