"""Whose machine code is asked for: a chosen run's, else what is set up, else the newest run on an NVIDIA GPU."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gpu_runs import GPU, gpu_run
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from gemmviz.backends.nvcc import find_nvcc
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.gui.machine_code.dialog import MachineCodeDialog
from gemmviz.gui.main_window import MainWindow


def test_that_a_saved_run_shows_its_machine_code_without_a_gpu(window: MainWindow, qtbot: QtBot) -> None:
    try:
        find_nvcc()
    except CompilerMissingError as error:
        pytest.skip(str(error))
    document = window.document
    document.add_run(gpu_run("tiled", size="64x64x64"), 1.0)
    window._actions["machineCodeAction"].trigger()
    qtbot.waitUntil(lambda: window.findChild(MachineCodeDialog) is not None)
    dialog = window.findChild(MachineCodeDialog)
    assert dialog is not None
    assert dialog.windowTitle() == "Machine code of tiled TILE=16"
    text = dialog.findChild(QPlainTextEdit)
    assert text is not None
    assert ".target sm_90" in text.toPlainText()
    qtbot.waitUntil(lambda: not window.work.busy)


def test_that_a_kernel_that_is_gone_is_told(window: MainWindow, qtbot: QtBot) -> None:
    gone = gpu_run("tiled", size="64x64x64")
    window.document.add_run(replace(gone, spec=replace(gone.spec, kernel="mine"), device=GPU), 1.0)
    with qtbot.waitSignal(window.work.told) as told:
        window._actions["machineCodeAction"].trigger()
    assert told.args is not None
    assert "mine is no longer in the list of kernels" in told.args[1]
    assert not window.work.busy
