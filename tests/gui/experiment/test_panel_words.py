"""What the panel says of the chosen kernel."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import load_presets
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.work.experiment import default_experiment


def test_that_a_file_with_the_title_of_another_kernel_is_named_in_a_low_window(qtbot: QtBot) -> None:
    tiled = load_catalogue().get("tiled")
    catalogue = load_catalogue().with_kernel(replace(tiled, id="mine", path=tiled.path.with_name("mine.cu")))
    start = with_kernel(default_experiment(catalogue), "mine", catalogue)
    panel = ExperimentPanel(catalogue, load_presets(), start, LIGHT, available_bytes=lambda: 2**34)
    qtbot.addWidget(panel)
    panel.resize(290, 700)
    detail = panel.findChild(QLabel, "kernelDetail")
    assert isinstance(detail, QLabel)
    assert detail.text() == f"{tiled.title} · mine.cu"
