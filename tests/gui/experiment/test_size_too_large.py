"""A size that no run can have: the list and the refusal give one reason."""

from dataclasses import replace

from PySide6.QtWidgets import QPushButton, QSpinBox
from pytestqt.qtbot import QtBot
from some_devices import HOST

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import load_presets
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.kernels.kernel_list import KernelList
from gemmviz.gui.kernels.model import ROW_ROLE
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.work.experiment import default_experiment


def marks(panel: ExperimentPanel) -> set[str]:
    """What the list says of its kernels."""
    listed = panel.findChild(KernelList, "kernelList").model()
    rows = [listed.index(number, 0).data(ROW_ROLE) for number in range(listed.rowCount())]
    return {row.mark for row in rows if not row.is_heading}


def test_that_the_list_says_what_the_refusal_says(qtbot: QtBot) -> None:
    catalogue, presets = load_catalogue(), load_presets()
    experiment = replace(default_experiment(catalogue, presets), kernel="cpu_ijk")
    panel = ExperimentPanel(catalogue, presets, experiment, LIGHT)
    qtbot.addWidget(panel)
    panel.set_devices((HOST,), "")
    run = panel.findChild(QPushButton, "runButton")
    assert "kernel" in panel.plan.run_words
    for name in ("sizeM", "sizeN"):
        panel.findChild(QSpinBox, name).setValue(16_777_216)
    assert "32-bit index" in panel.refusal()
    assert marks(panel) == {"size too large"}
    assert (run.text(), panel.plan.run_time, panel.plan.ladder_words) == ("Run", "", "Run ladder")
    panel.findChild(QSpinBox, "sizeM").setValue(64)
    panel.findChild(QSpinBox, "sizeN").setValue(64)
    assert "32-bit index" not in panel.refusal()
    assert "size too large" not in marks(panel)
    assert "kernel" in panel.plan.run_words
