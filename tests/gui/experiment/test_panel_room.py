"""What of the experiment panel is in sight, and whether it fits."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import (
    QApplication,
    QScrollArea,
    QSpinBox,
    QWidget,
)
from some_devices import CPU, HOST

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import find_preset, load_presets
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.work.experiment import default_experiment

CATALOGUE, PRESETS = load_catalogue(), load_presets()
START = replace(default_experiment(CATALOGUE, (find_preset("odd"),)), is_quick=False)


def find(panel: ExperimentPanel, name: str) -> Any:
    return panel.findChild(QWidget, name)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("kernel", ["tiled", "register_2d", "cl_naive", "dot", "cpu_ijk"])
def test_that_the_panel_fits_290_by_700(make_panel, kernel: str, theme) -> None:
    panel = make_panel(experiment=with_kernel(START, kernel, CATALOGUE), theme=theme)
    scroll = panel.findChild(QScrollArea, "experimentScroll")
    assert panel.minimumSizeHint().width() <= 290
    assert scroll.widget().width() <= scroll.viewport().width()
    for name in ("runButton", "sweepButton"):
        button = find(panel, name)
        assert panel.rect().contains(button.rect().translated(button.mapTo(panel, button.rect().topLeft())))
    if kernel in ("tiled", "cpu_ijk"):
        assert scroll.widget().height() <= scroll.viewport().height()


SMALL_SCREEN = (296, 662)
"""What a window of 1280 x 800 leaves to the panel."""


@pytest.mark.parametrize("kernel", [kernel.id for kernel in CATALOGUE.kernels if len(kernel.parameters) <= 5])
def test_that_five_parameters_lie_above_the_fold_on_a_small_screen(make_panel, qtbot, kernel: str) -> None:
    panel = make_panel(experiment=with_kernel(START, kernel, CATALOGUE))
    panel.resize(*SMALL_SCREEN)
    QApplication.processEvents()
    scroll = panel.findChild(QScrollArea, "experimentScroll")
    is_low = len(CATALOGUE.get(kernel).parameters) > 2 or bool(panel.refusal())  # which has its remedy below it
    qtbot.waitUntil(lambda: scroll.widget().height() <= scroll.viewport().height())
    for name in (
        *(f"param_{parameter.name}" for parameter in CATALOGUE.get(kernel).parameters),
        "moreButton",
        "runButton",
        "sweepButton",
        "refusalLabel" if panel.refusal() else "geometryLabel",
    ):
        assert find(panel, name).visibleRegion().boundingRect() == find(panel, name).rect(), name
    assert find(panel, "kernelList").height() >= 20 * (5 if is_low else 7)


def test_that_seven_kernels_with_whole_titles_are_in_sight_on_a_small_screen(panel: ExperimentPanel) -> None:
    panel.resize(*SMALL_SCREEN)
    QApplication.processEvents()
    kernels = find(panel, "kernelList")
    indexes = [kernels.model().index(row) for row in range(kernels.model().rowCount())]
    seen = [index for index in indexes if kernels.viewport().rect().contains(kernels.visualRect(index))]
    assert len([index for index in seen if index.flags()]) >= 7
    assert kernels.currentIndex() in seen


def test_that_buttons_stay_in_sight_in_a_low_window(panel: ExperimentPanel) -> None:
    panel.resize(290, 420)
    QApplication.processEvents()
    assert panel.height() == 420
    button = find(panel, "sweepButton")
    assert button.mapTo(panel, button.rect().bottomRight()).y() < 420


def test_that_eight_digits_can_be_read(panel: ExperimentPanel) -> None:
    for name in ("sizeM", "sizeN", "sizeK"):
        spin = panel.findChild(QSpinBox, name)
        assert spin.lineEdit().width() - 8 >= spin.fontMetrics().horizontalAdvance("16777216")


@pytest.mark.parametrize(
    "kernel", [kernel.id for kernel in CATALOGUE.kernels if not (kernel.id.startswith("dot") or kernel.needs_cuda)]
)
def test_that_the_launch_is_in_sight_after_a_kernel_with_many_parameters(make_panel, kernel: str) -> None:
    panel = make_panel(experiment=with_kernel(START, "register_2d", CATALOGUE))
    panel.set_experiment(with_kernel(START, kernel, CATALOGUE))
    label = find(panel, "geometryLabel")
    QApplication.processEvents()
    assert panel.refusal() == ""
    assert label.height() >= label.sizeHint().height()
    assert label.visibleRegion().boundingRect() == label.rect()


def test_that_more_comes_into_sight_when_it_is_opened(make_panel) -> None:
    panel = make_panel(experiment=with_kernel(START, "register_2d", CATALOGUE))
    find(panel, "moreButton").setChecked(True)
    QApplication.processEvents()
    limit = find(panel, "launchLimitSpin")
    assert limit.visibleRegion().boundingRect() == limit.rect()


def test_that_a_refused_size_moves_nothing(panel: ExperimentPanel, qtbot) -> None:
    panel.resize(*SMALL_SCREEN)
    QApplication.processEvents()
    kernels, said = find(panel, "kernelList"), find(panel, "sizeRefusal")
    before = kernels.mapTo(panel, kernels.rect().topLeft()), kernels.size()
    spin = panel.findChild(QSpinBox, "sizeM")
    spin.selectAll()
    qtbot.keyClicks(spin, "99999999")
    QApplication.processEvents()
    assert said.isVisible()
    assert "too large" in said.text()
    assert said.visibleRegion().boundingRect() == said.rect()
    assert said.mapTo(panel, said.rect().topLeft()).y() >= spin.mapTo(panel, spin.rect().bottomLeft()).y()
    assert (kernels.mapTo(panel, kernels.rect().topLeft()), kernels.size()) == before


@pytest.mark.parametrize("kernel", [kernel.id for kernel in CATALOGUE.kernels if len(kernel.parameters) <= 5])
def test_that_beside_a_note_on_the_device_the_last_row_is_whole_on_a_small_screen(make_panel, kernel: str) -> None:
    panel = make_panel(devices=(CPU, HOST), experiment=with_kernel(START, kernel, CATALOGUE))
    panel.resize(*SMALL_SCREEN)
    QApplication.processEvents()
    more = find(panel, "moreButton")
    assert more.visibleRegion().boundingRect() == more.rect()
    assert "times are not" in find(panel, "deviceNote").toolTip()
