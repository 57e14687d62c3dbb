"""What is chosen above the pictures for both: what colours mean, how two are aligned, linked zoom, and their order."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QSizePolicy, QWidget

from gemmviz.explain.block.heat_maps import HeatKind, colour_words, short_colour_words
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.gui.memory.choices import STEPS
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.fields import SHORT, ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import plain_text

NOT_OF_ONE_SIZE = "The two products have different sizes: compare recordings of one size to zoom them together"
LEAST_LIST = 80  # pixels
HEAT_LETTERS, STEP_LETTERS = 14, 16
"""What the lists ask for above two pictures in a narrow window; elsewhere for the longest entry."""


class PictureOptions(QObject):
    """The controls, for `MemoryPage` to lay out."""

    heat_chosen = Signal(object)
    """A HeatKind."""
    step_chosen = Signal(object)
    """A PairStep."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.heat = named(ComboBox(page), "heatCombo", "What the colours mean", "Colour by")
        self.step = named(ComboBox(page), "stepByCombo", "How the frames of the two pictures are aligned", "Align by")
        self.link = named(QCheckBox("Link zoom", page), "linkBox", "Zoom and move both pictures together")
        self.swap = named(
            QPushButton("Swap", page),
            "swapPictures",
            "Exchange the left and the right picture, to stay so",
            role="quiet",
        )
        self.swap.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for place, kind in enumerate(HeatKind):
            self.heat.addItem(colour_words(kind), kind)
            self.heat.setItemData(place, short_colour_words(kind), SHORT)
        for place, (step, words, tip) in enumerate(STEPS):
            self.step.addItem(words, step)
            self.step.setItemData(place, words.partition(": ")[2], SHORT)
            self.step.setItemData(place, plain_text(tip), Qt.ItemDataRole.ToolTipRole)
        for combo in (self.heat, self.step):
            combo.setMinimumWidth(LEAST_LIST)
            combo.view().setMinimumWidth(combo.view().sizeHintForColumn(0) + 24)
        self.heat.activated.connect(lambda _: self.heat_chosen.emit(HeatKind(self.heat.currentData())))
        self.step.activated.connect(lambda place: self.step_chosen.emit(STEPS[place][0]))

    def give_letters(self, letters: int | None, *, is_narrow: bool) -> None:
        """How many letters the lists ask for, None for the longest entry; fewest above two pictures that are narrow."""
        for combo, fewest in ((self.heat, HEAT_LETTERS), (self.step, STEP_LETTERS)):
            combo.ask_for(fewest if is_narrow else letters)

    def show_heat(self, kind: HeatKind) -> None:
        """What the colours mean; nothing is emitted."""
        with QSignalBlocker(self.heat):
            self.heat.setCurrentIndex(list(HeatKind).index(kind))

    def show_step(self, step: PairStep) -> None:
        """How the two are aligned; nothing is emitted."""
        with QSignalBlocker(self.step):
            self.step.setCurrentIndex([each for each, _, _ in STEPS].index(step))

    def show_linked(self, linked: bool, possible: bool) -> None:
        """Whether both pictures are zoomed and moved together; nothing is emitted."""
        with QSignalBlocker(self.link):
            self.link.setChecked(linked and possible)
        allow(self.link, "" if possible else NOT_OF_ONE_SIZE)
