from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from some_devices import GPU, HOST

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.presets import load_presets
from gemmviz.domain.device import DeviceKind
from gemmviz.gui.experiment.device import DeviceField, PresetField
from gemmviz.gui.kernels.availability import LOOKING, Devices

PRESETS = load_presets()


class HeardDevice(DeviceField):
    """Keeps what it told."""

    told: list[Any]


class HeardPreset(PresetField):
    """Keeps what it told."""

    told: list[Any]


@pytest.fixture
def field(qtbot) -> HeardDevice:
    made = HeardDevice()
    qtbot.addWidget(made)
    made.told = []
    made.device_chosen.connect(made.told.append)
    return made


def note(field: HeardDevice) -> str:
    label = field.findChild(QLabel, "deviceNote")
    return "" if label.isHidden() else label.text()


def test_that_it_looks_until_something_was_found(field: HeardDevice) -> None:
    field.show_devices(LOOKING, "")
    assert field.combo.currentText() == "looking for devices…"
    assert not field.combo.isEnabled()
    assert note(field) == ""


def test_that_devices_are_listed_with_name_and_id(field: HeardDevice) -> None:
    other = replace(GPU, id="pocl", name="A processor (pocl)", kind=DeviceKind.CPU)
    field.show_devices(Devices((GPU, other, HOST)), "pocl")
    assert [field.combo.itemText(i) for i in range(field.combo.count())] == [
        "A graphics card · gpu0",
        "A processor (pocl)",
    ]
    assert field.combo.currentIndex() == 1
    assert "not a GPU" in note(field)
    assert field.told == []
    field.combo.setCurrentIndex(0)
    assert field.told == ["gpu0"]


def test_that_without_a_device_there_is_advice(field: HeardDevice) -> None:
    field.show_devices(Devices((HOST,), "install a driver"), "gpu0")
    assert field.combo.currentText() == "no device for GPU kernels"
    assert not field.combo.isEnabled()
    assert note(field) == "Install a driver."


def test_that_a_device_that_is_gone_stays_named(field: HeardDevice) -> None:
    field.show_devices(Devices((GPU, HOST)), "gone")
    assert field.combo.currentText() == "gone (not here)"
    field.combo.setCurrentIndex(0)
    assert field.told == ["gpu0"]


@pytest.fixture
def presets(qtbot) -> HeardPreset:
    made = HeardPreset(PRESETS)
    qtbot.addWidget(made)
    made.told = []
    made.preset_chosen.connect(made.told.append)
    return made


def test_that_the_first_entry_is_no_preset_and_cannot_be_chosen(presets: HeardPreset) -> None:
    assert presets.currentText() == "Custom settings"
    assert not presets.model().index(0, 0).flags() & Qt.ItemFlag.ItemIsEnabled
    assert presets.count() == len(PRESETS) + 1


def test_that_choosing_a_preset_tells_it_and_showing_one_does_not(presets: HeardPreset) -> None:
    presets.show_preset(PRESETS[2])
    assert presets.currentText().startswith(PRESETS[2].title)
    presets.show_preset(None)
    assert presets.currentIndex() == 0
    assert presets.told == []
    presets.setCurrentIndex(presets.findData("512"))
    assert [preset.id for preset in presets.told] == ["512"]


def test_that_the_target_is_chosen_beside_the_device(field: HeardDevice) -> None:
    chosen: list[str] = []
    field.target_chosen.connect(chosen.append)
    field.show_devices(Devices((GPU, HOST)), "")
    assert field.target.isHidden() or not field.target.isVisibleTo(field)  # nothing here compiles for it
    field.show_devices(Devices((GPU, HOST, emulated("A100"))), "machine", "A100")
    assert field.target.isVisibleTo(field)
    assert (field.combo.currentText(), field.combo.currentData()) == ("PTX machine, sm_80 on this CPU", "machine")
    assert (field.target.currentText(), field.target.currentData()) == ("A100 (sm_80)", "A100")
    place = field.target.findData("B200")
    field.target.setCurrentIndex(place)
    field.target.activated.emit(place)
    assert chosen == ["B200"]
    field.show_devices(Devices((GPU, HOST, emulated())), "")
    assert field.target.currentText() == "H100 (sm_90a)"


def test_that_the_machine_is_chosen_by_name_alone(field: HeardDevice) -> None:
    field.show_devices(Devices((HOST, emulated()), "install a driver"), "")
    assert field.combo.currentText() == "no device for GPU kernels"
    assert note(field) == "Install a driver."
    assert field.combo.itemText(0) == "PTX machine, sm_90a on this CPU"
    field.combo.setCurrentIndex(0)
    assert field.told == ["machine"]
