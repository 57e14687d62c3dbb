"""A new experiment, or a session that is opened, comes with nothing of the one before, the editor's text included."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import EMULATOR
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.widgets.question import Answer
from gemmviz.gui.window.main_window import MainWindow


def edit_a_kernel(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> EditorPanel:
    path = tmp_path / "mine.cu"
    path.write_text(load_catalogue().get("tiled").path.read_text(encoding="utf-8"), encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window._set_up.experiment.kernel == "mine")
    panel = window.findChild(QWidget, "editorPanel")
    assert isinstance(panel, EditorPanel)
    assert window._editor.open(path)
    qtbot.waitUntil(panel.isVisible)
    return panel


def test_that_a_new_experiment_leaves_the_editor(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    panel = edit_a_kernel(window, qtbot, tmp_path)
    window._files.new_experiment()
    qtbot.waitUntil(lambda: not panel.isVisible())


def test_that_a_new_experiment_is_on_a_device_that_times_it(window: MainWindow) -> None:
    devices = window._parts.experiment.devices
    usual = devices.chosen("")
    assert usual is not None, "PoCL at least"
    for chosen, device in ((EMULATOR, ""), (usual.id, usual.id)):
        window._set_up.set_experiment(replace(window.experiment, kernel="naive", device=chosen, target="A100"))
        window._files.new_experiment()
        assert (window.experiment.kernel, window.experiment.device) == ("tiled", device)
        assert window.experiment.target == "A100"


def test_that_a_session_opens_and_closes_the_editor_once_its_text_is_saved_or_given_up(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = edit_a_kernel(window, qtbot, tmp_path)
    panel.edit.insertPlainText("// not saved")
    answers, asked = [Answer.CANCEL, Answer.DISCARD], list[str]()

    def answer(_window: QWidget, title: str, *_: object) -> Answer:
        asked.append(title)
        return answers[len(asked) - 1]

    monkeypatch.setattr("gemmviz.gui.control.editor_control.Question.ask", answer)
    example = load_examples()[0]
    window._examples.chosen.emit(example)
    qtbot.waitUntil(lambda: asked == ["Save the kernel?"])
    assert window.document.name != example.title, "nothing is closed before the last question is answered"
    assert panel.isVisible()
    window._examples.chosen.emit(example)
    qtbot.waitUntil(lambda: window.document.name == example.title and not panel.isVisible())
    assert asked == ["Save the kernel?"] * 2
    assert window._editor.path is None
