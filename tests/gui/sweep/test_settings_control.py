"""Examining settings in the window: one after the other, cancelled, used."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from driving import act, choose_kernel, part
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPushButton, QTabWidget
from pytestqt.qtbot import QtBot
from settings_figures import make_setting, make_sweep

from gemmviz.catalogue.gpus import default_gpu, gpu_words, load_gpus
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.kernels.examined_sweep import digest_of
from gemmviz.domain.kernels.kernel_version import Check
from gemmviz.domain.runs.doubts import NOT_SWEPT
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import format_params
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import ExamineRequest
from gemmviz.explain.figures.further_settings import FurtherValues
from gemmviz.explain.figures.settings import settings_head, settings_of_sweep, sweep_words
from gemmviz.gui.control.settings_control import CHECKED_HERE, COPY, ON_EACH_GPU
from gemmviz.gui.editor.examiner import Examiner, SaveFindings
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.files.session_control import unsaved_words
from gemmviz.gui.sweep.settings_page import SettingsPage
from gemmviz.gui.sweep.values_row import ValuesRow
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.window.main_window import MainWindow

WITHOUT_PARAMETERS = """/*---
title = "Mine"
entry = "mine"
[launch]
block = ["4", "4"]
grid = ["ceil_div(N, 4)", "ceil_div(M, 4)"]
---*/
extern "C" __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 4 + threadIdx.y, column = blockIdx.x * 4 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    if (row < M && column < N) C[row * N + column] = sum;
}
"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Examiner, ExamineRequest]]:
    """What is to be examined, which nobody does."""
    found: list[tuple[Examiner, ExamineRequest]] = []
    monkeypatch.setattr(Examiner, "examine", lambda self, work: found.append((self, work)))
    return found


def end_last(asked: list[tuple[Examiner, ExamineRequest]], reason: str) -> None:
    examiner, work = asked[-1]
    examiner.ended.emit(SaveFindings(work, reason=reason))


def test_that_settings_are_examined_one_after_the_other_and_a_cancel_keeps_what_is_there(
    window: MainWindow, qtbot: QtBot, asked: list[tuple[Examiner, ExamineRequest]]
) -> None:
    choose_kernel(window, "tiled")
    page = part(window, SettingsPage, "settingsView")
    button = part(window, QPushButton, "settingsButton")
    assert button.text() == "Examine 5 settings"
    window.document.add_sweep(make_sweep(make_setting(8)))
    assert button.text() == "Examine 5 settings of tiled", "the table shows those of another kernel"
    window.document.new()
    act(window, "settingsAction")
    tab = part(window, QTabWidget, "tabs").currentWidget()
    assert tab is not None
    assert tab.isAncestorOf(page)
    qtbot.waitUntil(page.isVisible)
    assert not part(window, QAction, "settingsAction").isEnabled()
    end_last(asked, f"tiled: {asked[0][1].job.kernel.path}:3 does not compile")
    end_last(asked, "")
    first, second, third = (work for _, work in asked)
    tiles = [dict(work.job.params)["TILE"] for work in (first, second, third)]
    assert tiles == list(first.job.kernel.parameters[0].choices[:3])
    assert {work.conditions.form for work in (first, second, third)} == {CodeForm.AS_COMPILED}
    assert first.conditions.device.startswith("machine")
    part(window, QPushButton, "settingsCancel").click()
    assert [one.version.faults for one in page.settings] == [("tiled.cu:3 does not compile",), ()]
    assert [dict(one.version.params)["TILE"] for one in page.settings] == tiles[:2]
    (kept,) = window.document.session.sweeps
    assert (kept.kernel, len(kept.settings), kept.missing) == ("tiled", 2, 3)
    assert kept.digest == digest_of(first.job.kernel.file_text)
    assert unsaved_words(window.document) == "This session holds 1 unsaved settings sweep."
    assert part(window, QAction, "settingsAction").isEnabled()
    page.use_asked.emit("tiled", second.job.params)
    assert window.experiment.params_of(second.job.kernel) == second.job.params
    part(window, QPushButton, "settingsDelete").click()
    assert window.document.session.sweeps == ()
    assert part(window, QPushButton, "settingsDelete").isHidden()
    assert (
        "removal of 1 sweep"
        in part(window, QAction, "undoAction").toolTip() + part(window, QAction, "undoAction").text()
    )
    act(window, "undoAction")
    assert window.document.session.sweeps == (kept,)


