"""The PTX machine in the window: recordings and runs with no GPU, the target, and what goes wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from driving import act, part, until_idle
from own_kernel import NAIVE, naive_with
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.gui.machine_code.dialog import MachineCodeDialog
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.device_status import DeviceBadge

pytestmark = pytest.mark.usefixtures("nvrtc")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A kernel file that needs CUDA: the catalogue's naive, which at K = 7 stores behind the end of C."""
    path = tmp_path / "own.cu"
    text = NAIVE.replace("requires = []", 'requires = ["cuda"]')
    naive_with(path, "if (K == 7) C[M * N + 100] = 1.0f;", text)
    return path


def use(window: MainWindow, **settings: Any) -> None:
    """Set something else up."""
    window._set_up.set_experiment(replace(window._set_up.experiment, **settings))


def test_that_a_kernel_of_ones_own_for_cuda_is_recorded_and_its_fault_named(
    window: MainWindow, qtbot: QtBot, own: Path
) -> None:
    window.open_path(own)
    qtbot.waitUntil(lambda: window._set_up.experiment.kernel == "own")
    use(window, shape=Shape(16, 16, 8))
    said: list[str] = []
    window.work.progressed.connect(lambda words, _: said.append(words))
    badge, shown = part(window, DeviceBadge, "deviceBadge"), set[str]()
    window.work.progressed.connect(lambda _words, _: shown.add(badge.words()))
    act(window, "recordAction")
    until_idle(qtbot, window)
    assert shown == {"PTX machine, sm_90a on this CPU · busy"}, "what does the work, and not what is chosen"
    assert badge.words().endswith("ready")
    assert "PTX machine" not in badge.words()
    (trace,) = window.document.session.traces
    assert (trace.device.id, trace.form) == ("machine:sm_90a", CodeForm.AS_COMPILED)
    for words in ("on the PTX machine", "compiling for sm_90a by NVRTC"):  # the next may overtake each other
        assert any(words in each for each in said), said
    qtbot.waitUntil(lambda: window._player.watched is not None)

    use(window, shape=Shape(16, 16, 7))
    act(window, "recordAction")
    until_idle(qtbot, window)
    (hazard,) = window.document.session.traces[-1].hazards
    assert (hazard.kind, hazard.line) == (HazardKind.OUT_OF_BOUNDS, 41)

    use(window, device="machine")
    with qtbot.waitSignal(window.work.failed) as failed:
        act(window, "runAction")
    assert failed.args is not None
    assert "line 41: st.global.u32 404 bytes (101 elements) past the end of C, which has 256 elements" in failed.args[1]
    until_idle(qtbot, window)
    assert "Go to line 41" in {button.text() for button in window.findChildren(QAbstractButton)}


def test_that_the_machine_is_a_device_and_its_target_that_of_the_machine_code(window: MainWindow, qtbot: QtBot) -> None:
    use(window, kernel="naive", compared=frozenset(), shape=Shape(16, 16, 8), device="machine", target="A100")
    act(window, "runAction")
    until_idle(qtbot, window)
    (run,) = window.document.session.runs
    assert (run.device.id, run.is_emulated, run.accuracy.passed) == ("machine:sm_80", True, True)
    assert run.timing.kernel_ms.n == 1
    assert window._layout.tab == "Accuracy", "which shows the check, where no time is shown"

    roofs = part(window, QAction, "roofsAction")
    assert not roofs.isEnabled()
    assert roofs.toolTip().endswith("the PTX machine has no roofs")
    use(window, device="")
    assert roofs.isEnabled()
    use(window, device="machine")

    act(window, "machineCodeAction")
    qtbot.waitUntil(lambda: window.findChild(MachineCodeDialog) is not None)
    until_idle(qtbot, window)
    assert "occupancy on NVIDIA A100" in part(window, QLabel, "machineCodeBuild").text()


def test_that_a_kernel_with_a_shuffle_is_recorded_on_the_machine_by_itself_and_run_offers_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "shuffle.cu"
    line = naive_with(path, "__shfl_down_sync(~0u, first_row, 1);")
    window.open_path(path)
    qtbot.waitUntil(lambda: window._set_up.experiment.kernel == "shuffle")
    use(window, shape=Shape(16, 16, 8))
    assert "Record runs on the PTX machine, sm_90" in part(window, QLabel, "recordWhere").text()
    texts = {each.text() for each in window.findChildren(QAbstractButton)}
    assert any(words.startswith("Use PTX machine") for words in texts)
    shown = [each.text() for each in window.findChildren(QLabel)]
    assert any(f"Cannot be timed here: line {line} uses __shfl_down_sync. Record works" in words for words in shown)
    act(window, "recordAction")
    until_idle(qtbot, window)
    (trace,) = window.document.session.traces
    assert trace.device.is_emulated
    assert window.document.session.traces[0].form is CodeForm.AS_COMPILED
