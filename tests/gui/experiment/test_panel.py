from dataclasses import replace
from statistics import median
from typing import Any

import pytest
from heard_panel import HeardPanel
from pace import limit_s, own_s
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QSpinBox,
    QWidget,
)
from some_devices import GPU, HOST

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.loader import Catalogue, load_catalogue
from gemmviz.catalogue.presets import find_preset, load_presets
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.looks.theme import DARK
from gemmviz.gui.work.experiment import default_experiment, preset_of, with_param, with_preset

CATALOGUE, PRESETS = load_catalogue(), load_presets()
START = replace(default_experiment(CATALOGUE, (find_preset("odd"),)), is_quick=False)
MACHINE = emulated("", 2**33)
SIGNALS = (
    "run_asked",
    "ladder_asked",
    "record_asked",
    "sweep_asked",
    "settings_asked",
    "cancel_asked",
)


def find(panel: HeardPanel, name: str) -> Any:
    return panel.findChild(QWidget, name)


def geometry_text(panel: HeardPanel) -> str:
    return find(panel, "geometryLabel").text().replace("\N{NARROW NO-BREAK SPACE}", " ")


def test_that_the_named_controls_are_there_with_words_for_everyone(panel: HeardPanel) -> None:
    for name in (
        "deviceCombo",
        "presetCombo",
        "sizeM",
        "sizeN",
        "sizeK",
        "kernelList",
        "param_TILE",
        "fillCombo",
        "seedSpin",
        "modeSelector",
        "budgetSpin",
        "launchLimitSpin",
        "runButton",
        "recordButton",
        "runMenuButton",
        "recordMenuButton",
        "quickBox",
        "sweepButton",
        "cancelButton",
        "geometryLabel",
        "refusalLabel",
    ):
        assert find(panel, name).accessibleName(), name
        if name not in ("modeSelector", "param_TILE", "geometryLabel", "refusalLabel"):
            assert find(panel, name).toolTip(), name


def test_that_the_geometry_follows_a_parameter(panel: HeardPanel) -> None:
    assert "grid 65 × 65 blocks" in geometry_text(panel)
    assert "shared 2 048 of 49 152 bytes" in geometry_text(panel)
    find(panel, "param_TILE").set_value(32)
    assert "grid 33 × 33 blocks" in geometry_text(panel)
    assert "shared 8 192 of 49 152 bytes" in geometry_text(panel)
    assert panel.told == [with_param(START, CATALOGUE.get("tiled"), "TILE", 32)]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_that_every_kernel_shows_a_geometry_or_a_refusal_for_every_preset(panel: HeardPanel, preset) -> None:
    for kernel in CATALOGUE.kernels:
        panel.set_experiment(with_kernel(with_preset(START, preset, CATALOGUE), kernel.id, CATALOGUE))
        refusal = find(panel, "refusalLabel")
        assert bool(geometry_text(panel)) != bool(refusal.text()), kernel.id
        assert refusal.isVisible() == bool(refusal.text())
        assert panel.refusal() == refusal.text()
        assert find(panel, "runButton").isEnabled() == (not refusal.text())
    assert panel.told == []


def test_that_a_preset_is_one_edit(panel: HeardPanel) -> None:
    combo = panel.findChild(QComboBox, "presetCombo")
    combo.setCurrentIndex(combo.findData("512"))
    assert [str(experiment.shape) for experiment in panel.told] == ["512x512x256"]
    assert preset_of(panel.experiment(), PRESETS, CATALOGUE).id == "512"
    assert panel.findChild(QSpinBox, "sizeK").value() == 256
    assert panel.findChild(QComboBox, "fillCombo").currentData() == Fill.INTEGERS_2147


def test_that_a_size_of_ones_own_is_no_preset(panel: HeardPanel) -> None:
    combo = panel.findChild(QComboBox, "presetCombo")
    assert combo.currentText().startswith("Odd sizes")
    panel.findChild(QSpinBox, "sizeM").setValue(17)
    assert combo.currentIndex() == 0
    assert [experiment.shape for experiment in panel.told] == [Shape(17, 1031, 1055)]
    panel.findChild(QSpinBox, "sizeM").setValue(1037)
    assert combo.currentText().startswith("Odd sizes")