def test_that_of_too_many_settings_one_parameter_is_swept_unasked(window: MainWindow) -> None:
    choose_kernel(window, "register_2d")
    assert part(window, QComboBox, "settingsCombo").currentText() == "BM"
    assert part(window, QPushButton, "settingsButton").text().endswith("settings")


def test_that_a_kernel_without_parameters_is_examined_once_and_compiled_for_every_gpu(
    window: MainWindow, asked: list[tuple[Examiner, ExamineRequest]], tmp_path: Path
) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(WITHOUT_PARAMETERS, encoding="utf-8")
    window.open_path(path)
    page = part(window, SettingsPage, "settingsView")
    button = part(window, QPushButton, "settingsButton")
    assert button.text() == "Examine this setting"
    assert button.isEnabled()
    act(window, "settingsAction")
    for _ in load_gpus():
        end_last(asked, "")
    works = [work for _, work in asked]
    assert [work.only_compiles for work in works] == [False] + [True] * (len(works) - 1)
    assert sorted(work.device.id for work in works) == sorted(gpu.id for gpu in load_gpus())
    assert works[0].device == default_gpu(works[0].job.kernel)
    assert all(work.conditions.device.endswith(work.device.id) for work in works[1:])
    (kept,) = window.document.session.sweeps
    assert [one.gpu for one in kept.settings] == [gpu_words(work.device) for work in works]
    page.refresh()
    assert {page.table.item(line, 0).text() for line in range(len(works))} == {one.gpu for one in kept.settings}


def test_that_a_setting_of_a_kernel_with_parameters_is_compiled_for_every_gpu(
    window: MainWindow, asked: list[tuple[Examiner, ExamineRequest]]
) -> None:
    choose_kernel(window, "tiled")
    combo = part(window, QComboBox, "settingsCombo")
    assert combo.currentText() == "TILE"
    combo.setCurrentIndex(combo.findText(ON_EACH_GPU))
    assert part(window, QPushButton, "settingsButton").text() == "Examine this setting"
    act(window, "settingsAction")
    chosen = window.experiment.params_of(load_catalogue().get("tiled"))
    choose_kernel(window, "register_2d")
    for _ in load_gpus():
        end_last(asked, "")
    (kept,) = window.document.session.sweeps
    assert len({one.gpu for one in kept.settings}) == len(load_gpus())
    assert {work.job.params for _, work in asked} == {chosen}, "what is set up meanwhile changes nothing"
    assert sweep_words(kept).startswith(format_params(chosen))
    assert settings_head(settings_of_sweep(kept)) == "GPU"


def test_that_of_a_kernel_in_opencl_c_one_setting_is_recorded_without_a_gpu(
    window: MainWindow, asked: list[tuple[Examiner, ExamineRequest]]
) -> None:
    choose_kernel(window, "cl_row_private")
    act(window, "settingsAction")
    end_last(asked, "")
    ((_, work),) = asked
    assert not work.only_compiles
    assert len(window.document.session.sweeps[0].settings) == 1


OWN = WITHOUT_PARAMETERS[WITHOUT_PARAMETERS.index("extern") :].replace(" * 4 ", " * TILE ")
SIDECAR = """entry = "mine"
args = ["A", "B", "C", "M", "N", "K"]
[params.TILE]
choices = [4, 8]
[values_left_out.TILE]
16 = "not tried"
[launch]
block = ["TILE", "TILE"]
grid = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
"""


