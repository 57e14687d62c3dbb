"""The refusal in the experiment panel with the buttons that remedy it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.gui.experiment.controls.split_button import FittedButton
from gemmviz.gui.experiment.refusal_label import RefusalLabel
from gemmviz.gui.experiment.remedies import Remedy
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_text import plain_text

_GAP, _HEIGHT = 3, 24


class RefusalBox(QWidget):
    """Why something cannot run, and below it a button for each remedy; hidden while there is nothing to refuse."""

    remedy_chosen = Signal(object)
    """The Experiment that can run."""

    def __init__(self, theme: Theme, most: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("refusalBox")
        self._label = RefusalLabel(theme, self)
        self._remedies: tuple[Remedy, ...] = ()
        self.buttons = tuple(
            FittedButton(f"remedy{i}", "Remedy", "outlined", QFont.Weight.Medium, self) for i in range(most)
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP)
        column.addWidget(self._label)
        for place, button in enumerate(self.buttons):
            button.setFixedHeight(_HEIGHT)
            button.clicked.connect(
                lambda _=False, place=place: self.remedy_chosen.emit(self._remedies[place].experiment)
            )
            column.addWidget(button)
        self.show_refusal("", ())

    def show_refusal(self, refusal: str, remedies: Sequence[Remedy], note: str = "") -> None:
        """A sentence and its remedies; "" to hide. `note` is shown in place of the sentence."""
        self._label.show_refusal(refusal, note)
        self._remedies = tuple(remedies[: len(self.buttons)]) if refusal else ()
        for place, button in enumerate(self.buttons):
            has_remedy = place < len(self._remedies)
            button.setVisible(has_remedy)
            if has_remedy:
                text = self._remedies[place].text
                button.show_texts(text)
                button.setToolTip(plain_text(f"{text}, so that the kernel can run. Undo takes the change back"))
        self.setVisible(bool(refusal))

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What is offered."""
        return self._remedies

    def set_theme(self, theme: Theme) -> None:
        self._label.set_theme(theme)
