"""What the command palette offers first, and what is told of what it set up: in the whole window."""

from __future__ import annotations

from driving import act, part
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QListView
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
