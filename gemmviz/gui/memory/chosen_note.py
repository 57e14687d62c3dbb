"""A line above the pictures that says whose recordings they show, where another kernel is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gemmviz.catalogue.kernel import Kernel
from gemmviz.gui.experiment.opened_file import OpenedFile
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text
from gemmviz.gui.work.words import BUSY

NOT_DESCRIBED = "must be described before it can be recorded"
NO_KERNEL = "cannot be recorded yet: it must be corrected first"


class ChosenNote(QFrame):
    """Hidden as long as the chosen kernel is one of those in view, or nothing is in view; a file that is no kernel yet
    is in none.
    """

    record_asked = Signal()
    """A person wants the chosen kernel recorded."""
    show_asked = Signal()
    """A person wants the recording of the chosen kernel: in place of the one in view, or of the left one of two."""

    work_ended = Signal()
    """Nothing is at work any more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_busy = False
        self._whose = self._of_chosen = ""
        named(self, "chosenNote")
        self._words = named(PlainLabel(parent=self, wordWrap=True), "chosenNoteText", role="muted")
        self._record = named(QPushButton(self), "chosenNoteRecord", "Record the chosen kernel", role="quiet")
        self._record.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._record.clicked.connect(self.record_asked)
        tip = "Play the recording of the chosen kernel, in the left picture where two are compared"
        self._show = named(QPushButton(self), "chosenNoteShow", tip, role="quiet")
        self._show.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._show.clicked.connect(self.show_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 8)
        row.setSpacing(10)
        row.addWidget(self._words, 1)
        row.addWidget(self._record)
        row.addWidget(self._show)
        self.hide()

    def show_kernels(
        self, in_view: Sequence[str], chosen: Kernel, *, is_recorded: bool, file: OpenedFile | None = None
    ) -> None:
        """Say it of the kernels whose recordings are in view; () where there are none. Where the chosen one
        `is_recorded` its recording is offered. `file` is chosen in its place, and is no kernel yet.
        """
        kernels = list(dict.fromkeys(in_view))
        whose = f"These are the recordings of {' and '.join(kernels)}."
        if len(kernels) == 1:
            whose = f"This is the recording of {kernels[0]}."
        why = "runs on the CPU as Python, which is not recorded" if chosen.runs_on_host else "is not recorded"
        why = "has a recording, too" if is_recorded else why
        self._whose, self._of_chosen = whose, f"The chosen kernel, {chosen.id}, {why}."
        if file is not None:
            self._of_chosen = f"The chosen file, {file.path.name}, {NOT_DESCRIBED if file.is_adoptable else NO_KERNEL}."
        self._record.setText(action_text(f"Record {chosen.id}"))
        self._record.setHidden(chosen.runs_on_host or is_recorded or file is not None)
        self._show.setText(action_text(f"Show {chosen.id}{' at the left' if len(in_view) > 1 else ''}"))
        self._show.setHidden(not is_recorded or file is not None)
        self._say()
        self.setHidden(not kernels or (file is None and chosen.id in kernels))

    def _say(self) -> None:
        is_told = self.is_busy and not self._record.isHidden()
        self._words.setText(self._whose if is_told else f"{self._whose} {self._of_chosen}".strip())

    def set_busy(self, busy: bool) -> None:
        """Nothing can be recorded while something is at work; what is, the status bar says."""
        allow(self._record, BUSY if busy else "")
        self.is_busy = busy
        self._say()
        if not busy:
            self.work_ended.emit()
