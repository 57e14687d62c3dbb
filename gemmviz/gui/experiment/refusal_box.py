"""The refusal in the experiment panel with the buttons that mend it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.gui.experiment.mends import Mend
from gemmviz.gui.experiment.refusal_label import RefusalLabel
from gemmviz.gui.experiment.split_button import FittedButton
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.plain_text import plain_text

_GAP, _HEIGHT = 3, 24


class RefusalBox(QWidget):
    """Why something cannot run, and below it a button for each mend; hidden while there is nothing to refuse."""

    mend_chosen = Signal(object)
    """The Experiment that can run."""

    def __init__(self, theme: Theme, most: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("refusalBox")
        self._label = RefusalLabel(theme, self)
        self._mends: tuple[Mend, ...] = ()
        self.buttons = tuple(
            FittedButton(f"mend{i}", "Mend", "outlined", QFont.Weight.Medium, self) for i in range(most)
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP)
        column.addWidget(self._label)
        for place, button in enumerate(self.buttons):
            button.setFixedHeight(_HEIGHT)
            button.clicked.connect(lambda _=False, place=place: self.mend_chosen.emit(self._mends[place].experiment))
            column.addWidget(button)
        self.show_refusal("", ())

    def show_refusal(self, refusal: str, mends: Sequence[Mend], instead: str = "") -> None:
        """A sentence and what mends it; "" to hide. `instead` is shown in its place, as a note."""
        self._label.show_refusal(refusal, instead)
        self._mends = tuple(mends[: len(self.buttons)]) if refusal else ()
        for place, button in enumerate(self.buttons):
            has_mend = place < len(self._mends)
            button.setVisible(has_mend)
            if has_mend:
                text = self._mends[place].text
                button.show_texts(text)
                button.setToolTip(plain_text(f"{text}: then it can run (Undo takes it back)"))
        self.setVisible(bool(refusal))

    @property
    def mends(self) -> tuple[Mend, ...]:
        """What is offered."""
        return self._mends

    def set_theme(self, theme: Theme) -> None:
        self._label.set_theme(theme)
