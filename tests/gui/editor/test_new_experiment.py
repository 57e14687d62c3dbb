"""A new experiment begins with nothing of the one before, the editor's text included."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.window.main_window import MainWindow


def test_that_a_new_experiment_leaves_the_editor(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(load_catalogue().get("tiled").path.read_text(encoding="utf-8"), encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window._set_up.experiment.kernel == "mine")
    panel = window.findChild(QWidget, "editorPanel")
    assert isinstance(panel, EditorPanel)
    assert window._editor.open(path)
    qtbot.waitUntil(panel.isVisible)
    window._files.new_experiment()
    qtbot.waitUntil(lambda: not panel.isVisible())
