"""Try another layout of a shared array on the recorded addresses: padding and a swizzle."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from gemmviz.domain.access import BlockTrace, MappedArray
from gemmviz.domain.visible_text import visible
from gemmviz.gui.figures.last_run import Section
from gemmviz.gui.inspector.figure_rows import FigureRows
from gemmviz.gui.inspector.newest import Newest
from gemmviz.gui.inspector.what_if import (
    MOST_PADDING,
    ArrayRequests,
    Effect,
    NewLayout,
    effect_of,
    requests_on,
    shared_arrays,
)
from gemmviz.gui.inspector.what_if_words import HEAD, NO_ARRAYS, effect_section
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.named import named
from gemmviz.gui.plain_label import PlainLabel

COUNTING = "counting…"


class WhatIfPanel(QWidget):
    """Counts beside the window, so that it never waits; of several choices only the newest is shown."""

    effect_shown = Signal(object)
    """The Effect whose figures are shown now."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("whatIfPanel")
        self.setAccessibleName("What if")
        self._newest = Newest(self)
        self._block: BlockTrace | None = None
        self._arrays: tuple[MappedArray, ...] = ()
        self._requests: ArrayRequests | None = None
        self._effect: Effect | None = None
        head = PlainLabel("What if")
        head.setProperty("role", "head")
        self._array = named(QComboBox(), "whatIfArray", "The shared array to pad or swizzle", "Shared array")
        self._padding = named(QSpinBox(), "whatIfPadding", "Columns added to each row", "Padding")
        self._padding.setRange(0, MOST_PADDING)
        self._padding.setPrefix("+ ")
        self._swizzle = named(
            QCheckBox("XOR swizzle"), "whatIfSwizzle",
            "Each column moves to column XOR row, which spreads a column of the array over the banks", "XOR swizzle",
        )  # fmt: skip
        self._section = FigureRows("whatIfFigures")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._array, 2)
        padding = PlainLabel("padding")
        padding.setProperty("role", "muted")
        padding.setBuddy(self._padding)
        row.addWidget(padding)
        row.addWidget(self._padding, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(head)
        column.addLayout(row)
        column.addWidget(self._swizzle)
        column.addWidget(self._section)
        self._array.currentIndexChanged.connect(self._on_array)
        self._padding.valueChanged.connect(self._on_layout)
        self._swizzle.toggled.connect(self._on_layout)
        self.set_theme(theme)
        self.show_block(None)

    @property
    def section(self) -> Section:
        """What is shown."""
        return self._section.section

    @property
    def effect(self) -> Effect | None:
        """What the figures shown say; None while they are counted or there is no array."""
        return self._effect

    def show_block(self, block: BlockTrace | None) -> None:
        """Take the shared arrays of a block, the layout as it was recorded; None: there is none."""
        self._newest.forget()
        self._block, self._arrays = block, () if block is None else shared_arrays(block)
        chosen = self._array.currentText()
        names = [array.name for array in self._arrays]
        with QSignalBlocker(self._array), QSignalBlocker(self._padding), QSignalBlocker(self._swizzle):
            self._array.clear()
            self._array.addItems([visible(name) for name in names])
            if chosen in names:
                self._array.setCurrentIndex(names.index(chosen))
            self._padding.setValue(0)
            self._swizzle.setChecked(False)
        for widget in (self._array, self._padding, self._swizzle):
            widget.setEnabled(bool(names))
        self._on_array(self._array.currentIndex())

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._section.set_theme(theme)

    @Slot(int)
    def _on_array(self, place: int) -> None:
        """Gather the requests on the array, once; then count."""
        self._newest.forget()
        self._requests = self._effect = None
        if self._block is None or place < 0:
            self._section.show_section(Section(HEAD, "", "", note=NO_ARRAYS if self._block else ""))
            return
        self._section.show_section(Section(HEAD, "", "", note=COUNTING))
        self._newest.start(partial(requests_on, self._block, self._arrays[place]), self._on_gathered, self._on_failed)

    @Slot()
    def _on_layout(self) -> None:
        """Count anew; the figures of the choice before stay until then."""
        if self._requests is None:
            return  # they are still gathered, and are counted with the newest choice once they are there
        self._effect = None
        layout = NewLayout(self._padding.value(), self._swizzle.isChecked())
        self._newest.start(partial(effect_of, self._requests, layout), self._on_counted, self._on_failed)

    def _on_gathered(self, requests: ArrayRequests) -> None:
        self._requests = requests
        self._on_layout()

    def _on_counted(self, effect: Effect) -> None:
        assert self._requests is not None
        self._effect = effect
        self._section.show_section(effect_section(effect, self._requests))
        self.effect_shown.emit(effect)

    def _on_failed(self, fault: Exception) -> None:
        self._section.show_section(Section(HEAD, "", "", note=f"This cannot be counted: {fault}"))
