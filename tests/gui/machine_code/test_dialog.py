"""The dialog of machine code: which text it shows, what is found in it, what is copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.machine_code import MachineCode
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.machine_code.dialog import NO_SASS, MachineCodeDialog

PTX = ".entry tiled()\nfma.rn.f32 %f1;\nfma.rn.f32 %f2;\n"
SASS = "FFMA R1 ;\nEXIT ;\n"


@pytest.fixture
def dialog(qtbot: QtBot) -> MachineCodeDialog:
    made = MachineCodeDialog(MachineCode("tiled TILE=16", "sm_90", "nvcc 13.0 for sm_90", PTX, SASS), LIGHT)
    qtbot.addWidget(made)
    return made


def test_that_ptx_comes_first_and_sass_on_request(dialog: MachineCodeDialog, qtbot: QtBot) -> None:
    assert dialog.windowTitle() == "Machine code of tiled TILE=16"
    assert dialog.text == PTX
    qtbot.mouseClick(dialog.findChild(QPushButton, "machineCodeSass"), Qt.MouseButton.LeftButton)
    assert dialog.text == SASS


def test_that_what_is_searched_is_found_counted_and_walked_round(dialog: MachineCodeDialog, qtbot: QtBot) -> None:
    search, found = dialog.findChild(QLineEdit, "machineCodeSearch"), dialog.findChild(QLabel, "machineCodeFound")
    text = dialog.findChild(QPlainTextEdit, "machineCodeText")
    assert search is not None
    assert found is not None
    assert text is not None
    search.setText("FMA.rn")
    assert found.text() == "2 matches"
    rows = [text.textCursor().blockNumber()]
    for _ in range(2):
        qtbot.keyClick(search, Qt.Key.Key_Return)
        rows.append(text.textCursor().blockNumber())
    assert rows == [1, 2, 1]
    search.setText("entry")
    assert found.text() == "1 match"
    search.setText("wgmma")
    assert found.text() == "no match"
    search.clear()
    assert found.text() == ""


def test_that_the_whole_text_is_copied(dialog: MachineCodeDialog, qtbot: QtBot) -> None:
    qtbot.mouseClick(dialog.findChild(QPushButton, "machineCodeCopy"), Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == PTX


def test_that_a_missing_disassembler_is_told(qtbot: QtBot) -> None:
    made = MachineCodeDialog(MachineCode("tiled", "sm_90", "nvcc", PTX, ""), LIGHT)
    qtbot.addWidget(made)
    qtbot.mouseClick(made.findChild(QPushButton, "machineCodeSass"), Qt.MouseButton.LeftButton)
    assert made.text == NO_SASS
    copy = made.findChild(QPushButton, "machineCodeCopy")
    assert copy is not None
    assert not copy.isEnabled()