def test_that_a_size_no_run_can_have_is_refused_and_changes_nothing(panel: HeardPanel) -> None:
    m, n = (panel.findChild(QSpinBox, name) for name in ("sizeM", "sizeN"))
    m.setValue(16_777_216)
    assert "at most 2\u202f147\u202f483\u202f647" in panel.refusal()
    assert panel.told == []
    assert m.value() == 16_777_216
    assert not find(panel, "runMenuButton").isEnabled()
    panel.findChild(QSpinBox, "seedSpin").setValue(5)
    assert m.value() == 16_777_216
    assert "at most 2\u202f147\u202f483\u202f647" in panel.refusal()
    m.setValue(64)
    n.setValue(48)
    assert panel.refusal() == ""
    assert panel.experiment().shape == Shape(64, 48, 1055)


def test_that_an_experiment_from_outside_ends_a_size_that_was_none(panel: HeardPanel) -> None:
    panel.findChild(QSpinBox, "sizeM").setValue(16_777_216)
    panel.set_experiment(replace(START, shape=Shape(8, 8, 8)))
    assert panel.findChild(QSpinBox, "sizeM").value() == 8
    assert panel.refusal() == ""


def test_that_a_size_beyond_memory_is_refused_with_the_number(panel: HeardPanel) -> None:
    panel.set_devices((GPU, HOST, MACHINE), "")
    panel.set_experiment(replace(START, shape=Shape(40000, 40000, 20000)))
    assert "of main memory, of which there are 16 GiB" in panel.refusal()
    for name in ("runButton", "recordButton", "runMenuButton"):
        assert not find(panel, name).isEnabled()
        assert "of which there are 16 GiB" in find(panel, name).toolTip()
    assert find(panel, "sweepButton").isEnabled(), "settings are examined at a smaller size"
    menu = find(panel, "sweepButton").menu()
    menu.aboutToShow.emit()
    assert [action.isEnabled() for action in menu.actions() if action.text()] == [False, True]


def test_that_a_refused_choice_is_shown_before_and_after_it_is_made(make_panel) -> None:
    panel = make_panel(devices=(replace(GPU, max_threads_per_block=256), HOST))
    button = next(b for b in find(panel, "param_TILE").findChildren(QAbstractButton) if b.text() == "32")
    assert button.property("refused")
    assert "TILE * TILE <= 256 threads, but 32 * 32 = 1024" in button.toolTip()
    assert panel.refusal() == ""
    button.click()
    assert "TILE * TILE <= 256 threads, but 32 * 32 = 1024" in panel.refusal()
    assert not find(panel, "runButton").isEnabled()
    assert find(panel, "runMenuButton").isEnabled()


def test_that_nothing_starts_until_the_devices_are_known(make_panel) -> None:
    panel = make_panel(devices=None)
    assert panel.findChild(QComboBox, "deviceCombo").currentText() == "looking for devices…"
    assert geometry_text(panel) == "looking for devices…"
    assert not find(panel, "runButton").isEnabled()
    assert panel.refusal() == ""
    panel.set_devices((GPU, HOST), "")
    assert find(panel, "runButton").isEnabled()
    assert panel.told == []


def test_that_without_a_gpu_device_only_cpu_kernels_run(make_panel) -> None:
    panel = make_panel(devices=(HOST,))
    assert "no device for GPU kernels" in panel.refusal()
    assert "Install a driver." in [label.text() for label in panel.findChildren(QLabel)]
    assert find(panel, "runMenuButton").isEnabled()
    panel.set_experiment(with_kernel(START, "cpu_blas", CATALOGUE))
    assert panel.refusal() == ""
    assert find(panel, "runButton").isEnabled()
    assert not find(panel, "recordButton").isEnabled()
    assert geometry_text(panel).startswith("Runs on the CPU, on all 8 cores.")


