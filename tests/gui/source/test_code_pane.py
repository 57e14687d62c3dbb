"""The bar below a source: there where it is needed, and moving the code."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollBar
from pytestqt.qtbot import QtBot

from gemmviz.domain.terms import Language
from gemmviz.gui.recording.lines import plain_lines
from gemmviz.gui.source.code_pane import CodePane
from gemmviz.gui.source.code_table import CodeTable
from gemmviz.gui.source.source_model import CODE


@pytest.fixture
def pane(qtbot: QtBot) -> CodePane:
    pane = CodePane(CodeTable("sourceLines"))
    qtbot.addWidget(pane)
    pane.resize(300, 200)
    pane.show()
    qtbot.waitExposed(pane)
    return pane


@pytest.fixture
def table(pane: CodePane) -> CodeTable:
    return pane.findChild(CodeTable)


@pytest.fixture
def bar(pane: CodePane) -> QScrollBar:
    return pane.findChild(QScrollBar, "sourceScroll")


def test_that_the_bar_is_there_for_long_lines_only(
    pane: CodePane, table: CodeTable, bar: QScrollBar, qtbot: QtBot
) -> None:
    table.show_lines(plain_lines("short"), Language.CUDA)
    assert not bar.isVisible()
    table.show_lines(plain_lines("x" * 200), Language.CUDA)
    assert bar.isVisible()
    assert bar.maximum() == table.overflow > 0
    pane.resize(1800, 200)
    qtbot.waitUntil(lambda: not bar.isVisible())
    assert bar.value() == 0


def test_that_the_end_of_the_longest_line_can_be_seen(table: CodeTable, bar: QScrollBar) -> None:
    table.show_lines(plain_lines("x" * 200 + "\n" + " " * 199 + "y\n"), Language.CUDA)
    rect = table.visualRect(table.model().index(0, CODE))

    def ink_at_the_end() -> int:
        image = table.viewport().grab(rect.adjusted(rect.width() - 14, 0, 0, 0)).toImage()
        return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())})

    bar.setValue(bar.maximum())
    at_end = ink_at_the_end()
    bar.setValue(0)
    assert at_end > 1
    assert ink_at_the_end() > 1, "an ellipsis says that the line goes on"


def test_that_keys_move_the_bar_and_stop_at_its_ends(table: CodeTable, bar: QScrollBar, qtbot: QtBot) -> None:
    table.show_lines(plain_lines("x" * 90), Language.CUDA)
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(table, Qt.Key.Key_Left, shift)
    assert bar.value() == 0
    for _ in range(50):
        qtbot.keyClick(table, Qt.Key.Key_Right, shift)
    assert bar.value() == bar.maximum()


def test_that_a_new_source_begins_at_its_left(table: CodeTable, bar: QScrollBar) -> None:
    table.show_lines(plain_lines("x" * 200), Language.CUDA)
    bar.setValue(100)
    table.show_lines(plain_lines("y" * 200), Language.CUDA)
    assert bar.value() == 0
