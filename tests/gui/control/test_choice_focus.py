"""The keyboard goes to the page when work begins, never to Cancel, and to the picture when a recording comes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from driving import act, part
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.control.active_pane import ActivePane
from gemmviz.gui.control.choice_focus import ChoiceFocus
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.window.main_window import MainWindow


def test_that_the_page_has_the_keyboard_while_work_goes_on_and_then_the_picture(
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
    assert cancel.isEnabled()
    assert page.hasFocus()
    focus.recording_came()
    assert page.hasFocus()
    window.work.busy_changed.emit(False)
    assert page.panes[0].view.hasFocus()


def test_that_a_field_keeps_the_keyboard_while_work_goes_on(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "tabMemoryAction")
    window.activateWindow()
    field = part(window, QLineEdit, "kernelFilter")
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    window.work.busy_changed.emit(True)
    assert field.hasFocus()
    window.work.busy_changed.emit(False)
    assert field.hasFocus()


def test_that_the_page_has_the_keyboard_after_a_button_on_it_began_work(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "tabMemoryAction")
    window.activateWindow()
    page = part(window, MemoryPage, "memoryPage")
    page.chosen_note.show()
    record = part(window, QPushButton, "chosenNoteRecord")
    record.show()
    record.setFocus()
    qtbot.waitUntil(record.hasFocus)
    window.work.busy_changed.emit(True)
    assert page.hasFocus()
    window.work.busy_changed.emit(False)
    assert page.hasFocus()
