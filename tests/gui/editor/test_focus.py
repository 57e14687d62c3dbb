"""Where the keyboard goes when a person leaves the editor."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import part
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QPushButton, QTabWidget, QToolButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.resources import resource_folder

pytestmark = pytest.mark.usefixtures("nvrtc")


def test_that_space_after_done_does_not_edit_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.cu"
    text = (resource_folder("kernels") / "cuda" / "naive.cu").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    qtbot.mouseClick(part(window, QToolButton, "sourceEdit"), Qt.MouseButton.LeftButton)
    panel, done = part(window, EditorPanel, "editorPanel"), part(window, QPushButton, "editorDone")
    qtbot.waitUntil(panel.edit.isVisible)
    panel.edit.insertPlainText("// ")
    answers = [Answer.CANCEL, Answer.DISCARD]
    monkeypatch.setattr(Question, "ask", lambda *_: answers.pop(0))
    done.setFocus()
    qtbot.keyClick(done, Qt.Key.Key_Space)
    assert panel.isVisible(), "the text is not saved, and a person stays"
    assert window.focusWidget() is done
    qtbot.keyClick(done, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not panel.isVisible())
    there = window.focusWidget()
    assert there is not None
    assert not isinstance(there, QAbstractButton)
    assert part(window, QTabWidget, "tabs").isAncestorOf(there)
    qtbot.keyClick(there, Qt.Key.Key_Space)
    assert not panel.isVisible()
