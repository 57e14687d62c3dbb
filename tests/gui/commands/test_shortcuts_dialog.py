"""The list of keys."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea
from pytestqt.qtbot import QtBot

from gemmviz.gui.commands.commands import Command
from gemmviz.gui.commands.shortcuts_dialog import ShortcutsDialog, with_keys

COMMANDS = (
    Command("File", "Open", ("Ctrl+O",), tip="Open a session"),
    Command("Run", "Run", ("F5", "Ctrl+Return")),
    Command("File", "Save", ("Ctrl+S",)),
    Command("View", "First page"),
)


def words(dialog: ShortcutsDialog) -> list[str]:
    page = dialog.findChild(QScrollArea, "shortcutsList").widget()
    return [label.text() for label in page.findChildren(QLabel)]


def test_that_sections_keep_their_order_and_their_commands_together() -> None:
    assert [(section, [c.name for c in commands]) for section, commands in with_keys(COMMANDS)] == [
        ("File", ["Open", "Save"]),
        ("Run", ["Run"]),
    ]


@pytest.mark.parametrize(
    ("query", "names"),
    [("ctrl+s", ["Save"]), ("file op", ["Open"]), ("F5", ["Run"]), ("first", []), ("", ["Open", "Save", "Run"])],
)
def test_that_names_sections_and_keys_can_be_found(query: str, names: list[str]) -> None:
    assert [command.name for _, group in with_keys(COMMANDS, query) for command in group] == names


def test_that_every_key_is_shown_as_a_cap(qtbot: QtBot) -> None:
    dialog = ShortcutsDialog(COMMANDS)
    qtbot.addWidget(dialog)
    page = dialog.findChild(QScrollArea, "shortcutsList").widget()
    caps = [label.text() for label in page.findChildren(QLabel) if label.property("role") == "key"]
    assert sorted(caps) == ["Ctrl+O", "Ctrl+Return", "Ctrl+S", "F5"]
    assert {"File", "Run", "Open", "Save", "or"} <= set(words(dialog))
    assert "First page" not in words(dialog)


@pytest.mark.parametrize("factor", [1.0, 2.1])
def test_that_the_keys_of_long_commands_are_in_sight_too(qtbot: QtBot, factor: float) -> None:
    long = Command("View", "Another access of the request, wherever the focus is while the view is in front", ("N",))
    many = Command("View", "Zoom", ("Double-click", "Click near the bottom", "Shift+arrow keys", "Ctrl+Shift+Z"))
    dialog = ShortcutsDialog((*COMMANDS, long, many), factor=factor)
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    area = dialog.findChild(QScrollArea, "shortcutsList")
    for label in area.widget().findChildren(QLabel):
        right = label.mapTo(area.viewport(), label.rect().topRight()).x()
        assert right < area.viewport().width(), label.text()
        assert label.property("role") != "key" or label.width() >= label.sizeHint().width()


def test_that_typing_narrows_the_list_and_says_when_nothing_is_left(qtbot: QtBot) -> None:
    dialog = ShortcutsDialog(COMMANDS)
    qtbot.addWidget(dialog)
    field = dialog.findChild(QLineEdit, "shortcutsField")
    qtbot.keyClicks(field, "save")
    assert words(dialog) == ["File", "Save", "Ctrl+S"]
    qtbot.keyClicks(field, "zz")
    assert words(dialog) == ["No shortcut matches “savezz”"]
    field.clear()
    assert "Open" in words(dialog)


def test_that_a_program_without_keys_says_so(qtbot: QtBot) -> None:
    dialog = ShortcutsDialog(())
    qtbot.addWidget(dialog)
    assert words(dialog) == ["No command has a shortcut"]
