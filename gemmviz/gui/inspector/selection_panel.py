"""Chooses a thread or a warp of the block that is played, and shows the card of what is chosen."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.warp import LANES
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.explain.runs.figure_lines import Section
from gemmviz.gui.inspector.element_card import ElementCard
from gemmviz.gui.inspector.figure_rows import FigureRows
from gemmviz.gui.inspector.variables_view import VariablesView
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.player.key_guard import PlayKeys
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.fields import SpinBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

HEAD = "Chosen"
HINT = "Click an element in the picture, or choose a thread or a warp here. Esc clears it."
NOTHING_RECORDED = "Nothing is recorded yet: press Record"
NO_CHOICE = "none"
NONE = -1
"""The value of a spin box that chooses nothing."""


class SelectionPanel(QWidget):
    """Says what a person chooses; what is chosen is told to it."""

    chosen = Signal(object)
    """The Selection a person makes here; NOTHING to clear it."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("selectionPanel")
        self.setAccessibleName(HEAD)
        self._thread = _spin(
            "threadSpin", "Mark the elements that a thread accesses, in this frame and in all frames", "Thread"
        )
        self._warp = _spin("warpSpin", "Mark the elements that the 32 threads of a warp access", "Warp")
        self._section = FigureRows("selectionCard")
        self._followed = ""
        self.variables = VariablesView(theme)
        row = QHBoxLayout()
        row.setSpacing(8)
        for words, spin, share in (("thread", self._thread, 1), ("warp", self._warp, 0)):  # "auto: 1023" is longest
            label = named(PlainLabel(words), role="muted")
            label.setBuddy(spin)
            row.addWidget(label)
            row.addWidget(spin, share)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(named(PlainLabel(HEAD), role="head"))
        column.addLayout(row)
        column.addWidget(self._section)
        column.addWidget(self.variables)
        self._thread.valueChanged.connect(self._on_thread)
        self._warp.valueChanged.connect(self._on_warp)
        self.set_theme(theme)
        self.show_block(None)

    @property
    def section(self) -> Section:
        """What is shown."""
        return self._section.section

    def show_block(self, block: BlockTrace | None) -> None:
        """Offer the threads and warps of a block; None: there is none."""
        for spin, most in ((self._thread, block.threads if block else 0), (self._warp, _warps(block))):
            with QSignalBlocker(spin):
                spin.setRange(NONE, most - 1)
            allow(spin, "" if block is not None else NOTHING_RECORDED)
        self.show_followed(None)
        self.show_selection(NOTHING)

    def show_selection(self, selection: Selection) -> None:
        """What is chosen now; its card comes later."""
        for spin, value in ((self._thread, selection.thread), (self._warp, selection.warp)):
            with QSignalBlocker(spin):
                spin.setValue(NONE if value is None else value)
        if selection.is_empty:
            self.show_card(None)

    def show_followed(self, thread: int | None) -> None:
        """The thread that the picture follows by itself while a person chooses none; None where it follows none."""
        self._thread.setSpecialValueText(NO_CHOICE if thread is None else f"auto: {thread}")
        self._followed = followed_words(thread)
        if self._section.section.note.startswith(HINT):
            self.show_card(None)

    def show_card(self, card: ElementCard | None) -> None:
        """What there is to say of it; None: nothing is chosen."""
        nothing = Section("", "", "", note=HINT + self._followed)
        self._section.show_section(card.section if card is not None else nothing)
        self.variables.show_table(card.variables if card is not None else None)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._section.set_theme(theme)
        self.variables.set_theme(theme)

    @Slot(int)
    def _on_thread(self, thread: int) -> None:
        self.chosen.emit(NOTHING if thread == NONE else Selection(thread=thread))

    @Slot(int)
    def _on_warp(self, warp: int) -> None:
        self.chosen.emit(NOTHING if warp == NONE else Selection(warp=warp))


def followed_words(thread: int | None) -> str:
    """A sentence on the thread that the picture follows by itself; "" for none."""
    return f" While no thread is chosen, the picture follows thread {thread}." if thread is not None else ""


def _spin(name: str, tip: str, says: str) -> SpinBox:
    spin = named(SpinBox(), name, tip, says)
    spin.setSpecialValueText(NO_CHOICE)
    spin.setRange(NONE, NONE)
    spin.setMinimumWidth(72)
    PlayKeys(spin)
    return spin


def _warps(block: BlockTrace | None) -> int:
    return -(-block.threads // LANES) if block is not None else 0
