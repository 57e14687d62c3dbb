"""Which device GPU kernels run on, and which preset the settings are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.catalogue.presets import Preset
from gemmviz.domain.visible_text import visible
from gemmviz.gui.experiment.controls import Choice
from gemmviz.gui.experiment.words import (
    LOOKING_FOR_DEVICES,
    OWN_SETTINGS,
    device_note,
    device_tooltip,
    preset_text,
    preset_tooltip,
)
from gemmviz.gui.kernels.standing import Devices
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.plain_label import PlainLabel
from gemmviz.gui.plain_text import plain_text


class DeviceField(QWidget):
    """A combo with the devices for GPU kernels, and below it what one should know of the chosen one."""

    device_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("deviceField")
        self._is_showing = False
        self.combo = Choice("deviceCombo", "Device for GPU kernels", "The device that GPU kernels run on")
        self._note = PlainLabel()
        self._note.setObjectName("deviceNote")
        self._note.setFont(words(SMALL))
        self._note.setProperty("role", "muted")
        self._note.setWordWrap(True)
        self._note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.combo)
        column.addWidget(self._note)
        self.combo.currentIndexChanged.connect(self._on_changed)

    def show_devices(self, devices: Devices, wanted: str) -> None:
        """The devices, `wanted` the id of the chosen one ("" for the first); nothing is emitted."""
        there = devices.for_gpu_kernels
        self._is_showing = True
        self.combo.clear()
        for device in there:
            text = device.name if device.id in device.name else f"{device.name} · {device.id}"
            self.combo.offer(text, device.id, device_tooltip(device))
        chosen = next((device for device in there if wanted in ("", device.id)), None)
        if not there:
            self.combo.addItem("no device for GPU kernels" if devices.known else LOOKING_FOR_DEVICES, "")
        elif chosen is None:
            self.combo.addItem(f"{visible(wanted)} (not here)", wanted)
        index = there.index(chosen) if chosen is not None else self.combo.count() - 1
        self.combo.setCurrentIndex(index)
        self._is_showing = False
        self.combo.setEnabled(bool(there))
        note = device_note(chosen, devices.advice) if devices.known and (chosen or not there) else ""
        self.combo.setToolTip(
            plain_text(device_tooltip(chosen) if chosen is not None else note or self.combo.currentText())
        )
        self._note.setText(note)
        self._note.setVisible(bool(note))

    @Slot(int)
    def _on_changed(self, index: int) -> None:
        if not self._is_showing and index >= 0:
            self.device_chosen.emit(self.combo.itemData(index))


class PresetField(Choice):
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
            model.item(0).setEnabled(False)
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