def test_that_a_machine_without_any_device_can_still_be_looked_at(make_panel) -> None:
    panel = make_panel(devices=())
    assert panel.refusal()
    panel.set_experiment(with_kernel(START, "cpu_ijk", CATALOGUE))
    assert panel.refusal() == ""


def test_that_a_device_is_chosen(make_panel) -> None:
    panel = make_panel(devices=(GPU, replace(GPU, id="gpu1", shared_bytes_per_block=1024), HOST))
    panel.findChild(QComboBox, "deviceCombo").setCurrentIndex(1)
    assert [experiment.device for experiment in panel.told] == ["gpu1"]
    assert "1024" in panel.refusal()


def test_that_choosing_and_ticking_kernels_are_edits(panel: HeardPanel, qtbot) -> None:
    kernels = find(panel, "kernelList")
    qtbot.keyClick(kernels, Qt.Key.Key_Down)
    qtbot.keyClick(kernels, Qt.Key.Key_Space)
    first, second = panel.told
    assert first == with_kernel(START, "tiled_transposed", CATALOGUE)
    assert second.compared == START.compared - {"tiled_transposed"}
    detail, chosen = find(panel, "kernelDetail"), CATALOGUE.get("tiled_transposed")
    assert detail.toolTip() == chosen.teaches
    assert detail.text() == chosen.title, "in a low window there is no room for more"
    panel.resize(panel.width(), 900)
    assert detail.text() == chosen.teaches


def test_that_another_kernel_keeps_what_was_chosen_for_its_parameters(panel: HeardPanel) -> None:
    panel.set_experiment(with_param(panel.experiment(), CATALOGUE.get("tiled"), "TILE", 4))
    panel.kernels.kernel_chosen.emit("tiled_padded")
    assert panel.experiment().params_of(CATALOGUE.get("tiled_padded")) == (("TILE", 4),)
    assert "4 × 4" in geometry_text(panel)


def test_that_what_is_set_from_outside_is_not_told_back(panel: HeardPanel) -> None:
    other = replace(
        with_kernel(START, "register_2d", CATALOGUE), shape=Shape(33, 17, 1), seed=4, fill=Fill.ONES, device="gpu0"
    )
    panel.set_experiment(other)
    panel.set_busy(True)
    panel.set_busy(False)
    panel.set_devices((GPU, HOST), "")
    panel.set_theme(DARK)
    assert panel.told == []
    assert panel.experiment() == other


def test_that_settings_can_be_changed_while_something_runs(panel: HeardPanel) -> None:
    panel.set_busy(True)
    assert [
        find(panel, name).isEnabled() for name in ("runButton", "recordButton", "runMenuButton", "sweepButton")
    ] == [False] * 4
    assert find(panel, "cancelButton").isEnabled()
    find(panel, "param_TILE").set_value(8)
    assert len(panel.told) == 1
    panel.set_busy(False)
    assert find(panel, "runButton").isEnabled()
    assert not find(panel, "cancelButton").isEnabled()


def test_that_buttons_and_menus_ask_for_work(panel: HeardPanel, qtbot) -> None:
    panel.set_devices((GPU, HOST, MACHINE), "")
    told = []
    for name in SIGNALS:
        getattr(panel, name).connect(lambda *what, name=name: told.append((name, *what)))
    qtbot.mouseClick(find(panel, "runButton"), Qt.MouseButton.LeftButton)
    find(panel, "runMenuButton").menu().actions()[0].trigger()
    qtbot.mouseClick(find(panel, "recordButton"), Qt.MouseButton.LeftButton)
    find(panel, "recordMenuButton").menu().actions()[3].trigger()
    menu = find(panel, "sweepButton").menu()
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions() if action.text()]
    assert texts == ["Sweep TILE (5 runs, about 55 s)", "Examine settings without a GPU …"]
    menu.actions()[0].trigger()
    menu.actions()[-1].trigger()
    panel.set_busy(True)
    qtbot.mouseClick(find(panel, "cancelButton"), Qt.MouseButton.LeftButton)
    assert told == [
        ("run_asked",),
        ("ladder_asked",),
        ("record_asked", ((0, 0, 0),)),
        ("record_asked", ((64, 64, 0),)),
        ("sweep_asked", ("TILE",)),
        ("settings_asked",),
        ("cancel_asked",),
    ]


