"""Actions as words and keys, and keys that two of them claim."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from shortcut_claims import duplicates

from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.commands.commands import Command, commands_of, plain_words
from gemmviz.gui.commands.ranking import rank
from gemmviz.gui.layout.action_table import ACTIONS


def action(text: str, *keys: str, owner: QObject | None = None) -> QAction:
    made = QAction(text, owner)
    made.setShortcuts([QKeySequence(one) for one in keys])
    return made


def test_that_an_action_is_told_in_plain_words() -> None:
    run = action("&Run", "F5", "Ctrl+Return")
    run.setToolTip("Choose a kernel first")
    run.setEnabled(False)
    assert commands_of([("Run", run)]) == (
        Command("Run", "Run", ("F5", "Ctrl+Return"), enabled=False, tip="Choose a kernel first"),
    )
    assert commands_of([]) == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [("&Open…", "Open"), ("Save && close", "Save & close"), ("", ""), ("&", ""), ("R&&D…  ", "R&D…")],
)
def test_that_access_keys_and_dots_are_no_words(text: str, words: str) -> None:
    assert plain_words(text) == words


def test_that_a_key_claimed_twice_is_found_with_both_names() -> None:
    actions = [
        ("File", action("&Open", "Ctrl+O")),
        ("View", action("Outline", "F4", "Ctrl+O")),
        ("Run", action("Go", "F5")),
    ]
    assert duplicates(actions) == (("Ctrl+O", ("File: Open", "View: Outline")),)


def test_that_one_action_in_two_menus_is_no_duplicate() -> None:
    shared = action("Copy", "Ctrl+C")
    assert duplicates([("Edit", shared), ("Chart", shared)]) == ()


def test_that_a_key_inside_one_widget_disturbs_nobody() -> None:
    inside = action("Delete row", "Del")
    inside.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    assert duplicates([("Edit", action("Delete", "Del")), ("Table", inside)]) == ()


def test_that_actions_without_keys_claim_nothing() -> None:
    assert duplicates([("A", action("x")), ("B", action("y")), ("C", action("z", ""))]) == ()


def test_that_the_windows_actions_claim_no_key_twice() -> None:
    owner = QObject()
    assert duplicates(Actions(owner, ACTIONS).by_section()) == ()


def test_that_the_palette_finds_the_themes_by_that_word_and_by_their_old_names(qapp: QObject) -> None:
    commands = commands_of(Actions(qapp, ACTIONS).by_section())

    def found(query: str) -> list[str]:
        return [commands[match.place].name for match in rank(query, commands)]

    assert set(found("theme")[:3]) == {"Theme: light", "Theme: dark", "Theme: as the system"}
    assert found("automatic") == found("follow system")[:1] == ["Theme: as the system"]
    assert found("dark")[0] == "Theme: dark"
