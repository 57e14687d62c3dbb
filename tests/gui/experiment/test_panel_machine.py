"""The PTX machine in the experiment panel: recordings where no GPU is, the target, what a run on it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from some_devices import CPU, HOST

from gemmviz.catalogue.gpus import emulated, find_gpu
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import find_preset, load_presets
from gemmviz.domain.device import Device
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.work.experiment import default_experiment

CATALOGUE = load_catalogue()
BY_CUDA = replace(find_gpu("A100"), id="cuda:1", global_bytes=2**34, max_allocation_bytes=2**34)
START = default_experiment(CATALOGUE, (find_preset("odd"),))


@pytest.fixture
def make_panel(qtbot: QtBot) -> Callable[..., ExperimentPanel]:
    """A panel with a CPU device and the PTX machine that has a kernel chosen."""

    def make(kernel: str, devices: tuple[Device, ...] = (CPU, HOST)) -> ExperimentPanel:
        made = ExperimentPanel(
            CATALOGUE, load_presets(), with_kernel(START, kernel, CATALOGUE), LIGHT, available_bytes=lambda: 2**34
        )
        qtbot.addWidget(made)
        made.resize(290, 700)
        made.set_devices((*devices, emulated("", 2**33)), "install a driver")
        made.show()
        qtbot.waitExposed(made)
        return made

    return make


def find(panel: ExperimentPanel, name: str) -> Any:
    return panel.findChild(QWidget, name)


def test_that_what_only_a_gpu_runs_is_recorded_on_the_machine(make_panel: Callable[..., ExperimentPanel]) -> None:
    panel = make_panel("cp_async")
    asked: list[object] = []
    panel.record_asked.connect(asked.append)
    where, record = find(panel, "recordWhere"), find(panel, "recordButton")
    assert not find(panel, "runButton").isEnabled()
    assert record.isEnabled()
    assert where.text() == "Record runs on the PTX machine, sm_90a."
    assert "the PTX machine, sm_90a: this CPU executes" in record.toolTip()
    label = find(panel, "refusalLabel")
    assert (
        label.text()
        == "Cannot be timed here. Record works: the PTX machine executes it. To time it, choose an NVIDIA GPU."
    )
    assert label.toolTip() == panel.refusal() != label.text()
    record.click()
    assert len(asked) == 1
    target = find(panel, "targetCombo")
    target.setCurrentIndex(target.findData("A100"))
    target.activated.emit(target.currentIndex())
    assert panel.experiment().target == "A100"
    assert where.text() == "Record runs on the PTX machine, sm_80."
    target.setCurrentIndex(target.findData("T4"))
    target.activated.emit(target.currentIndex())
    assert not record.isEnabled()
    assert label.text() == panel.refusal()
    assert "PTX machine, sm_75 on this CPU has 7.5" in panel.no_recording()
    panel.set_experiment(with_kernel(panel.experiment(), "tiled", CATALOGUE))
    assert record.isEnabled()
    assert where.text() == "Record runs on the PTX machine, sm_75."


def test_that_a_gpu_records_in_place_of_a_device_that_only_runs(make_panel: Callable[..., ExperimentPanel]) -> None:
    panel = make_panel("tiled", (BY_CUDA, CPU, HOST))
    where, record = find(panel, "recordWhere"), find(panel, "recordButton")
    panel.set_experiment(replace(panel.experiment(), device=BY_CUDA.choice))
    assert not where.isVisibleTo(panel)
    panel.set_experiment(replace(panel.experiment(), device=CPU.choice))
    assert where.text() == f"Record runs on {BY_CUDA.name}."
    assert record.toolTip().endswith(f"On {BY_CUDA.name}")


def test_that_tensor_cores_are_refused_by_name(make_panel: Callable[..., ExperimentPanel]) -> None:
    panel = make_panel("tf32x3")
    assert not find(panel, "recordButton").isEnabled()
    assert "tensor cores and the TMA, which the PTX machine does not execute" in panel.no_recording()


def test_that_a_run_on_the_machine_says_that_it_is_emulated(make_panel: Callable[..., ExperimentPanel]) -> None:
    panel = make_panel("cp_async")
    (remedy, *_) = panel.remedies
    assert remedy.text == "Use PTX machine, sm_90a on this CPU"
    panel.use_remedy(remedy.experiment)
    assert panel.experiment().device == "machine"
    assert find(panel, "runButton").isEnabled()
    assert find(panel, "runButton").text() == "Run 4 kernels"  # nobody knows how long they take
    assert "The PTX machine executes each GPU kernel once and checks its result" in find(panel, "runButton").toolTip()
    assert "times are emulated" in find(panel, "deviceNote").toolTip()
    assert not find(panel, "recordWhere").isVisibleTo(panel)  # where it runs
    menu = find(panel, "sweepButton").menu()
    menu.aboutToShow.emit()
    timed = [action for action in menu.actions() if action.text().startswith("Sweep")]
    assert timed
    assert not any(action.isEnabled() for action in timed)
    assert all("its times mean nothing. Choose another device" in action.toolTip() for action in timed)
    assert find(panel, "sweepButton").isEnabled(), "settings can be examined"


def test_that_without_another_device_the_machine_is_offered_and_records(
    make_panel: Callable[..., ExperimentPanel],
) -> None:
    panel = make_panel("tiled", (HOST,))
    assert "This machine has no device for GPU kernels" in panel.refusal()
    assert [remedy.text for remedy in panel.remedies] == ["Use PTX machine, sm_90a on this CPU"]
    assert find(panel, "recordButton").isEnabled()
    assert find(panel, "recordWhere").text() == "Record runs on the PTX machine, sm_90a."


def test_that_no_other_kernel_is_offered_in_place_of_one_that_the_machine_does_not_execute(
    make_panel: Callable[..., ExperimentPanel],
) -> None:
    panel = make_panel("tf32x3")
    panel.set_experiment(replace(panel.experiment(), device="machine"))
    assert "tensor cores and the TMA" in panel.refusal()
    assert panel.remedies == ()
