"""Which columns of the results are copied: those in sight, or all."""

from __future__ import annotations

from collections.abc import Callable

from driving import part
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.gui.results.table import ResultsTable
from gemmviz.gui.results.view import RunsView


def test_that_a_copy_has_the_columns_in_sight_and_a_whole_copy_those_to_scroll_to(
    make_result: Callable[..., RunResult], host: Device, qtbot: QtBot
) -> None:
    table = ResultsTable()
    qtbot.addWidget(table)
    table.resize(1280, 220)
    table.show()
    table.show_session(Session("", "1", host, 0.0, (make_result("naive"), make_result("tiled"))))
    view = part(table, RunsView, "resultsTable")
    whole = table.copy_text(whole=True).splitlines()[0].split("\t")
    table.resize(420, 220)
    seen = table.copy_text().splitlines()[0].split("\t")
    assert seen[0] == "kernel"
    assert seen == whole[: len(seen)]
    assert len(seen) < len(whole)
    bar = view.horizontalScrollBar()
    bar.setValue(bar.maximum())
    scrolled = table.copy_text().splitlines()[0].split("\t")
    assert scrolled[0] == "kernel", "a row keeps its name"
    assert scrolled[1:] == whole[-len(scrolled) + 1 :]
    assert table.copy_text(whole=True).splitlines()[0].split("\t") == whole
    with qtbot.waitSignal(table.rows_copied) as told:
        part(table, QToolButton, "resultsCopy").click()
    assert told.args[0].startswith("2 rows copied, ")
    assert told.args[0].endswith(f" of {len(view.places_shown())} columns")
    assert QApplication.clipboard().text().splitlines()[0].split("\t") == scrolled
