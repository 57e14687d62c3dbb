"""A kernel's title beside its id, where the column of the results table has room for both."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.explain.runs.columns import PLACE, Key
from gemmviz.gui.results.cell_delegate import PADDING, title_left
from gemmviz.gui.results.table import ResultsTable
from gemmviz.gui.results.view import LEAST_TITLE, RunsView


def test_that_a_wide_column_has_the_kernels_title_beside_its_id(
    qtbot: QtBot, make_result: Callable[..., RunResult], host: Device
) -> None:
    table = ResultsTable("cpu_ijk")
    qtbot.addWidget(table)
    table.resize(1280, 220)
    view = table.findChild(QTableView, "resultsTable")
    assert view is not None

    def right_half(kernel: str) -> bytes:
        """Of the cell, where no id reaches."""
        table.show_session(Session("", "1", host, 0.0, (make_result(kernel),)))
        view.setColumnWidth(PLACE[Key.KERNEL], 400)
        table.grab()
        cell = view.visualRect(view.model().index(0, PLACE[Key.KERNEL]))
        image = view.viewport().grab(cell.adjusted(80, 0, 0, 0)).toImage()  # its bits live as long as the image
        return bytes(image.constBits())

    assert right_half("naive") != right_half("nobody")
    assert right_half("nobody") == right_half("unknown")
    table.show_session(Session("", "1", host, 0.0, (make_result("naive"),)))
    tip = view.model().index(0, PLACE[Key.KERNEL]).data(Qt.ItemDataRole.ToolTipRole)
    assert "One thread per element" in tip


def test_that_all_kernels_have_their_titles_beside_them_or_none(
    qtbot: QtBot, make_result: Callable[..., RunResult], host: Device
) -> None:
    table = ResultsTable("cpu_ijk")
    qtbot.addWidget(table)
    table.resize(1280, 220)
    view = table.findChild(RunsView, "resultsTable")
    assert view is not None
    short, long = "naive", "tiled_global_accumulate"
    table.show_session(Session("", "1", host, 0.0, tuple(map(make_result, (short, long)))))

    def title_room(kernel: str, column: int) -> QImage:
        """What stands behind the id of a kernel in a column of some width."""
        view.setColumnWidth(PLACE[Key.KERNEL], column)
        table.grab()
        row = (short, long).index(kernel)
        cell = view.visualRect(view.model().index(row, PLACE[Key.KERNEL]))
        return view.viewport().grab(cell.adjusted(title_left(view.fontMetrics(), kernel), 0, 0, 0)).toImage()

    def is_empty(image: QImage) -> bool:
        return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}) == 1

    wide = title_left(view.fontMetrics(), long) + LEAST_TITLE + PADDING
    assert not is_empty(title_room(short, wide))
    assert not is_empty(title_room(long, wide)), "cut short"
    assert is_empty(title_room(short, wide - 1)), "though its own title has room"
    assert is_empty(title_room(long, wide - 1))
