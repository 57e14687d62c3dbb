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


OF_SET_UP = "Machine code of tiled TILE=32"


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


def test_that_a_chosen_run_shows_its_machine_code_and_leads_to_that_of_what_is_set_up(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = gpu_run("tiled", size="64x64x64")
    window.document.add_run(run, 1.0)
    window._set_up.set_experiment(
        replace(window._set_up.experiment, kernel="tiled", params=(("tiled", (("TILE", 32),)),), target="T4")
    )
    monkeypatch.setattr(window._parts.results, "selected", lambda: [run])
    dialog = dialog_of(window, qtbot)
    text = dialog.findChild(QPlainTextEdit, "machineCodeText")
    assert text is not None
    assert ".target sm_90" in text.toPlainText()
    combo = dialog.findChild(QComboBox, "machineCodeGpu")
    assert combo is not None
    assert combo.currentText() == f"{GPU.name} (sm_90a)"
    said = dialog.findChild(QLabel, "machineCodeDifference")
    assert said is not None
    words = str(said.text())
    assert words.startswith("This is the code of the run chosen in Results: tiled TILE=16 at 64×64×64 for ")
    assert "Set up now: tiled TILE=32 at" in words
    assert words.endswith("for NVIDIA T4.")
    dialog.findChild(QPushButton, "machineCodeSetUp").click()
    qtbot.waitUntil(lambda: not window.work.busy)
    qtbot.waitUntil(lambda: [one.windowTitle() for one in window.findChildren(MachineCodeDialog)] == [OF_SET_UP])
    dialog = window.findChild(MachineCodeDialog)
    assert ".target sm_75" in dialog.text
    assert not dialog.findChild(QPushButton, "machineCodeSetUp").isVisible()


def test_that_without_a_chosen_run_the_code_is_of_what_is_set_up(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add_run(gpu_run("tiled", size="64x64x64"), 1.0)
    window._set_up.set_experiment(
        replace(window._set_up.experiment, kernel="tiled", params=(("tiled", (("TILE", 32),)),), target="T4")
    )
    dialog = dialog_of(window, qtbot)
    assert dialog.windowTitle() == OF_SET_UP
    assert ".target sm_75" in dialog.text
    assert not dialog.findChild(QLabel, "machineCodeDifference").isVisible()


def test_that_a_kernel_that_is_gone_is_told(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = gpu_run("tiled", size="64x64x64")
    gone = replace(gone, spec=replace(gone.spec, kernel="mine"), device=GPU)
    monkeypatch.setattr(window._parts.results, "selected", lambda: [gone])
    with qtbot.waitSignal(window._code.notified) as told:
        window._actions["machineCodeAction"].trigger()
    assert told.args is not None
    assert "mine is no longer in the list of kernels" in told.args[1]
    assert not window.work.busy
