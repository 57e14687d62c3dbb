"""The command palette finds the controls of the pages and panels by the names that they have on the screen."""

from __future__ import annotations

import pytest
from driving import act, part
from PySide6.QtWidgets import QCheckBox, QComboBox, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.glossary import load_glossary
from gemmviz.catalogue.lessons import load_lessons
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.commands.commands import command_of, commands_of
from gemmviz.gui.commands.control_entries import control_entries
from gemmviz.gui.commands.entries import Entry, kernel_entries, lesson_entries, term_entries
from gemmviz.gui.commands.ranking import rank
from gemmviz.gui.commands.search_words import LESSON_WORDS, SEARCH_WORDS, VIEW_WORDS
from gemmviz.gui.layout.action_table import ACTIONS
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.window.main_window import MainWindow


def entries_of(window: MainWindow) -> list[Entry]:
    layout = window._layout
    assert isinstance(layout, WindowLayout)
    return layout.entries()


@pytest.mark.parametrize("query", ["Compare with", "Colour by", "Preset", "Quick mode", "Filter kernels"])
def test_that_a_control_is_found_by_its_name(window: MainWindow, query: str) -> None:
    act(window, "tabMemoryAction")
    for name in ("compareCombo", "heatCombo"):
        part(window, QComboBox, name).show()
    entries = entries_of(window)
    best = [entries[match.place] for match in rank(query, [command_of(entry) for entry in entries])[:2]]
    assert query in {entry.title for entry in best if entry.kind == "Control"}


def test_that_a_tick_is_clicked_a_list_has_the_keyboard_and_what_is_grey_says_why(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    tick, combo, grey, hidden = QCheckBox("Link zoom"), QComboBox(), QPushButton("Copy"), QPushButton("Hidden")
    combo.setAccessibleName("Compare with")
    column = QVBoxLayout(page)
    for each in (tick, combo, grey, hidden):
        column.addWidget(each)
    grey.setEnabled(False)
    grey.setToolTip("Copy the code\nThere is no code yet")
    hidden.hide()
    page.show()
    page.activateWindow()
    shown: list[str] = []
    found = {entry.title: entry for entry in control_entries([("Memory", page, lambda: shown.append("Memory"))])}
    assert set(found) == {"Link zoom", "Compare with", "Copy"}
    found["Link zoom"].do()
    assert tick.isChecked()
    found["Compare with"].do()
    combo.hidePopup()
    assert shown == ["Memory", "Memory"]
    assert (found["Copy"].refusal, command_of(found["Copy"]).enabled) == ("There is no code yet", False)


EXPORT = "Export more: film, GIF, tables"


def test_that_commands_stand_in_the_palette_once(window: MainWindow) -> None:
    act(window, "tabMemoryAction")
    assert part(window, QPushButton, "cancelButton").accessibleName() == "Cancel"
    assert "Cancel" not in {entry.title for entry in entries_of(window)}


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("how do I make a film", EXPORT),
        ("dark mode", "Theme: dark"),
        ("settings", "Theme: dark"),
        ("hide panel", "Fold or unfold all panels"),
        ("edit kernel", "Edit tiled"),
        ("my kernel", "Open kernel file"),
        ("save picture", "Export this view"),
        ("gif", EXPORT),
        ("csv", EXPORT),
        ("print", "Handout"),
        ("worksheet", "Handout"),
        ("pdf", "Handout"),
        ("slides", "Presentation"),
        ("powerpoint", "Export this view"),
        ("film", EXPORT),
        ("excel", EXPORT),
        ("whole screen", "Presentation"),
        ("projector", "Presentation"),
        ("font size", "Presentation"),
        ("large type", "Presentation"),
        ("values", "1 Memory"),
        ("side by side", "1 Memory"),
        ("sass", "Show machine code"),
        ("assembly", "Show machine code"),
        ("peak", "Measure roofs"),
        ("exercise", "Lessons"),
        ("quiz", "Lessons"),
        ("keys", "Keyboard shortcuts"),
        ("error map", "3 Accuracy"),
        ("heatmap", "1 Memory"),
        ("zoom", "1 Memory"),
        ("stop", "Cancel"),
        ("check result", "Judge"),
        ("license", "About gemmviz"),
    ],
)
def test_that_an_action_is_found_by_what_it_is_called_elsewhere(
    lasting_window: MainWindow, query: str, title: str
) -> None:
    commands = [
        *commands_of(lasting_window._actions.by_section()),
        *(command_of(entry) for entry in entries_of(lasting_window)),
    ]
    first, *_ = rank(query, commands)
    assert commands[first.place].name == title


def test_that_a_question_about_speed_leads_to_what_explains_it(lasting_window: MainWindow) -> None:
    others = [
        *kernel_entries(load_catalogue().kernels, print),
        *lesson_entries(load_lessons(), print),
        *term_entries(load_glossary(), print),
    ]
    entries = [command_of(entry) for entry in (*entries_of(lasting_window), *others)]
    commands = [*commands_of(lasting_window._actions.by_section()), *entries]

    def found(query: str) -> set[str]:
        return {commands[match.place].name for match in rank(query, commands)[:4]}

    for query in ("slow", "faster", "why is it slow?", "Why is my kernel slow", "how can I make it faster"):
        assert found(query) == {"Roofline", "Sectors", "Banks", "What tiling buys"}, query
    (term, *_) = rank("what is a warp", commands)
    assert commands[term.place].name == "warp, lane"


def test_that_words_of_a_search_belong_to_what_there_is(lasting_window: MainWindow) -> None:
    assert set(SEARCH_WORDS) <= {spec.name for spec in ACTIONS}
    assert all(lasting_window.findChild(QPushButton, name) is not None for name in VIEW_WORDS)
    assert set(LESSON_WORDS) <= {lesson.id for lesson in load_lessons()}
