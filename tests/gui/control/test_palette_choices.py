"""What the command palette offers first, and what is told of what it set up: in the whole window."""

from __future__ import annotations

from driving import act, part
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QSpinBox
from pytestqt.qtbot import QtBot

from gemmviz.domain.shape import Shape
from gemmviz.gui.commands.palette import ROW_ROLE, CommandPalette
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.window.main_window import MainWindow


def test_that_a_lesson_stands_before_a_preset_of_its_title_and_a_preset_says_what_it_set_up(
    qtbot: QtBot, window: MainWindow
) -> None:
    act(window, "paletteAction")
    palette = part(window, CommandPalette, "commandPalette")
    field, rows = part(palette, QLineEdit, "commandField"), part(palette, QListView, "commandList")
    qtbot.keyClicks(field, "tiling buys")
    model = rows.model()
    sections = [model.index(row, 0).data(ROW_ROLE).command.section for row in range(model.rowCount())]
    assert sections[0].startswith("Lesson")
    rows.setCurrentIndex(model.index(sections.index("Preset"), 0))
    qtbot.keyClick(field, Qt.Key.Key_Return)
    bar = part(window, NoticeBar, "noticeBar")
    qtbot.waitUntil(lambda: bool(bar.texts()))
    assert bar.texts() == ("Set up: What tiling buys · 64×64×64, with naive and tiled",)
    assert window.experiment.shape == Shape(64, 64, 64)


def test_that_a_size_is_set_by_typing_it(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "paletteAction")
    palette = part(window, CommandPalette, "commandPalette")
    field, rows = part(palette, QLineEdit, "commandField"), part(palette, QListView, "commandList")
    qtbot.keyClicks(field, "0x8x8")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert palette.isVisible(), "no run can have that size"
    assert part(palette, QLabel, "commandHint").text().startswith("Not now: ")
    field.clear()
    qtbot.keyClicks(field, "64x64x64")
    sections = [rows.model().index(row, 0).data(ROW_ROLE).command.section for row in range(rows.model().rowCount())]
    assert sections[0] == "Size"
    assert "Preset" in sections, "presets of that size are found as well"
    field.clear()
    qtbot.keyClicks(field, "8x8")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.experiment.shape == Shape(8, 8, 8))
    assert part(window, QSpinBox, "sizeK").value() == 8
