"""What the panel would start: remedies of refusals, ticks, quick mode, the recording that is offered."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSpinBox, QWidget
from some_devices import GPU, HOST

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import find_preset, load_presets
from gemmviz.domain.shape import Shape
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.experiment.record_choice import InView
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.work.experiment import default_experiment

CATALOGUE, PRESETS = load_catalogue(), load_presets()
START = replace(default_experiment(CATALOGUE, (find_preset("odd"),)), is_quick=False)


class Panel(ExperimentPanel):
    """A panel with 16 GiB of main memory that writes down every experiment it tells of in `told`."""

    def __init__(self) -> None:
        super().__init__(CATALOGUE, PRESETS, START, LIGHT, available_bytes=lambda: 2**34)
        self.told: list[Any] = []


@pytest.fixture
def panel(qtbot) -> Panel:
    made = Panel()
    qtbot.addWidget(made)
    made.resize(296, 700)
    made.set_devices((GPU, HOST, emulated("", 2**33)), "install a driver")
    made.experiment_changed.connect(made.told.append)
    made.show()
    qtbot.waitExposed(made)
    return made


def find(panel: ExperimentPanel, name: str) -> Any:
    return panel.findChild(QWidget, name)


def test_that_a_refusal_goes_when_its_mend_is_pressed(panel: Panel, qtbot) -> None:
    panel.set_experiment(replace(with_kernel(START, "dot", CATALOGUE), shape=Shape(32, 32, 32)))
    assert "Needs M = 1" in panel.refusal()
    button = find(panel, "remedy0")
    assert button.text() == "Set M = N = 1"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert panel.refusal() == ""
    assert not button.isVisible()
    assert panel.told[-1].shape == Shape(1, 1, 32)
    assert panel.findChild(QSpinBox, "sizeM").value() == 1
    assert find(panel, "runButton").isEnabled()


def test_that_a_size_that_no_run_can_have_is_taken_back_by_a_button(panel: Panel, qtbot) -> None:
    panel.findChild(QSpinBox, "sizeM").setValue(16_777_216)
    button = find(panel, "remedy0")
    assert button.text() == "Back to 1037 × 1031 × 1055"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert panel.refusal() == ""
    assert panel.findChild(QSpinBox, "sizeM").value() == 1037
    assert panel.told == []


def test_that_ticks_that_cannot_run_are_told_and_cleared_with_one_click(panel: Panel, qtbot) -> None:
    panel.set_experiment(replace(START, compared=frozenset({"dot", "naive", "tiled_transposed"})))
    note = find(panel, "tickNoteText")
    assert note.isVisible()
    assert note.accessibleName() == "1 ticked kernel cannot run"
    assert "Run leaves out dot" in note.toolTip()
    assert find(panel, "runButton").accessibleName() == "Run 3 kernels, about 35 s"
    qtbot.mouseClick(find(panel, "tickNoteClear"), Qt.MouseButton.LeftButton)
    assert panel.told[-1].compared == {"naive", "tiled_transposed"}
    assert not find(panel, "tickNote").isVisible()


def test_that_ticks_that_the_list_does_not_show_are_told_and_still_run(panel: Panel, qtbot) -> None:
    panel.set_experiment(replace(START, compared=frozenset({"naive", "tiled_transposed"})))
    assert not find(panel, "tickNote").isVisible()
    panel.show_in_sight({"tiled", "naive"})
    assert find(panel, "tickNoteText").accessibleName() == "1 ticked kernel is hidden"
    assert panel.plan.runs == ("tiled", "naive", "tiled_transposed")
    panel.show_in_sight({"tiled"})
    assert find(panel, "tickNoteText").accessibleName() == "2 ticked kernels are hidden"
    panel.show_in_sight({"tiled", "naive"})
    qtbot.mouseClick(find(panel, "tickNoteClear"), Qt.MouseButton.LeftButton)
    assert panel.told[-1].compared == {"naive"}
    panel.show_in_sight(None)
    assert not find(panel, "tickNote").isVisible()


def test_that_quick_mode_is_an_edit_and_shortens_the_estimate(panel: Panel) -> None:
    before = find(panel, "runButton").accessibleName()
    find(panel, "quickBox").click()
    assert panel.told == [replace(START, is_quick=True)]
    assert before == "Run 4 kernels, about 45 s"
    assert find(panel, "runButton").accessibleName() == "Run 4 kernels, about 8 s to 15 s", "slow launches count"
    assert not find(panel, "budgetSpin").isEnabled()
    assert "Quick mode" in find(panel, "budgetSpin").toolTip()


def test_that_record_offers_the_block_in_view(panel: Panel) -> None:
    assert find(panel, "recordButton").accessibleName() == "Record block (0, 0)"
    panel.show_in_view(InView(START.shape, (65, 65, 1), (3, 1, 0)))
    assert find(panel, "recordButton").accessibleName() == "Record block (3, 1)"


def test_that_the_same_runs_again_ask_nothing_anew(panel: Panel, make_result, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(panel, "_available_bytes", lambda: asked.append(1) or 2**34)
    run = make_result()
    panel.show_done([run])
    panel.show_done([run])
    assert len(asked) == 1
    panel.show_done([make_result()])
    panel.show_done([])
    assert len(asked) == 3
