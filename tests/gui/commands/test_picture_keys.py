"""What pictures understand is said in the status bar and in the list of keys, and covers no picture."""

from __future__ import annotations

from driving import act, part
from PySide6.QtCore import QPointF
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget

from gemmviz.gui.commands.commands import Command
from gemmviz.gui.commands.picture_keys import LESSON, PICTURE_KEYS, PRESENTATION, keys_beside
from gemmviz.gui.commands.shortcuts_dialog import ShortcutsDialog, with_keys
from gemmviz.gui.stages.layout_controls import LAYOUT_KEYS
from gemmviz.gui.stages.request_chooser import CHOOSER_KEYS
from gemmviz.gui.window.main_window import MainWindow


def test_that_the_status_bar_says_what_a_picture_understands(window: MainWindow) -> None:
    act(window, "tabMemoryAction")
    assert part(window, QWidget, "memoryView").statusTip() == "", "nothing is recorded that could be zoomed"
    for name, words in (("scheduleTimeline", "Ctrl+wheel"), ("scheduleGrid", "Arrow keys")):
        picture = part(window, QWidget, name)
        assert picture.toolTip() == ""
        here = QPointF(10, 10)
        QApplication.sendEvent(picture, QEnterEvent(here, here, QPointF(picture.mapToGlobal(here))))
        assert words in window.statusBar().currentMessage()


def test_that_the_list_of_keys_has_those_of_pictures(window: MainWindow) -> None:
    act(window, "shortcutsAction")
    dialog = part(window, ShortcutsDialog, "shortcutsDialog")
    said = {label.text() for label in part(window, QScrollArea, "shortcutsList").findChildren(QLabel)}
    for command in PICTURE_KEYS:
        assert {command.section, command.name, *command.keys} <= said
    keys = (words.rpartition("  ")[0].replace(" or ", " ") for words in (*CHOOSER_KEYS, *LAYOUT_KEYS))
    named = {key for each in keys for key in each.split()}
    assert named <= said
    dialog.close()


def test_that_the_keys_of_what_is_presented_come_first_and_none_is_named_twice() -> None:
    for own in (PRESENTATION, LESSON, ""):
        before, after = keys_beside(own)
        assert {command.section for command in before} == ({own} if own else set())
        listed = [*before, *after]
        assert len(listed) == len({(command.section, command.name) for command in listed})
        assert {PRESENTATION, LESSON} < {command.section for command in listed}
        commands = (*before, Command("File", "Open", ("Ctrl+O",)), *after)
        assert next(section for section, _ in with_keys(commands)) == (own or "File")
