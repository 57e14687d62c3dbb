"""The PTX machine in the window: recordings and runs with no GPU, the target, and what goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from driving import act, part, until_idle
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from gemmviz.compiler.source import CompilerMissingError
from gemmviz.compiler.wheels import find_nvrtc
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.gui.experiment.experiment import with_kernel
from gemmviz.gui.machine_code.dialog import MachineCodeDialog
from gemmviz.gui.main_window import MainWindow
from gemmviz.resources import resource_folder


@pytest.fixture(autouse=True, scope="module")
def _is_there() -> None:
    try:
        find_nvrtc()
    except CompilerMissingError as error:
        pytest.skip(str(error))


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str], Path]:
    """A kernel file that needs CUDA: the catalogue's naive with another statement in front of its last brace."""

    def write(statement: str) -> Path:
        text = (resource_folder("kernels") / "cuda" / "naive.cu").read_text(encoding="utf-8")
        text = text.replace("requires = []", 'requires = ["cuda"]')
        place = text.rindex("}")
        (tmp_path / "own.cu").write_text(f"{text[:place]}    {statement}\n{text[place:]}", encoding="utf-8")
        return tmp_path / "own.cu"

    return write


@pytest.fixture
def ready(window: MainWindow) -> MainWindow:
    """The window set up for one small block."""
    window._set_up.set_experiment(replace(window._set_up.experiment, shape=Shape(16, 16, 8)))
    return window


def test_that_a_kernel_of_ones_own_for_cuda_is_recorded_in_the_window(
    ready: MainWindow, qtbot: QtBot, own: Callable[[str], Path]
) -> None:
    ready.open_path(own(""))
    qtbot.waitUntil(lambda: ready._set_up.experiment.kernel == "own")
    said: list[str] = []
    ready.work.progressed.connect(lambda words, _: said.append(words))
    act(ready, "recordAction")
    until_idle(qtbot, ready)
    (trace,) = ready.document.session.traces
    assert (trace.device.id, trace.form) == ("machine:sm_90a", CodeForm.AS_COMPILED)
    for words in ("on the PTX machine, sm_90a", "compiling for sm_90a by NVRTC", "compiling by LLVM"):
        assert any(words in each for each in said), said
    qtbot.waitUntil(lambda: ready._player.watched is not None)


def test_that_a_fault_names_the_array_and_leads_to_its_line(
    ready: MainWindow, qtbot: QtBot, own: Callable[[str], Path]
) -> None:
    ready.open_path(own("C[M * N + 100] = 1.0f;"))
    qtbot.waitUntil(lambda: ready._set_up.experiment.kernel == "own")
    with qtbot.waitSignal(ready.work.failed) as failed:
        act(ready, "recordAction")
    assert failed.args is not None
    assert "line 41: st.global.u32 at byte 1424 of C, which has 1024" in failed.args[1]
    until_idle(qtbot, ready)
    assert "Go to line 41" in {button.text() for button in ready.findChildren(QAbstractButton)}


def test_that_machine_code_is_shown_for_the_target(ready: MainWindow, qtbot: QtBot) -> None:
    ready._set_up.set_experiment(replace(with_kernel(ready._set_up.experiment, "naive"), target="A100"))
    act(ready, "machineCodeAction")
    qtbot.waitUntil(lambda: ready.findChild(MachineCodeDialog) is not None)
    until_idle(qtbot, ready)
    assert "occupancy on NVIDIA A100" in part(ready, QLabel, "machineCodeBuild").text()


def test_that_a_run_on_the_machine_is_checked_and_marked(ready: MainWindow, qtbot: QtBot) -> None:
    experiment = with_kernel(ready._set_up.experiment, "naive")
    ready._set_up.set_experiment(replace(experiment, device="machine", target="A100", compared=frozenset()))
    act(ready, "runAction")
    until_idle(qtbot, ready)
    (run,) = ready.document.session.runs
    assert (run.device.id, run.is_emulated, run.accuracy.passed) == ("machine:sm_80", True, True)
    assert run.timing.kernel_ms.n == 1
    act(ready, "roofsAction")
    with qtbot.waitSignal(ready.work.failed) as failed:
        pass
    assert failed.args is not None
    assert "its times mean nothing. Measure roofs on another device" in failed.args[1]
