"""Why something did not run, in its row of the results."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import RunError, Session
from gemmviz.explain.runs.columns import PLACE, Key
from gemmviz.gui.files.edits import NO_DEVICE
from gemmviz.gui.results.cell_delegate import SAME_REASON, ReasonDelegate
from gemmviz.gui.results.table import ResultsTable
from gemmviz.gui.results.view import RunsView


@pytest.fixture
def table(qtbot: QtBot) -> ResultsTable:
    made = ResultsTable()
    qtbot.addWidget(made)
    return made


def test_that_rows_with_one_reason_say_it_once(table: ResultsTable) -> None:
    told = ("naive", "too large"), ("tiled", "tiled: too large"), ("tiled", "no GPU")
    errors = tuple(RunError(kernel, why) for kernel, why in told)
    table.show_session(Session("", "1", NO_DEVICE, 0.0, (), errors))
    view = table.findChild(RunsView)
    assert isinstance(view, RunsView)
    reasons = view.itemDelegate()
    assert isinstance(reasons, ReasonDelegate)
    shown = [reasons.words_of(view.model().index(row, PLACE[Key.MEDIAN])) for row in range(3)]
    assert shown == ["too large", SAME_REASON, "no GPU"]
