"""Whose machine code is asked for: a chosen run's, else the chosen kernel's, with no GPU there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gpu_runs import GPU, gpu_run
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.machine_code.dialog import MachineCodeDialog
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("nvrtc")


def dialog_of(window: MainWindow, qtbot: QtBot) -> MachineCodeDialog:
    qtbot.waitUntil(lambda: bool(window._run.devices))
    window._actions["machineCodeAction"].trigger()
    qtbot.waitUntil(lambda: window.findChild(MachineCodeDialog) is not None)
    dialog = window.findChild(MachineCodeDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: not window.work.busy)
    return dialog


def choose(dialog: MachineCodeDialog, gpu: str) -> None:
    combo = dialog.findChild(QComboBox, "machineCodeGpu")
    assert combo is not None
    combo.setCurrentIndex(combo.findData(gpu))
    combo.activated.emit(combo.currentIndex())


def test_that_any_kernel_shows_its_code_for_any_gpu_with_none_there(window: MainWindow, qtbot: QtBot) -> None:
    dialog = dialog_of(window, qtbot)
    build = dialog.findChild(QLabel, "machineCodeBuild")
    assert build is not None
    assert build.text().startswith("Compiled by NVRTC ")
    assert ".target sm_90" in dialog.text
    choose(dialog, "T4")
    assert dialog.is_waiting
    qtbot.waitUntil(lambda: not dialog.is_waiting)
    assert ".target sm_75" in dialog.text
    assert "occupancy on NVIDIA T4" in build.text()
    qtbot.waitUntil(lambda: not window.work.busy)
    choose(dialog, "")
    qtbot.waitUntil(lambda: not dialog.is_waiting)
    assert ".target sm_90" in dialog.text
    assert len(window.findChildren(MachineCodeDialog)) == 1
    dialog.findChild(QPushButton, "machineCodeClose").click()
    qtbot.waitUntil(lambda: window.findChild(MachineCodeDialog) is None and not window.work.busy)


def test_that_a_saved_run_shows_its_machine_code_without_a_gpu(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add_run(gpu_run("tiled", size="64x64x64"), 1.0)
    dialog = dialog_of(window, qtbot)
    text = dialog.findChild(QPlainTextEdit, "machineCodeText")
    assert text is not None
    assert ".target sm_90" in text.toPlainText()
    combo = dialog.findChild(QComboBox, "machineCodeGpu")
    assert combo is not None
    assert combo.currentText() == f"{GPU.name} (sm_90)"


def test_that_a_kernel_that_is_gone_is_told(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = gpu_run("tiled", size="64x64x64")
    gone = replace(gone, spec=replace(gone.spec, kernel="mine"), device=GPU)
    monkeypatch.setattr(window._parts.results, "selected", lambda: [gone])
    with qtbot.waitSignal(window.work.told) as told:
        window._actions["machineCodeAction"].trigger()
    assert told.args is not None
    assert "mine is no longer in the list of kernels" in told.args[1]
    assert not window.work.busy
