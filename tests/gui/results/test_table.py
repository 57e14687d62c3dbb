"""The results table: choosing, copying, deleting, filtering, its columns and keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunError, RunResult, Session
from gemmviz.explain.runs.columns import COLUMNS, PLACE, Key
from gemmviz.gui.looks.theme import DARK
from gemmviz.gui.results.arrangement import Arrangement, ColumnPlace
from gemmviz.gui.results.cell_delegate import ReasonDelegate
from gemmviz.gui.results.heading import caption
from gemmviz.gui.results.table import ResultsTable
from gemmviz.gui.results.view import RunsView

Make = Callable[..., RunResult]
FLAGS = QItemSelectionModel.SelectionFlag


@pytest.fixture
def table(qtbot: QtBot) -> ResultsTable:
    table = ResultsTable("cpu_ijk")
    qtbot.addWidget(table)
    table.resize(1280, 220)
    table.show()
    qtbot.waitExposed(table)
    return table


@pytest.fixture
def session(make_result: Make, host: Device) -> Session:
    runs = (
        make_result("naive", (9.0,) * 2, finished="2026-01-01T00:00:00Z"),
        make_result("tiled", (2.0,) * 2, finished="2026-01-01T00:01:00Z"),
        make_result("cpu_ijk", (80.0,) * 2, backend="host", params=(), finished="2026-01-01T00:03:00Z"),
    )
    errors = (RunError("row_shared", "too many floats", finished="2026-01-01T00:02:00Z"),)
    return Session("", "1", host, 0.0, runs, errors)


def view(table: ResultsTable) -> RunsView:
    return table.findChild(RunsView, "resultsTable")


def button(table: ResultsTable, name: str) -> QToolButton:
    return table.findChild(QToolButton, name)


def kernels(table: ResultsTable) -> list[str]:
    model = view(table).model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def press_row(table: ResultsTable, row: int, more: bool = False) -> None:
    index = view(table).model().index(row, 0)
    view(table).selectionModel().setCurrentIndex(index, (FLAGS.Select if more else FLAGS.ClearAndSelect) | FLAGS.Rows)


def test_that_runs_and_what_did_not_run_are_rows(table: ResultsTable, session: Session) -> None:
    table.show_session(session)
    assert kernels(table) == ["naive", "tiled", "row_shared", "cpu_ijk"]
    words = table.findChild(QLabel, "resultsCaption").text()
    assert words == "3 runs, 1 did not run, all in the charts"


def test_that_choosing_rows_tells_the_runs_in_their_order(table: ResultsTable, session: Session, qtbot: QtBot) -> None:
    table.show_session(session)
    press_row(table, 3)
    with qtbot.waitSignal(table.selection_changed) as told:
        press_row(table, 0, more=True)
    assert told.args == [(session.runs[0], session.runs[2])]
    view(table).sortByColumn(PLACE[Key.MEDIAN], Qt.SortOrder.DescendingOrder)
    assert table.selected() == (session.runs[2], session.runs[0])
    assert "2 chosen for the charts" in table.findChild(QLabel, "resultsCaption").text()


def test_that_a_row_that_did_not_run_is_no_choice_for_the_charts(
    table: ResultsTable, session: Session, qtbot: QtBot
) -> None:
    table.show_session(session)
    with qtbot.assertNotEmitted(table.selection_changed):
        press_row(table, 2)
    assert table.selected() == ()
    assert not button(table, "resultsUse").isEnabled()
    assert button(table, "resultsDelete").isEnabled()


def test_that_what_is_chosen_stays_chosen_while_runs_come(
    table: ResultsTable, session: Session, make_result: Make, qtbot: QtBot
) -> None:
    table.show_session(session)
    table.select([session.runs[1], session.runs[2]])
    with qtbot.assertNotEmitted(table.selection_changed):
        table.show_session(replace(session, runs=(*session.runs, make_result())))
    assert table.selected() == session.runs[1:3]
    with qtbot.waitSignal(table.selection_changed) as told:
        table.show_session(replace(session, runs=session.runs[:2]))
    assert told.args == [(session.runs[1],)]


def test_that_what_is_chosen_stays_chosen_when_the_order_changes(table: ResultsTable, session: Session) -> None:
    table.show_session(session)
    table.select(session.runs[:1])
    table.show_session(replace(session, runs=tuple(reversed(session.runs)), errors=()))
    assert table.selected() == session.runs[:1]


def test_that_copied_rows_are_text_and_a_table(table: ResultsTable, session: Session) -> None:
    table.show_session(session)
    whole = table.copy_text()
    assert len(whole.partition("\n\n")[0].splitlines()) == 5
    press_row(table, 1)
    text = table.copy_text()
    heading, line = (text_line.split("\t") for text_line in text.partition("\n\n")[0].splitlines())
    assert line[0] == "tiled · Shared-memory tiles"
    assert line[heading.index("median")] == "2.00 ms"
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == text
    assert "<td>tiled · Shared-memory tiles</td>" in data.html()


def test_that_hidden_columns_are_not_copied(table: ResultsTable, session: Session) -> None:
    table.show_session(session)
    menu = table.findChild(QMenu, "resultsColumnMenu")
    actions = {action.objectName(): action for action in menu.actions()}
    actions["column_median"].trigger()
    actions["column_arithmetic"].trigger()
    heading = table.copy_text(whole=True).splitlines()[0].split("\t")
    assert "median" not in heading
    assert "arithmetic" in heading
    assert not actions["column_kernel"].isEnabled(), "a row must keep its name"


def test_that_columns_come_back_as_they_were(table: ResultsTable, session: Session, qtbot: QtBot) -> None:
    table.show_session(session)
    view(table).setColumnWidth(0, 222)
    view(table).want(PLACE[Key.SEED], False)
    header = view(table).horizontalHeader()
    header.moveSection(header.visualIndex(PLACE[Key.GFLOPS]), 1)
    view(table).sortByColumn(PLACE[Key.MEDIAN], Qt.SortOrder.DescendingOrder)
    other = ResultsTable()
    qtbot.addWidget(other)
    other.show_session(session)
    assert other.restore(table.state())
    assert other.state() == table.state()
    assert view(other).columnWidth(0) == 222
    assert headings(other)[:3] == ["kernel", "GFLOP/s", "size"]
    assert "seed" not in headings(other)
    assert kernels(other)[0] == "cpu_ijk"
    actions = {a.objectName(): a for a in other.findChild(QMenu, "resultsColumnMenu").actions()}
    assert not actions["column_seed"].isChecked()
    actions["column_seed"].trigger()
    assert "seed" in headings(other)


def test_that_a_foreign_state_changes_nothing(table: ResultsTable, session: Session) -> None:
    table.show_session(session)
    before = table.state()
    for text in ("", "nonsense", "{}"):
        assert not table.restore(text)
        assert table.state() == before


def test_that_columns_unknown_to_a_state_stand_behind(table: ResultsTable, session: Session) -> None:
    table.show_session(session)
    places = (ColumnPlace(Key.KERNEL, 100, True), ColumnPlace(Key.SEED, 60, True), ColumnPlace(Key.MEDIAN, 90, True))
    assert table.restore(Arrangement(places).as_text)
    assert headings(table)[:4] == ["kernel", "seed", "median", "size"]
    seen = [column for column in COLUMNS if column.is_shown and not column.comes_with_figures]
    assert len(headings(table)) == len(seen) + 1, "a CPU kernel ran, so that there is a × CPU"


def test_that_the_columns_can_be_put_back(table: ResultsTable, session: Session) -> None:
    table.show_session(session)
    before = table.state()
    header = view(table).horizontalHeader()
    header.moveSection(5, 1)
    view(table).setColumnWidth(PLACE[Key.SIZE], 333)
    actions = {a.objectName(): a for a in table.findChild(QMenu, "resultsColumnMenu").actions()}
    actions["column_median"].trigger()
    view(table).sortByColumn(PLACE[Key.MEDIAN], Qt.SortOrder.DescendingOrder)
    assert table.state() != before
    actions["resetColumns"].trigger()
    assert table.state() == before
    assert actions["column_median"].isChecked()
    assert kernels(table) == ["naive", "tiled", "row_shared", "cpu_ijk"]


def headings(table: ResultsTable) -> list[str]:
    return [column.title for column in table._shown_columns(only_in_sight=False)]


def test_that_delete_asks_for_all_that_is_chosen(table: ResultsTable, session: Session, qtbot: QtBot) -> None:
    table.show_session(session)
    with qtbot.assertNotEmitted(table.delete_asked):
        qtbot.keyClick(view(table), Qt.Key.Key_Delete)
    press_row(table, 1)
    press_row(table, 2, more=True)
    with qtbot.waitSignal(table.delete_asked) as told:
        qtbot.keyClick(view(table), Qt.Key.Key_Delete)
    assert told.args == [(session.runs[1], session.errors[0])]


def test_that_enter_and_a_double_click_ask_for_the_settings(
    table: ResultsTable, session: Session, qtbot: QtBot
) -> None:
    table.show_session(session)
    press_row(table, 1)
    with qtbot.waitSignal(table.settings_asked) as told:
        qtbot.keyClick(view(table), Qt.Key.Key_Return)
    assert told.args == [session.runs[1]]
    place = view(table).visualRect(view(table).model().index(0, 1)).center()
    qtbot.mouseClick(view(table).viewport(), Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(table.settings_asked) as told:
        qtbot.mouseDClick(view(table).viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.args == [session.runs[0]]
    press_row(table, 2)
    with qtbot.assertNotEmitted(table.settings_asked):
        qtbot.keyClick(view(table), Qt.Key.Key_Return)


def test_that_copying_with_the_keys_wins_over_the_window(session: Session, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    table = ResultsTable(parent=window)
    table.resize(900, 200)
    shortcut = QShortcut(QKeySequence.StandardKey.Copy, window)
    heard: list[str] = []
    shortcut.activated.connect(lambda: heard.append("window"))
    shortcut.activatedAmbiguously.connect(lambda: heard.append("both"))
    table.rows_copied.connect(lambda _: heard.append("table"))
    window.show()
    qtbot.waitExposed(window)
    table.show_session(session)
    view(table).setFocus()
    qtbot.keyClick(view(table), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert table.selected() == session.runs
    QApplication.clipboard().clear()
    qtbot.keySequence(view(table), "Ctrl+C")
    assert heard == ["table"]
    assert len(QApplication.clipboard().text().partition("\n\n")[0].splitlines()) == 5


def test_that_csv_is_of_what_is_chosen_or_of_what_is_shown(table: ResultsTable, session: Session, qtbot: QtBot) -> None:
    table.show_session(session)
    with qtbot.waitSignal(table.csv_asked) as told:
        button(table, "resultsCsv").click()
    assert told.args == [session.runs]
    table.findChild(QLineEdit, "resultsFilter").setText("cpu")
    with qtbot.waitSignal(table.csv_asked) as told:
        button(table, "resultsCsv").click()
    assert told.args == [(session.runs[2],)]
    table.findChild(QLineEdit, "resultsFilter").clear()
    press_row(table, 0)
    with qtbot.waitSignal(table.csv_asked) as told:
        button(table, "resultsCsv").click()
    assert told.args == [(session.runs[0],)]


def test_that_a_filter_lets_go_of_rows_it_hides(table: ResultsTable, session: Session, qtbot: QtBot) -> None:
    table.show_session(session)
    table.select(session.runs[:1])
    with qtbot.waitSignal(table.selection_changed) as told:
        table.findChild(QLineEdit, "resultsFilter").setText("tiled")
    assert told.args == [()]
    assert "1 shown" in table.findChild(QLabel, "resultsCaption").text()


def test_that_the_newest_row_comes_into_view_wherever_the_table_was_scrolled_to(
    table: ResultsTable, make_result: Make, host: Device
) -> None:
    runs = tuple(make_result() for _ in range(50))
    session = Session("", "1", host, 0.0, runs)
    bar = view(table).verticalScrollBar()
    table.show_session(session)
    assert bar.value() == bar.maximum() > 0
    table.show_session(replace(session, runs=(*runs, make_result())))
    assert bar.value() == bar.maximum()
    bar.setValue(3)
    table.show_session(longer := replace(session, runs=(*runs, make_result(), make_result())))
    assert bar.value() == bar.maximum()
    bar.setValue(3)
    table.show_session(longer)
    assert bar.value() == 3, "nothing new, nothing moves"


def test_that_the_menu_opens_at_the_chosen_row_for_the_keyboard(
    table: ResultsTable, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.show_session(session)
    press_row(table, 1)
    opened: list[tuple[QPoint, list[str]]] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, place: opened.append((place, texts(menu))))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    QApplication.sendEvent(view(table).viewport(), event)
    place = view(table).viewport().mapFromGlobal(opened[0][0])
    row = view(table).visualRect(view(table).model().index(1, 0))
    assert row.top() <= place.y() <= row.bottom() + 1
    assert opened[0][1] == ["Use settings", "Copy", "Copy all columns", "CSV…", "Delete", "Select all", "Select none"]


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_that_an_empty_table_offers_nothing_to_do(table: ResultsTable, host: Device, qtbot: QtBot) -> None:
    table.show_session(Session("", "1", host, 0.0))
    assert table.findChild(QLabel, "resultsCaption").text() == ""
    for name in ("resultsUse", "resultsCopy", "resultsCsv", "resultsDelete"):
        assert not button(table, name).isEnabled(), name
    with qtbot.assertNotEmitted(table.rows_copied):
        qtbot.keyClick(view(table), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)


def test_that_every_control_has_a_name_and_a_tip(table: ResultsTable) -> None:
    for control in (
        *table.findChildren(QToolButton, "", Qt.FindChildOption.FindDirectChildrenOnly),
        table.findChild(QLineEdit, "resultsFilter"),
    ):
        assert control.objectName(), control
        assert control.accessibleName(), control.objectName()
        assert control.toolTip(), control.objectName()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, control.objectName()


def test_that_the_reason_is_painted_across_the_empty_cells(table: ResultsTable, session: Session) -> None:
    def picture() -> bytes:
        image = view(table).viewport().grab(row).toImage()
        return bytes(image.constBits())

    table.set_theme(DARK)
    table.show_session(replace(session, runs=()))
    row = view(table).visualRect(view(table).model().index(0, PLACE[Key.MEDIAN]))
    with_reason = picture()
    table.show_session(replace(session, runs=(), errors=(replace(session.errors[0], reason=""),)))
    assert with_reason != picture()


def test_that_the_reason_stays_whole_beside_a_column_that_was_moved_into_it(
    table: ResultsTable, session: Session
) -> None:
    table.show_session(replace(session, runs=()))
    header = view(table).horizontalHeader()
    header.moveSection(header.visualIndex(PLACE[Key.FILL]), header.visualIndex(PLACE[Key.ERROR]))
    reasons = view(table).itemDelegate()
    assert isinstance(reasons, ReasonDelegate)
    left = reasons.columns_of_reason(PLACE[Key.MEDIAN])
    right = reasons.columns_of_reason(PLACE[Key.ERROR])
    assert left == [PLACE[Key.MEDIAN], PLACE[Key.GFLOPS]]
    assert right == [PLACE[Key.ERROR], PLACE[Key.IQR], PLACE[Key.SAMPLES]]
    assert PLACE[Key.FILL] not in left + right


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0, 0, 0), ""),
        ((1, 0, 1, 0), "1 run, in the charts"),
        ((3, 0, 3, 0), "3 runs, all in the charts"),
        ((2, 2, 2, 0), "2 did not run"),
        ((12, 0, 12, 3), "12 runs, 3 chosen for the charts"),
        ((14, 2, 4, 1), "12 runs, 2 did not run, 4 shown, 1 chosen for the charts"),
    ],
)
def test_that_the_caption_counts(counts: tuple[int, int, int, int], words: str) -> None:
    assert caption(*counts) == words


def test_that_the_columns_begin_wide_enough_for_their_headings(table: ResultsTable) -> None:
    header = view(table).horizontalHeader()
    for place, column in enumerate(COLUMNS):
        if column.is_shown:
            width = view(table).first_arrangement().places[place].width
            assert width >= header.fontMetrics().horizontalAdvance(column.title), column.title


def test_that_a_caption_without_room_ends_in_a_sign(table: ResultsTable, session: Session) -> None:
    table.show_session(session)
    caption_label = table.findChild(QLabel, "resultsCaption")
    caption_label.resize(120, 20)
    assert caption_label.text().endswith("…")
    assert caption_label.toolTip() == "3 runs, 1 did not run, all in the charts"


def test_that_params_have_room_and_are_told_whole(table: ResultsTable, host: Device, make_result: Make) -> None:
    many = (("BM", 64), ("BN", 64), ("BK", 8), ("TM", 8))
    table.show_session(Session("", "1", host, 0.0, (make_result(params=many),)))
    place = PLACE[Key.PARAMS]
    assert view(table).columnWidth(place) > view(table).fontMetrics().horizontalAdvance("THREADS=1024") + 16
    tip = view(table).model().index(0, place).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == "BM=64 BN=64 BK=8 TM=8"
    assert view(table).toolTip()
