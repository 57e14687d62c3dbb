"""The view of the settings of a sweep: its table, its buttons, what it exports."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from settings_figures import make_setting, make_sweep

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.explain.figures.settings import NO_SETTINGS, SETTING_FIGURES, head_of
from gemmviz.explain.source.version_figures import REGISTERS, RESULT
from gemmviz.gui.charts.notes_label import NotesLabel
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.sweep.settings_page import SettingsPage
from gemmviz.gui.sweep.values_row import ValuesRow

RESULT_COLUMN, REGISTERS_COLUMN = (SETTING_FIGURES.index(one) + 1 for one in (RESULT, REGISTERS))


@pytest.fixture
def page(qtbot: QtBot) -> SettingsPage:
    made = SettingsPage()
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    return made


def texts_in(page: SettingsPage, column: int) -> list[str]:
    items = (page.table.item(line, column) for line in range(page.table.rowCount()))
    return [item.text() for item in items if item is not None]


def test_that_an_empty_page_says_what_to_do(page: SettingsPage) -> None:
    page.refresh()
    assert page.is_blank
    assert page.tables() == ()
    assert page.accessibleDescription() == NO_SETTINGS


def test_that_each_setting_is_a_row_and_a_wrong_result_is_red(page: SettingsPage) -> None:
    page.show_sweeps([make_sweep(make_setting(8), make_setting(16, passed=False))])
    page.refresh()
    assert page.title == "Figures over BM: mine"
    assert "H100 SXM (sm_90a), NVRTC 13.0" in page.circumstances
    assert texts_in(page, 0) == ["8", "16"]
    assert texts_in(page, RESULT_COLUMN) == ["correct", "wrong"]
    names = [page.table.item(line, 0) for line in range(2)]
    assert [one.font().strikeOut() for one in names if one is not None] == [False, True]
    head = page.table.horizontalHeaderItem(REGISTERS_COLUMN)
    assert head is not None
    assert head.text() == head_of(REGISTERS)
    wrong = page.table.item(1, RESULT_COLUMN)
    assert wrong is not None
    assert wrong.foreground().color() == QColor(LIGHT.hazard)
    assert [len(table.rows) for table in page.tables()] == [2]


def test_that_columns_of_which_nothing_is_known_are_hidden(page: SettingsPage) -> None:
    page.show_sweeps([make_sweep(make_setting(8))])
    page.refresh()
    hidden = {place for place in range(page.table.columnCount()) if page.table.isColumnHidden(place)}
    assert REGISTERS_COLUMN not in hidden
    assert RESULT_COLUMN not in hidden
    assert hidden, "nothing was recorded"


def test_that_what_is_the_same_in_all_settings_is_a_sentence_and_no_column(page: SettingsPage) -> None:
    page.show_sweeps([make_sweep(make_setting(8), make_setting(16))])
    page.refresh()
    assert page.table.isColumnHidden(REGISTERS_COLUMN)
    assert not page.table.isColumnHidden(RESULT_COLUMN)
    assert not page.table.isColumnHidden([head_of(one) for one in SETTING_FIGURES].index("shared") + 1)
    assert "The same in all: regs 40, spilled 0, " in page.findChild(NotesLabel).text()


def test_that_rows_are_sorted_by_value_and_the_chosen_one_is_used(page: SettingsPage, qtbot: QtBot) -> None:
    page.show_sweeps([make_sweep(make_setting(8), make_setting(128), make_setting(32))])
    page.refresh()
    shared = next(place for place in range(1, page.table.columnCount()) if head_at(page, place) == "shared")
    page.table.sortItems(shared, Qt.SortOrder.DescendingOrder)
    assert texts_in(page, 0) == ["128", "32", "8"]
    page.table.selectRow(1)
    use = page.findChild(QPushButton, "settingsUse")
    assert use.text() == "Use BM=32"
    with qtbot.waitSignal(page.use_asked) as asked:
        use.click()
    assert asked.args == ["mine", (("BM", 32),)]


def head_at(page: SettingsPage, column: int) -> str:
    head = page.table.horizontalHeaderItem(column)
    return head.text() if head is not None else ""


def test_that_cancel_takes_the_place_of_examine_while_it_goes_on(page: SettingsPage, qtbot: QtBot) -> None:
    page.show_progress("BM=8, 1 of 2", 0, 2)
    examine, cancel = (page.findChild(QPushButton, name) for name in ("settingsButton", "settingsCancel"))
    assert (examine.isVisible(), cancel.isVisible()) == (False, True)
    with qtbot.waitSignal(page.cancel_asked):
        cancel.click()
    page.show_progress("")
    assert (examine.isVisible(), cancel.isVisible()) == (True, False)


def test_that_fields_of_values_take_the_colours_of_a_theme_also_after_a_field_has_gone(qtbot: QtBot) -> None:
    row = ValuesRow(LIGHT)
    qtbot.addWidget(row)
    kernel = load_catalogue().get("register_2d")
    row.show_kernel(kernel, [one.name for one in kernel.parameters])
    gone, kept = row.controls[:2]
    gone.setParent(None)
    shiboken6.delete(gone)
    (tick,) = kept.actions()
    before = tick.icon().cacheKey()
    row.set_theme(DARK)
    assert tick.icon().cacheKey() != before
