"""The dialog of machine code: which text it shows, what is found in it, what is copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.kernels.machine_code import MachineCode
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.machine_code.dialog import NO_SASS, MachineCodeDialog
from gemmviz.gui.source.code_pane import CodePane

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
    assert found.text() == "1 of 2 matches"
    rows, told = [text.textCursor().blockNumber()], []
    for _ in range(2):
        qtbot.keyClick(search, Qt.Key.Key_Return)
        rows.append(text.textCursor().blockNumber())
        told.append(found.text())
    assert told == ["2 of 2 matches", "1 of 2 matches"]
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


SOURCE = "one\ntwo\nthree"


@pytest.fixture
def linked(qtbot: QtBot) -> MachineCodeDialog:
    code = MachineCode(
        "tiled", "sm_90", "NVRTC 13.5 for sm_90", PTX, SASS, "NVIDIA H100", ("T4",), SOURCE, (0, 2, 3), (3, 0)
    )
    made = MachineCodeDialog(code, LIGHT)
    qtbot.addWidget(made)
    return made


def pane(dialog: MachineCodeDialog, name: str) -> CodePane:
    found = dialog.findChild(CodePane, name)
    assert found is not None
    return found


def marked(one: CodePane) -> list[str]:
    return [selection.cursor.block().text() for selection in one.extraSelections()]


def go_to(one: CodePane, line: int) -> None:
    one.setTextCursor(QTextCursor(one.document().findBlockByNumber(line - 1)))


def test_that_a_line_of_the_source_marks_its_code_and_the_reverse(linked: MachineCodeDialog, qtbot: QtBot) -> None:
    source, code = pane(linked, "machineCodeSource"), pane(linked, "machineCodeText")
    link = linked.findChild(QLabel, "machineCodeLink")
    assert link is not None
    assert link.text().startswith("Choose a line")
    go_to(source, 2)
    assert (marked(source), marked(code)) == (["two"], ["fma.rn.f32 %f1;"])
    assert link.text() == "Line 2 of the source: 1 instruction"
    go_to(code, 3)
    assert (marked(source), marked(code)) == (["three"], ["fma.rn.f32 %f2;"])
    go_to(source, 1)
    assert (marked(source), marked(code)) == ([], [])
    assert link.text() == "No instruction belongs to this line."
    qtbot.mouseClick(linked.findChild(QPushButton, "machineCodeSass"), Qt.MouseButton.LeftButton)
    go_to(source, 3)
    assert marked(code) == ["FFMA R1 ;"]
    qtbot.mouseClick(linked.findChild(QPushButton, "machineCodePtx"), Qt.MouseButton.LeftButton)
    assert (marked(source), marked(code)) == (["three"], ["fma.rn.f32 %f2;"]), "the line stays chosen"
    qtbot.mouseClick(linked.findChild(QPushButton, "machineCodeSass"), Qt.MouseButton.LeftButton)
    code.setFocus()
    qtbot.keyClick(code, Qt.Key.Key_Down)
    assert marked(code) == []


def test_that_a_gpu_that_fails_leaves_the_code_that_was_there(linked: MachineCodeDialog, qtbot: QtBot) -> None:
    combo, build = linked.findChild(QComboBox, "machineCodeGpu"), linked.findChild(QLabel, "machineCodeBuild")
    assert combo is not None
    assert build is not None
    combo.setCurrentIndex(combo.findData("T4"))
    with qtbot.waitSignal(linked.gpu_chosen) as chosen:
        combo.activated.emit(combo.currentIndex())
    assert chosen.args == ["T4"]
    assert (linked.is_waiting, combo.isEnabled()) == (True, False)
    linked.show_fault("tiled: it does not fit")
    assert (linked.is_waiting, combo.isEnabled(), combo.currentIndex()) == (False, True, 0)
    assert build.text() == "tiled: it does not fit\nNVRTC 13.5 for sm_90"
    assert linked.text == PTX
    linked.show_fault("something else")
    assert "something else" not in build.text(), "nobody asked"


def test_that_each_gpu_is_there_once_with_its_architecture(qtbot: QtBot) -> None:
    code = MachineCode("k", "sm_90", "", PTX, SASS, "NVIDIA H100 SXM", ("T4", "A100", "H100"), "", (), ())
    made = MachineCodeDialog(code, LIGHT)
    qtbot.addWidget(made)
    combo = made.findChild(QComboBox, "machineCodeGpu")
    assert [combo.itemText(i) for i in range(combo.count())] == ["T4 (sm_75)", "A100 (sm_80)", "H100 (sm_90a)"]
    assert (combo.currentText(), combo.currentData()) == ("H100 (sm_90a)", "")


def test_that_what_is_hidden_in_a_source_is_written_out(qtbot: QtBot) -> None:
    code = MachineCode("k", "sm_90", "", PTX, SASS, "", (), "a\u202eb\r\nc", (1, 2, 2), ())
    made = MachineCodeDialog(code, LIGHT)
    qtbot.addWidget(made)
    assert pane(made, "machineCodeSource").toPlainText() == "a\\u202eb\nc"
