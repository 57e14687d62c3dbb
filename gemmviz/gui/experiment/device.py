"""Which device GPU kernels run on, the GPU that is compiled for, and which preset the settings are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gemmviz.catalogue.gpus import PREFERRED, gpu_words, load_gpus
from gemmviz.catalogue.presets import Preset
from gemmviz.domain.visible_text import visible
from gemmviz.gui.experiment.controls.labels import small_label
from gemmviz.gui.experiment.words import (
    LOOKING_FOR_DEVICES,
    OWN_SETTINGS,
    device_note,
    device_tooltip,
    preset_text,
    preset_tooltip,
)
from gemmviz.gui.kernels.availability import Devices
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.widgets.allowed import allow_entry
from gemmviz.gui.widgets.plain_fields import ChoiceBox
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

ALL = 9
"""More sentences than a note has."""
_TARGET = (
    "The GPU to compile for: the PTX machine emulates it, and machine code, registers and occupancy are shown for it. "
    "It need not be installed"
)


class DeviceField(QWidget):
    """A combo with the devices for GPU kernels, beside it one with the GPUs to compile for, and below them what one
    should know of the chosen device. `device_chosen` has its `choice`, `target_chosen` the id of the GPU.
    """

    device_chosen = Signal(str)
    target_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("deviceField")
        self._is_showing, self._whole_note, self._most = False, "", ALL
        self._is_of_device = False
        self.combo = ChoiceBox("deviceCombo", "Device for GPU kernels", "The device that GPU kernels run on")
        self.target = ChoiceBox("targetCombo", "GPU to compile for", _TARGET)
        for gpu in load_gpus():
            self.target.offer(gpu_words(gpu), gpu.id, gpu.name)
        self._beside = QWidget()
        self._beside.hide()
        self._note = PlainLabel()
        self._note.setObjectName("deviceNote")
        self._note.setFont(words(SMALL))
        self._note.setProperty("role", "muted")
        self._note.setWordWrap(True)
        self._note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        caption = small_label("targetLabel", "GPU to compile for", "muted")
        caption.setText("Target GPU")
        caption.setWordWrap(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        row = QHBoxLayout(self._beside)
        row.setContentsMargins(0, 2, 0, 0)
        row.setSpacing(8)
        row.addWidget(caption)
        row.addWidget(self.target, 1)
        for part in (self.combo, self._beside, self._note):
            column.addWidget(part)
        self.combo.currentIndexChanged.connect(self._on_changed)
        self.target.activated.connect(lambda place: self.target_chosen.emit(self.target.itemData(place)))

    @property
    def controls(self) -> tuple[ChoiceBox, ...]:
        """What takes the keyboard, in order."""
        return self.combo, self.target

    def show_devices(self, devices: Devices, wanted: str, target: str = "") -> None:
        """The devices, `wanted` the `choice` of one ("" for the first), and a GPU to compile for, "" for the usual one;
        nothing is emitted.
        """
        self._beside.setVisible(any(device.is_emulated for device in devices.found))
        self.target.setCurrentIndex(self.target.findData(target or PREFERRED))
        there = devices.for_gpu_kernels
        self._is_showing = True
        self.combo.clear()
        for device in there:
            is_named = device.id in device.name or device.is_emulated
            text = device.name if is_named else f"{device.name} · {device.id}"
            self.combo.offer(text, device.choice, device_tooltip(device))
        chosen = devices.chosen(wanted)
        if chosen is None and not (there and wanted):
            self.combo.addItem("no device for GPU kernels" if devices.known else LOOKING_FOR_DEVICES, "")
        elif chosen is None:
            self.combo.addItem(f"{visible(wanted)} (not here)", wanted)
        index = there.index(chosen) if chosen is not None else self.combo.count() - 1
        self.combo.setCurrentIndex(index)
        self._is_showing = False
        self.combo.setEnabled(bool(there))
        has_note = devices.known and (chosen is not None or not (there and wanted))
        note = device_note(chosen, devices.advice) if has_note else ""
        self.combo.setToolTip(
            plain_text(device_tooltip(chosen) if chosen is not None else note or self.combo.currentText())
        )
        self._whole_note, self._is_of_device = note, chosen is not None
        self._show_note()

    def show_sentences(self, most: int) -> None:
        """How many sentences of what one should know of the device have room; the tooltip has all. How to get a device,
        where there is none, is always shown whole.
        """
        if most != self._most:
            self._most = most
            self._show_note()

    def _show_note(self) -> None:
        sentences = self._whole_note.removesuffix(".").split(". ")
        shown = ". ".join(sentences[: self._most if self._is_of_device else ALL])
        self._note.setText(f"{shown}." if shown else "")
        self._note.setToolTip(plain_text(self._whole_note))
        self._note.setVisible(bool(shown))

    @Slot(int)
    def _on_changed(self, index: int) -> None:
        if not self._is_showing and index >= 0:
            self.device_chosen.emit(self.combo.itemData(index))


class PresetField(ChoiceBox):
    """The presets; the first entry stands for settings that are none of theirs, and cannot be chosen itself."""

    preset_chosen = Signal(object)

    def __init__(self, presets: Sequence[Preset], parent: QWidget | None = None) -> None:
        super().__init__("presetCombo", "Preset", "Ready-made experiments: size, kernels, parameters, fill", parent)
        self._presets = tuple(presets)
        self.addItem(OWN_SETTINGS, "")
        for preset in self._presets:
            self.offer(preset_text(preset), preset.id, preset_tooltip(preset))
        model = self.model()
        if isinstance(model, QStandardItemModel):
            allow_entry(model.item(0), "The settings are those of no preset. Choose one from the list.")
        self._shown = 0
        self.currentIndexChanged.connect(self._on_changed)

    def show_preset(self, preset: Preset | None) -> None:
        """Show which preset the settings are; nothing is emitted."""
        self._shown = self._presets.index(preset) + 1 if preset is not None else 0
        self.setCurrentIndex(self._shown)

    @Slot(int)
    def _on_changed(self, index: int) -> None:
        if index > 0 and index != self._shown:
            self._shown = index
            self.preset_chosen.emit(self._presets[index - 1])
