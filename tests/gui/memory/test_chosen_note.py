"""What is said above the pictures of another kernel than the chosen one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.experiment.opened_file import OpenedFile
from gemmviz.gui.memory.chosen_note import NO_KERNEL, NOT_DESCRIBED, ChosenNote


@pytest.mark.parametrize(("is_adoptable", "why"), [(True, NOT_DESCRIBED), (False, NO_KERNEL)])
@pytest.mark.parametrize("in_view", ["tiled", "naive"])
def test_that_a_file_that_is_no_kernel_yet_is_named_and_nothing_else_offered(
    qtbot: QtBot, is_adoptable: bool, why: str, in_view: str
) -> None:
    note, tiled = ChosenNote(), load_catalogue().get("tiled")
    qtbot.addWidget(note)
    note.show_kernels((in_view,), tiled, is_recorded=in_view == "tiled", file=None)
    assert note.isHidden() is (in_view == "tiled")
    file = OpenedFile(Path("mine.cu"), "mine.cu:1: wrong", is_adoptable)
    note.show_kernels((in_view,), tiled, is_recorded=in_view == "tiled", file=file)
    assert not note.isHidden()
    words = note.findChild(QLabel, "chosenNoteText").text()
    assert words == f"This is the recording of {in_view}. The chosen file, mine.cu, {why}."
    assert all(note.findChild(QPushButton, f"chosenNote{name}").isHidden() for name in ("Record", "Show"))
    note.set_busy(True)
    assert "mine.cu" in note.findChild(QLabel, "chosenNoteText").text()
    note.show_kernels((), tiled, is_recorded=False, file=file)
    assert note.isHidden(), "nothing is in view"
