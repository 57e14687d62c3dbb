"""The keyboard goes to the picture when a recording comes, but not while Cancel is needed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from driving import act, part
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.control.active_pane import ActivePane
from gemmviz.gui.control.choice_focus import ChoiceFocus
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.window.main_window import MainWindow


def test_that_cancel_keeps_the_keyboard_until_work_ends_and_then_the_picture_has_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    act(window, "tabMemoryAction")
    window.activateWindow()
    page = part(window, MemoryPage, "memoryPage")
    focus = ChoiceFocus(page, cast(ActivePane, SimpleNamespace(place=0)))
    run, cancel = (part(window, QPushButton, name) for name in ("runButton", "cancelButton"))
    run.setFocus()
    qtbot.waitUntil(run.hasFocus)
    window.work.busy_changed.emit(True)
    assert cancel.hasFocus()
    focus.recording_came()
    assert cancel.hasFocus()
    window.work.busy_changed.emit(False)
    assert page.panes[0].view.hasFocus()


def test_that_the_button_that_began_work_has_the_keyboard_again(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "tabMemoryAction")
    window.activateWindow()
    note = part(window, MemoryPage, "memoryPage").chosen_note
    note.show()
    record = part(window, QPushButton, "chosenNoteRecord")
    record.show()
    record.setFocus()
    qtbot.waitUntil(record.hasFocus)
    window.work.busy_changed.emit(True)
    assert part(window, QPushButton, "cancelButton").hasFocus()
    window.work.busy_changed.emit(False)
    assert record.hasFocus()
