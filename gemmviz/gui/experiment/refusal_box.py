"""The refusal in the experiment panel with the buttons that remedy it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.catalogue.loader import Catalogue
from gemmviz.gui.experiment.controls.split_button import FittedButton
from gemmviz.gui.experiment.opened_file import OpenedFile
from gemmviz.gui.experiment.readiness import Readiness
from gemmviz.gui.experiment.refusal_label import RefusalLabel
from gemmviz.gui.experiment.remedies import MOST_REMEDIES, Remedy, RemedyFinder
from gemmviz.gui.kernels.availability import Devices
from gemmviz.gui.kernels.described import DESCRIBE, describe_tip
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.work.experiment import Experiment

_GAP, _HEIGHT = 3, 24


class RefusalBox(QWidget):
    """Why something cannot run, and below it a button for each remedy; hidden while there is nothing to refuse."""

    remedy_chosen = Signal(object)
    """The Experiment that can run."""
    describe_asked = Signal(object)
    """The Path of a kernel file that only lacks a description."""

    def __init__(self, theme: Theme, available_bytes: Callable[[], int | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("refusalBox")
        self._label = RefusalLabel(theme, self)
        self._finder, self._remedies = RemedyFinder(available_bytes), tuple[Remedy, ...]()
        self._path: Path | None = None
        self._describe = FittedButton("describeOpened", DESCRIBE, "outlined", QFont.Weight.Medium, self)
        self._describe.clicked.connect(lambda: self.describe_asked.emit(self._path))
        self.buttons = tuple(
            FittedButton(f"remedy{i}", "Remedy", "outlined", QFont.Weight.Medium, self) for i in range(MOST_REMEDIES)
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
        self._describe.setFixedHeight(_HEIGHT)
        column.addWidget(self._describe)
        self._show_refusal("", ())
        self._show_file(None)

    def show_ready(
        self,
        ready: Readiness,
        file: OpenedFile | None,
        experiment: Experiment,
        catalogue: Catalogue,
        devices: Devices,
        *,
        is_size_fault: bool,
    ) -> None:
        """Show why the chosen kernel, or a `file` that is none yet, cannot run, and what would let it."""
        refused = ready.refusal if file is None else ""
        remedies = self._finder.of(refused, experiment, catalogue, devices, is_size_fault=is_size_fault)
        self._show_refusal(ready.refusal, remedies, ready.note)
        self._show_file(file.path if file is not None and file.is_adoptable else None)

    def _show_refusal(self, refusal: str, remedies: Sequence[Remedy], note: str = "") -> None:
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

    def _show_file(self, path: Path | None) -> None:
        """Offer to describe a kernel file; None: there is none to describe."""
        self._path = path
        self._describe.setVisible(path is not None)
        if path is not None:
            self._describe.setToolTip(plain_text(describe_tip(path)))

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What takes the keyboard, in order."""
        return (*self.buttons, self._describe)

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What is offered."""
        return self._remedies

    def set_theme(self, theme: Theme) -> None:
        self._label.set_theme(theme)