def test_that_a_kernel_of_ones_own_can_leave_the_list(make_panel, mine: Catalogue, qtbot) -> None:
    panel = make_panel(mine, experiment=with_kernel(START, "mine", CATALOGUE))
    assert panel.refusal() == ""
    with qtbot.waitSignal(panel.kernels.removal_asked) as signal:
        qtbot.keyClick(find(panel, "kernelList"), Qt.Key.Key_Delete)
    assert signal.args == ["mine"]
    panel.set_catalogue(CATALOGUE)
    assert [experiment.kernel for experiment in panel.told] == [START.kernel]


def test_that_a_kernel_read_again_keeps_what_was_chosen(make_panel, mine: Catalogue) -> None:
    panel = make_panel(mine, experiment=with_param(with_kernel(START, "mine", CATALOGUE), mine.get("mine"), "TILE", 8))
    tile = replace(mine.get("mine").parameters[0], choices=(4, 8), default=4)
    panel.set_catalogue(mine.with_kernel(replace(mine.get("mine"), title="Better tiles", parameters=(tile,))))
    assert panel.told == []
    assert find(panel, "param_TILE").value() == 8
    assert len(find(panel, "param_TILE").findChildren(QAbstractButton)) == 2
    assert find(panel, "kernelList").currentIndex().data() == "mine · Better tiles"
    fewer = replace(tile, choices=(2, 4), default=2)
    panel.set_catalogue(mine.with_kernel(replace(mine.get("mine"), parameters=(fewer,))))
    assert find(panel, "param_TILE").value() == 2


def test_that_tab_goes_through_every_control_from_top_to_bottom(panel: HeardPanel, qtbot) -> None:
    panel.set_devices((GPU, HOST, MACHINE), "")
    panel.set_experiment(with_kernel(START, "tiled_wide", CATALOGUE))
    panel.activateWindow()
    find(panel, "deviceCombo").setFocus()
    qtbot.waitUntil(find(panel, "deviceCombo").hasFocus)
    find(panel, "moreButton").setChecked(True)
    met = []
    for _ in range(40):
        control = QApplication.focusWidget()
        name = control.objectName() or control.parent().objectName() or control.parent().parent().objectName()
        if name in met:
            break
        met.append(name)
        qtbot.keyClick(control, Qt.Key.Key_Tab)
    assert met == [
        "deviceCombo",
        "targetCombo",
        "presetCombo",
        "sizeM",
        "sizeN",
        "sizeK",
        "kernelBrowse",
        "kernelFilter",
        "kernelRunnable",
        "kernelList",
        "param_TILE_16",
        "param_F_4",
        "moreButton",
        "fillCombo",
        "seedSpin",
        "modeSelector",
        "budgetSpin",
        "launchLimitSpin",
        "runButton",
        "runMenuButton",
        "quickBox",
        "recordButton",
        "recordMenuButton",
        "sweepButton",
    ]


def test_that_a_change_is_shown_without_a_pause(panel: HeardPanel) -> None:
    changed = [replace(with_kernel(START, "register_2d", CATALOGUE), shape=Shape(m, 99, 98)) for m in range(100, 121)]
    spent = [own_s(lambda experiment=experiment: panel.set_experiment(experiment)) for experiment in changed]
    assert median(spent) < limit_s(0.05)  # some 6 ms


def test_that_every_accessible_name_begins_with_a_capital(panel: HeardPanel) -> None:
    names = [widget.accessibleName() for widget in panel.findChildren(QWidget) if widget.accessibleName()]
    assert [name for name in names if not name[0].isupper()] == []
    assert find(panel, "sizeM").accessibleName() == "Matrix size M: rows of A and of C"
