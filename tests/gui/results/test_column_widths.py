"""How wide the columns of the results are: what is told first is in sight, and no figure or heading is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.explain.runs.columns import COLUMNS, PLACE, Key
from gemmviz.gui.looks.fonts import figures
from gemmviz.gui.results.column_fit import ColumnNeed, fitted_widths
from gemmviz.gui.results.table import ResultsTable
from gemmviz.gui.results.view import RunsView

Make = Callable[..., RunResult]
MANY = (("BM", 128), ("BN", 256), ("TM", 8), ("TN", 16), ("STAGES", 4))
AT_1280, AT_1440 = 674, 834
"""Pixels of the results dock in a window as wide, with the docks at both sides."""
TOLD_FIRST = Key.KERNEL, Key.PARAMS, Key.MEDIAN, Key.GFLOPS, Key.TIMES_CPU, Key.ERROR


@pytest.fixture
def table(qtbot: QtBot) -> ResultsTable:
    table = ResultsTable("cpu_ijk")
    qtbot.addWidget(table)
    table.show()
    return table


@pytest.fixture
def session(make_result: Make, host: Device) -> Session:
    big = "4096x4096x4096"
    runs = tuple(make_result(f"kernel_{n:02}_accumulated", (1.25 + n,) * 9, shape=big, params=MANY) for n in range(19))
    cpu = make_result("cpu_ijk", (8000.0,) * 2, backend="host", params=(), shape=big)
    return Session("", "1", host, 0.0, (*runs, cpu))


def places(view: RunsView) -> Iterator[tuple[int, int, int]]:
    """Of each column in sight, its place and its left and right edges in pixels."""
    for place in view.places_in_order():
        if not view.isColumnHidden(place):
            left = view.columnViewportPosition(place)
            yield place, left, left + view.columnWidth(place)


@pytest.mark.parametrize("width", [AT_1280, AT_1440, 1310])
def test_that_what_is_told_first_is_in_sight_and_nothing_is_cut(
    table: ResultsTable, session: Session, width: int
) -> None:
    table.resize(width, 220)
    table.show_session(session)
    view = table.findChild(RunsView)
    assert isinstance(view, RunsView)
    room = view.viewport().width()
    right = {COLUMNS[place].key: right for place, _, right in places(view)}
    assert max(right[key] for key in TOLD_FIRST) <= room
    assert not [place for place, left, end in places(view) if left < room < end], "a column is cut by the edge"
    for place, left, end in places(view):
        column = COLUMNS[place]
        heading = view.horizontalHeader().fontMetrics().horizontalAdvance(column.title)
        assert heading + 18 <= end - left, column.title
        if column.is_figure:
            longest = max((view.model().index(row, place).data() for row in range(20)), key=len)
            assert QFontMetrics(figures()).horizontalAdvance(longest) + 18 <= end - left, column.title
    if width == AT_1280:
        assert view.columnWidth(PLACE[Key.PARAMS]) >= view.fontMetrics().horizontalAdvance("BM=128 BN=256 TM=8 TN=16")


def test_that_parameters_without_room_are_cut_at_their_end_and_are_whole_in_the_tooltip(
    table: ResultsTable, session: Session
) -> None:
    table.show_session(session)
    view = table.findChild(RunsView)
    assert isinstance(view, RunsView)
    index = view.model().index(0, PLACE[Key.PARAMS])
    option = QStyleOptionViewItem()
    delegate = view.itemDelegate()
    assert isinstance(delegate, QStyledItemDelegate)
    delegate.initStyleOption(option, index)
    assert option.textElideMode is Qt.TextElideMode.ElideRight
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "BM=128 BN=256 TM=8 TN=16 STAGES=4"


def test_that_a_heading_has_room_for_the_arrow_of_its_order(table: ResultsTable, session: Session) -> None:
    table.resize(AT_1280, 220)
    table.show_session(session)
    view = table.findChild(RunsView)
    assert isinstance(view, RunsView)
    before = view.columnWidth(PLACE[Key.TIMES_CPU])
    view.sortByColumn(PLACE[Key.TIMES_CPU], Qt.SortOrder.DescendingOrder)
    heading = view.horizontalHeader().fontMetrics().horizontalAdvance("× CPU")
    assert view.columnWidth(PLACE[Key.TIMES_CPU]) >= max(before, heading + 18 + 16)


def test_that_a_column_keeps_the_width_a_person_gave_it(table: ResultsTable, session: Session, qtbot: QtBot) -> None:
    table.resize(1310, 220)
    arranged = table.state()
    table.show_session(session)
    view, place = table.findChild(RunsView), PLACE[Key.PARAMS]
    assert isinstance(view, RunsView)
    assert view.columnWidth(place) > view.fontMetrics().horizontalAdvance("BM=128 BN=256 TM=8 TN=16 STAGES=4")
    assert table.state() == arranged, "not a width of a person's"
    view.setColumnWidth(place, 77)
    table.resize(AT_1280, 220)
    assert view.columnWidth(place) == 77
    other = ResultsTable("cpu_ijk")
    qtbot.addWidget(other)
    assert other.restore(table.state())
    other.show_session(session)
    assert other.findChild(RunsView).columnWidth(place) == 77


@pytest.mark.parametrize(("room", "params"), [(320, 140), (290, 140), (240, 60)])
def test_that_parameters_are_whole_before_a_ratio_to_the_library_is_in_sight(room: int, params: int) -> None:
    needs = (*NEEDS[:3], ColumnNeed(Key.TIMES_LIBRARY, 70, 70))
    assert fitted_widths(needs, room)[1] == min(params, room - 180)


NEEDS = (
    ColumnNeed(Key.KERNEL, 100, 180),
    ColumnNeed(Key.PARAMS, 60, 140),
    ColumnNeed(Key.MEDIAN, 80, 80),
    ColumnNeed(Key.SAMPLES, 50, 50),
)


@pytest.mark.parametrize(
    ("room", "widths"),
    [
        (600, [180, 140, 80, 50]),
        (450, [180, 140, 80, 50]),
        (400, [130, 140, 80, 50]),
        (369, [149, 140, 80, 50]),
        (240, [100, 60, 80, 50]),
        (239, [100, 139, 80, 50]),
        (90, [100, 60, 80, 50]),
    ],
)
def test_that_columns_share_the_room(room: int, widths: list[int]) -> None:
    assert fitted_widths(NEEDS, room) == widths
