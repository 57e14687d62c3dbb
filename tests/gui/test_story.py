"""The whole way a person goes, through the real window and the real worker."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from driving import (
    act,
    choose_kernel,
    choose_preset,
    compare_with,
    names_in,
    part,
    press,
    texts_of,
    until_idle,
)
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QLabel, QLineEdit, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.tables import run_rows
from gemmviz.domain.session.session import load_session
from gemmviz.gui.app import create_window
from gemmviz.gui.experiment.controls.parameter_field import ParameterField
from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.window.main_window import MainWindow

EXPORTED = ("kernel_time", "speedup", "error_bound", "sweep", "traffic", "window", "runs", "recordings")


def test_that_a_person_gets_from_the_first_start_to_the_same_figures_opened_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_preset(window, "512")
    sizes = [part(window, QSpinBox, name) for name in ("sizeM", "sizeN", "sizeK")]
    assert [size.value() for size in sizes] == [512, 512, 256]
    for size in sizes:
        size.setValue(64)
    choose_kernel(window, "tiled")
    part(window, ParameterField, "param_TILE").set_value(16)
    compare_with(window, {"cpu_ijk", "cpu_blas"})
    part(window, QDoubleSpinBox, "budgetSpin").setValue(0.1)

    press(qtbot, window, "runButton")
    runs = window.document.session.runs
    assert sorted(run.spec.kernel for run in runs) == ["cpu_blas", "cpu_ijk", "tiled"]
    assert dict(next(run for run in runs if run.spec.kernel == "tiled").spec.params) == {"TILE": 16}
    assert all(run.accuracy.passed for run in runs)

    act(window, "sweepAction")
    until_idle(qtbot, window)
    swept = [run for run in window.document.session.runs if run.sweep == 1]
    assert [dict(run.spec.params)["TILE"] for run in swept] == [2, 4, 8, 16, 32]

    act(window, "recordWholeAction")
    until_idle(qtbot, window)
    (trace,) = window.document.session.traces
    assert trace.blocks_recorded == trace.blocks_in_grid == 4 * 4

    figures = tmp_path / "figures"
    export_figures(qtbot, window, figures)
    made = names_in(figures)
    assert {"runs.csv", "samples.csv", f"{trace.spec.kernel}-sites.csv", "window.png", "window.svg"} <= made
    for name in ("kernel_time", "speedup", "error_bound", "sweep_1", "traffic"):
        assert {f"{name}.png", f"{name}.svg"} <= made, made
    with (figures / "runs.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert [float(row["median_ms"]) for row in read] == [r["median_ms"] for r in run_rows(window.document.session)]

    path = tmp_path / "kept.gemmviz"
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(path))
    with qtbot.waitSignal(window.document.saved):
        act(window, "saveAction")
    assert not window.isWindowModified()
    before = texts_of(window)
    assert window.close()

    again = create_window(tmp_path / "settings")
    assert isinstance(again, MainWindow)
    qtbot.addWidget(again)
    with qtbot.waitSignal(again.document.opened):
        again.open_path(path)
    assert texts_of(again) == before
    assert run_rows(again.document.session) == run_rows(load_session(path))
    assert again.close()


def export_figures(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    """Through the dialog, EXPORTED as PNG, SVG and CSV; the other items and animations have tests of their own."""
    act(window, "exportAction")
    dialog = window.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    wanted = {"exportPng", "exportSvg", "exportCsv", *(f"exportItem_{name}" for name in EXPORTED)}
    for tick in dialog.findChildren(QCheckBox):
        tick.setChecked(tick.objectName() in wanted)
    message = dialog.findChild(QLabel, "exportMessage")
    dialog.findChild(QLineEdit, "exportFolder").setText(str(folder))
    ok = dialog.findChild(QPushButton, "exportOk")
    qtbot.waitUntil(ok.isEnabled)
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: message.text().startswith("Wrote"))
    dialog.close()