def test_that_typed_values_are_proven_and_written_to_the_description(
    window: MainWindow, qtbot: QtBot, asked: list[tuple[Examiner, ExamineRequest]], tmp_path: Path
) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(OWN, encoding="utf-8")
    (tmp_path / "mine.cu.toml").write_text(SIDECAR, encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    field = part(window, QLineEdit, "settingsValues_TILE")
    assert field.text() == "4, 8"
    assert "TILE = 16: not tried" in part(window, ElidedLabel, "settingsLeftOut").toolTip()
    field.setText("8, x")
    assert not part(window, QPushButton, "settingsButton").isEnabled()
    assert "'x' is no whole number" in part(window, QPushButton, "settingsButton").toolTip()
    field.setText("8, 6, 64")
    assert part(window, QPushButton, "settingsButton").text() == "Examine 3 settings"
    act(window, "settingsAction")
    examiner, work = asked[-1]
    check = Check(Shape(69, 131, 37), False, 2.0, 1.0, 3)
    examiner.ended.emit(SaveFindings(work, check=check))
    end_last(asked, "")
    end_last(asked, "mine: a block of 4096 threads is too large")
    works = [work for _, work in asked]
    assert [(dict(work.job.params)["TILE"], work.proves) for work in works] == [(6, True), (8, False), (64, True)], (
        "in ascending order"
    )
    button = part(window, QPushButton, "settingsWrite")
    assert not button.isHidden()
    assert button.text() == "Write to mine.cu.toml"
    assert button.toolTip().endswith(CHECKED_HERE)
    button.click()
    known = tomllib.loads((tmp_path / "mine.cu.toml").read_text(encoding="utf-8"))
    assert known["params"]["TILE"]["choices"] == [4, 8]
    assert set(known["values_left_out"]["TILE"]) == {"6", "16", "64"}
    assert known["values_left_out"]["TILE"]["64"] == "a block of 4096 threads is too large"
    qtbot.waitUntil(lambda: button.isHidden())


def test_that_the_lines_for_a_header_are_copied_where_a_kernel_describes_itself(
    window: MainWindow,
    qtbot: QtBot,
    asked: list[tuple[Examiner, ExamineRequest]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = FurtherValues((("TILE", 6),))  # what makes a value right is the business of further_values
    monkeypatch.setattr("gemmviz.gui.control.settings_control.further_values", lambda *_: found)
    path = tmp_path / "mine.cu"
    with_tile = WITHOUT_PARAMETERS.replace('"4"', '"TILE"').replace(", 4)", ", TILE)").replace(" * 4 ", " * TILE ")
    text = with_tile.replace("[launch]", "[params.TILE]\nchoices = [4, 8]\n[launch]")
    path.write_text(text, encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    part(window, QLineEdit, "settingsValues_TILE").setText("8, 6")
    act(window, "settingsAction")
    end_last(asked, "")
    end_last(asked, "")
    button = part(window, QPushButton, "settingsWrite")
    assert (button.text(), button.isHidden()) == (COPY, False)
    button.click()
    assert QApplication.clipboard().text() == "[params.TILE]\nchoices = [4, 6, 8]"
    assert path.read_text(encoding="utf-8") == text
    assert not (tmp_path / "mine.cu.toml").exists()


def test_that_values_are_ticked_in_a_menu_that_says_why_some_are_left_out(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(OWN, encoding="utf-8")
    (tmp_path / "mine.cu.toml").write_text(SIDECAR, encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    field = part(window, QLineEdit, "settingsValues_TILE")
    kernel = next(one for one in window._set_up.catalogue.kernels if one.id == "mine")
    row = part(window, ValuesRow, "settingsValues")
    actions = row.menu_for(field, kernel.parameters[0]).actions()
    assert [(one.text(), one.isChecked()) for one in actions] == [
        ("4", True),
        ("8", True),
        ("16   not tried", False),
    ]
    actions[2].trigger()
    actions[0].trigger()
    assert field.text() == "8, 16"
    row.show_right([("TILE", 16)])
    assert part(window, ElidedLabel, "settingsLeftOut").isHidden(), "it is right in the sweep that is shown"
    assert row.menu_for(field, kernel.parameters[0]).actions()[2].text() == "16"
    row.show_right([])
    assert part(window, ElidedLabel, "settingsLeftOut").text().startswith("The description leaves out TILE = 16")


def test_that_times_on_the_ptx_machine_are_not_offered_on_the_empty_page(window: MainWindow) -> None:
    choose_kernel(window, "tiled")
    sweep = next(one for one in window.findChildren(QAction) if one.objectName() == "sweepAction")
    assert sweep.isEnabled()
    emulated = next(one for one in window.work.devices if one.is_emulated)
    panel = part(window, ExperimentPanel, "experimentPanel")
    panel.set_experiment(replace(panel.experiment(), device=emulated.id))
    assert not sweep.isEnabled()
    assert sweep.toolTip().endswith(f"{NOT_SWEPT}.")
