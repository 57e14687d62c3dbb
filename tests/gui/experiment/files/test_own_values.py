"""A kernel whose file is opened begins with its own values, not with those of the kernel before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QUndoStack
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.kernels.user_catalogue import UserCatalogue
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.work.experiment import default_experiment, with_param

SOURCE = """#define TILE 32
extern "C" __global__ void conflict(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float s[TILE][TILE];
}
"""
SIDECAR = """entry = "conflict"
replaces = ["#define TILE"]
[params.TILE]
choices = [8, 16, 32]
[launch]
block = ["TILE", "TILE"]
grid = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
"""


@pytest.fixture
def control(qtbot: QtBot) -> ExperimentControl:
    """`tiled` is chosen, with TILE 16."""
    catalogue = load_catalogue()
    experiment = with_param(default_experiment(catalogue), catalogue.get("tiled"), "TILE", 16)
    panel = ExperimentPanel(catalogue, (), experiment, LIGHT)
    qtbot.addWidget(panel)
    made = ExperimentControl(experiment, UserCatalogue(catalogue, panel), (), panel, QUndoStack(panel), panel)
    assert made.kernel.id == "tiled"
    return made


@pytest.mark.parametrize("is_described_late", [False, True])
def test_that_a_file_that_is_opened_begins_with_the_number_in_it(
    qtbot: QtBot, control: ExperimentControl, tmp_path: Path, is_described_late: bool
) -> None:
    path, beside = tmp_path / "conflict.cu", tmp_path / "conflict.cu.toml"
    path.write_text(SOURCE, encoding="utf-8")
    if not is_described_late:
        beside.write_text(SIDECAR, encoding="utf-8")
    offers: list[tuple[str, str, Callable[[], None]]] = []
    control.offered.connect(lambda *offer: offers.append(offer))
    control.add_kernels((path,))
    if is_described_late:
        qtbot.waitUntil(lambda: control._panel.file is not None)
        beside.write_text(SIDECAR, encoding="utf-8")
        control.read_again(path)
    qtbot.waitUntil(lambda: control.kernel.id == "conflict")
    assert control.experiment.params_of(control.kernel) == (("TILE", 32),)
    ((words, button, use),) = offers
    assert words == "TILE changed from 16 to 32: conflict begins with its own values"
    assert button == "Use TILE=16"
    use()
    assert control.experiment.params_of(control.kernel) == (("TILE", 16),)
    control.set_experiment(with_param(control.experiment, control.kernel, "TILE", 8))
    control.set_kernel("tiled")
    assert control.experiment.params_of(control.kernel) == (("TILE", 8),), "a value that was chosen goes along"
    control.add_kernels((path,))
    qtbot.waitUntil(lambda: control.kernel.id == "conflict")
    assert control.experiment.params_of(control.kernel) == (("TILE", 8),), "what was chosen for it stays"
    assert not control._opened


def test_that_a_copy_has_the_values_of_its_original(qtbot: QtBot, control: ExperimentControl, tmp_path: Path) -> None:
    path = tmp_path / "copy_of_tiled.cu"
    path.write_text(control.kernel.file_text, encoding="utf-8")
    control._user_catalogue.add((path,))  # as the editor does
    qtbot.waitUntil(lambda: control.kernel.id == "copy_of_tiled")
    assert control.experiment.params_of(control.kernel) == (("TILE", 16),)
