"""Where the editor opens a file, and what it says of the picture."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QLabel, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.terms import Language
from gemmviz.explain.source.source_fault import SourceFault
from gemmviz.gui.editor.panel import EditorPanel


@pytest.fixture
def panel(qtbot: QtBot) -> EditorPanel:
    made = EditorPanel()
    qtbot.addWidget(made)
    made.show()
    return made


def test_that_a_file_that_was_just_opened_is_shown_at_its_first_fault(panel: EditorPanel) -> None:
    text = "\n".join(f"int a{line} = {line};" for line in range(200))
    race = SourceFault(121, 0, "race: thread 1 reads As[0,0]")

    def line() -> int:
        return panel.edit.textCursor().blockNumber() + 1

    panel.show_file("k.cu", text, Language.CUDA)
    panel.show_faults([race])
    assert line() == 121
    panel.show_faults([])
    panel.show_faults([SourceFault(7, 0, "race")])
    assert line() == 121, "only the first faults of a file"
    panel.show_file("k.cu", text, Language.CUDA)
    panel.edit.go_to(50)
    panel.show_faults([race])
    assert line() == 50, "somebody is at work there"


def test_that_what_the_picture_shows_is_said_only_while_it_is_in_front(panel: EditorPanel) -> None:
    said = panel.findChild(QLabel, "editorElsewhere")
    panel.set_picture_seen(False)
    panel.show_elsewhere("The picture shows naive, not k.cu. Record k to see it.")
    assert not said.isVisible()
    panel.set_picture_seen(True)
    assert said.isVisible()
    panel.show_elsewhere("")
    assert not said.isVisible()


@pytest.mark.parametrize("name", ["findText", "goToLine", "editorDone"])
def test_that_keys_of_the_editor_are_its_own_wherever_the_focus_is(qtbot: QtBot, panel: EditorPanel, name: str) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(panel)
    of_window = list[str]()
    for keys in ("Ctrl+S", "Ctrl+G", "Ctrl+F", "Ctrl+Shift+S"):
        QShortcut(keys, window).activated.connect(partial(of_window.append, keys))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    panel.show_file("k.cu", "int a;\nint b;", Language.CUDA)
    panel.find_bar.open(True)
    panel.line_bar.open()
    saves = list[None]()
    panel.save_asked.connect(lambda: saves.append(None))
    focused = panel.findChild(QWidget, name)
    focused.setFocus()
    qtbot.keyClick(focused, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    panel.line_bar.hide()
    qtbot.keyClick(panel.comparison, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert (len(saves), panel.line_bar.isVisible(), of_window) == (1, True, [])
    qtbot.keyClick(focused, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert (len(saves), of_window) == (1, ["Ctrl+Shift+S"])
    window.takeCentralWidget()
