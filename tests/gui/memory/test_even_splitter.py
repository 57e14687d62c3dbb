"""Two pictures that are compared have equal room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.even_splitter import EvenSplitter
from gemmviz.gui.memory.pane import LEAST_WIDTH, MemoryPane
from gemmviz.gui.memory.playing.linked_view import LinkedView

WIDTHS = 1240, 500, 900, 2 * LEAST_WIDTH + 10, 1880, 620


@pytest.fixture
def panes(qtbot: QtBot) -> tuple[EvenSplitter, MemoryPane, MemoryPane]:
    """Two pictures that are compared, of which the second has much more to say than the first."""
    splitter = EvenSplitter("memorySplitter")
    qtbot.addWidget(splitter)
    first, second = (MemoryPane(LinkedView(LIGHT), f"pane{number}") for number in (1, 2))
    for pane in (first, second):
        splitter.addWidget(pane)
        pane.set_compared(True)
    second.keep_lines(hazards=True)
    second.show_elsewhere("A race between warps in block (12, 7), 3 more in other blocks")
    splitter.resize(1240, 500)
    splitter.show()
    return splitter, first, second


def test_that_pictures_have_equal_room_at_every_width_whatever_they_say(
    panes: tuple[EvenSplitter, MemoryPane, MemoryPane],
) -> None:
    splitter, first, second = panes
    for width in WIDTHS:
        splitter.resize(width, 500)
        QApplication.processEvents()
        assert abs(first.width() - second.width()) <= 1, width
        second.show_elsewhere("" if width > 1000 else "A race between warps in block (12, 7), 3 more in other blocks")
        QApplication.processEvents()
        assert abs(first.width() - second.width()) <= 1, width


def test_that_a_picture_that_comes_back_has_as_much_room_as_the_other(
    panes: tuple[EvenSplitter, MemoryPane, MemoryPane],
) -> None:
    splitter, first, second = panes
    second.hide()
    splitter.resize(700, 500)
    QApplication.processEvents()
    second.show()
    splitter.even_out()
    QApplication.processEvents()
    assert abs(first.width() - second.width()) <= 1


def test_that_the_line_stays_where_a_person_moved_it_until_something_else_is_compared(qtbot: QtBot) -> None:
    splitter = EvenSplitter("memorySplitter")
    qtbot.addWidget(splitter)
    parts = [QLabel("A"), QLabel("a longer one")]
    for part in parts:
        splitter.addWidget(part)
    splitter.resize(800, 300)
    splitter.show()
    handle = splitter.handle(1)
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(1, 100))
    qtbot.mouseMove(handle, QPoint(151, 100))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(151, 100))
    assert parts[0].width() > parts[1].width() + 100
    splitter.resize(1000, 300)
    QApplication.processEvents()
    assert parts[0].width() > parts[1].width() + 100
    splitter.even_out()
    QApplication.processEvents()
    assert abs(parts[0].width() - parts[1].width()) <= 1
