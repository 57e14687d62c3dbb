"""The kernels of the results stay in sight where a person scrolls to the right."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.explain.runs.columns import PLACE, Key
from gemmviz.gui.results.frozen_column import FrozenColumn
from gemmviz.gui.results.model import ResultRole
from gemmviz.gui.results.table import ResultsTable
from gemmviz.gui.results.view import RunsView


@pytest.fixture
def table(qtbot: QtBot, make_result: Callable[..., RunResult], host: Device) -> ResultsTable:
    table = ResultsTable()
    qtbot.addWidget(table)
    runs = tuple(make_result(f"kernel_{number:02}", (1.0 + number,) * 4) for number in range(40))
    table.show_session(Session("", "1", host, 0.0, runs))
    table.resize(460, 260)
    table.show()
    QApplication.processEvents()
    return table


def test_that_the_kernels_stay_in_sight_and_go_back_into_the_table(qtbot: QtBot, table: ResultsTable) -> None:
    view, frozen = table.findChild(RunsView), table.findChild(FrozenColumn)
    bar = view.horizontalScrollBar()
    assert bar.maximum() > 0
    assert frozen.isHidden()
    bar.setValue(bar.maximum())
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    QApplication.processEvents()
    assert frozen.isVisible()
    kernel = PLACE[Key.KERNEL]
    last = frozen.model().index(frozen.model().rowCount() - 1, kernel)
    assert frozen.visualRect(last).top() == view.visualRect(last).top(), "a row is one line"
    assert frozen.columnViewportPosition(kernel) == 0
    assert frozen.columnWidth(kernel) == view.columnWidth(kernel)
    place = frozen.visualRect(last).center()
    qtbot.mouseClick(frozen.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [run.spec.kernel for run in table.selected()] == ["kernel_39"]
    bar.setValue(0)
    assert frozen.isHidden()


def test_that_the_heading_of_the_kernels_sorts_the_table(qtbot: QtBot, table: ResultsTable) -> None:
    view, frozen = table.findChild(RunsView), table.findChild(FrozenColumn)
    view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum())
    QApplication.processEvents()
    first = view.model().index(0, PLACE[Key.KERNEL])
    for expected in ("kernel_00", "kernel_39"):
        qtbot.mouseClick(frozen.horizontalHeader().viewport(), Qt.MouseButton.LeftButton)
        assert first.data() == expected


def test_that_the_row_under_the_mouse_is_told_in_either_part_of_the_table(qtbot: QtBot, table: ResultsTable) -> None:
    view, frozen = table.findChild(RunsView), table.findChild(FrozenColumn)
    told: list[object] = []
    view.scrollToTop()
    table.pointed.connect(told.append)
    qtbot.mouseMove(view.viewport(), view.visualRect(view.model().index(1, 0)).center())
    qtbot.waitUntil(lambda: bool(told))
    assert told[-1] is view.model().index(1, 0).data(ResultRole.ITEM)
    view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum())
    QApplication.processEvents()
    qtbot.mouseMove(frozen.viewport(), frozen.visualRect(frozen.model().index(2, 0)).center())
    qtbot.waitUntil(lambda: told[-1] is view.model().index(2, 0).data(ResultRole.ITEM))
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert told[-1] is None
