"""How wide the column of parameters is."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.explain.runs.columns import PLACE, Key
from gemmviz.gui.results.table import ResultsTable


def test_that_parameters_are_whole_where_there_is_room_and_keep_the_width_a_person_gave_them(
    qtbot: QtBot, make_result: Callable[..., RunResult], host: Device
) -> None:
    table = ResultsTable("cpu_ijk")
    qtbot.addWidget(table)
    table.resize(1280, 220)
    table.show()
    view, place = table._view, PLACE[Key.PARAMS]
    long = make_result(params=(("BM", 128), ("BN", 256), ("TM", 8), ("TN", 16)))
    before = view.columnWidth(place)
    arranged = table.state()
    table.show_session(Session("", "1", host, 0.0, (long,)))
    assert view.columnWidth(place) > view.fontMetrics().horizontalAdvance("BM=128 BN=256 TM=8 TN=16") > before
    assert table.state() == arranged, "not a width of a person's"
    table.resize(655, 220)
    number = PLACE[Key.SAMPLES]
    right = view.columnViewportPosition(number) + view.columnWidth(number)
    assert right <= view.viewport().width(), "median, IQR and n are in sight beside the parameters"
    table.resize(400, 220)
    assert view.columnWidth(place) == before
    view.setColumnWidth(place, 77)
    table.resize(1280, 220)
    assert view.columnWidth(place) == 77
