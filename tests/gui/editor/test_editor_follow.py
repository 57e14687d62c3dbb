"""The editor and the kernel that is chosen in the list."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import act, choose_kernel, part
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.editor.examiner import Examiner
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.resources import resource_folder

TEXT = (resource_folder("kernels") / "cuda" / "tiled_transposed.cu").read_text(encoding="utf-8")


@pytest.fixture
def panel(window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EditorPanel:
    """The editor with `two.cu`, the second of two files of a person's own; nothing is examined."""
    monkeypatch.setattr(Examiner, "examine", lambda *_: None)
    for name in ("one", "two"):
        path = tmp_path / f"{name}.cu"
        path.write_text(TEXT, encoding="utf-8")
        window.open_path(path)
        qtbot.waitUntil(lambda name=name: window.experiment.kernel == name)
    act(window, "editKernelAction")
    assert window._editor.path == tmp_path / "two.cu"
    return part(window, EditorPanel, "editorPanel")


def test_that_the_editor_opens_the_file_of_another_own_kernel_that_is_chosen(
    window: MainWindow, panel: EditorPanel, qtbot: QtBot
) -> None:
    qtbot.waitUntil(panel.isVisible)
    choose_kernel(window, "one")
    assert window._editor.path is not None
    assert window._editor.path.name == "one.cu"
    assert part(window, QPushButton, "editorFollow").isHidden()


def test_that_text_which_is_not_saved_stays_and_the_other_file_is_offered(
    window: MainWindow, panel: EditorPanel, qtbot: QtBot
) -> None:
    qtbot.waitUntil(panel.isVisible)
    qtbot.keyClicks(panel.edit, "//")
    text = panel.edit.text()
    choose_kernel(window, "one")
    offer = part(window, QPushButton, "editorFollow")
    assert window._editor.path is not None
    assert (window._editor.path.name, panel.edit.text()) == ("two.cu", text)
    assert (offer.isHidden(), offer.text()) == (False, "Edit one, the chosen kernel")
    assert "not saved" in offer.toolTip()
    choose_kernel(window, "two")
    assert offer.isHidden()
    panel.edit.undo()


def test_that_of_a_kernel_of_the_catalogue_a_copy_is_offered(
    window: MainWindow, panel: EditorPanel, qtbot: QtBot
) -> None:
    qtbot.waitUntil(panel.isVisible)
    choose_kernel(window, "tiled")
    assert window._editor.path is not None
    assert window._editor.path.name == "two.cu"
    assert part(window, QPushButton, "editorFollow").text() == "Edit a copy of tiled, the chosen kernel"
