"""Finds out what the kernels of a file compute while a person looks on, and asks which of several is meant."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gemmviz.adopt.confined import BUDGET_S
from gemmviz.adopt.finding import Findings, KernelFinding
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.words import summary_of, warnings_shown
from gemmviz.catalogue.header import beside_file
from gemmviz.domain.device import Device
from gemmviz.engine.analysis.words import COMPILING, functions_in
from gemmviz.gui.kernels.described import AS_IT_IS, Looking, as_it_is_words, is_unverified, why_not, write_description
from gemmviz.gui.kernels.found_dialog import FoundReport
from gemmviz.gui.looks.dialog_buttons import dialog_buttons
from gemmviz.gui.tasks.file_questions import FileQuestions
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import title_text
from gemmviz.gui.work.window_words import in_window

_LOOK_EVERY_MS = 100
_WIDTH, _LIST_HEIGHT = 520, 180
_CHOOSE = "Describe the chosen kernel"
_WHAT = (
    "gemmviz guesses what each parameter is and how the kernel is launched, runs each guess on the PTX machine, "
    "confined, and compares C with the product. Then it records blocks to look for races. Most kernels take less than "
    f"a minute, none more than {BUDGET_S / 60:g} minutes. The window can be used meanwhile."
)


class DescribeDialog(QDialog):
    """Shows which guess of how many is tried, beside the window. The description of one kernel that is proven is
    written; of several a person chooses. One that is known but for a fault that keeps it from being proven can be
    described as it is. A description that is there is replaced only if a person wants that. Cancel ends the kernels'
    process.
    """

    described = Signal(object, str)
    """The Path of a file whose description was written, and a sentence about it."""
    failed = Signal(str, str, bool)
    """The path of a file that was not described, why, and whether it is that one of its kernels races."""
    found = Signal(object)
    """A FoundReport on the kernels that were looked at, before `described` or `failed`."""

    def __init__(
        self,
        path: Path,
        may_run: Callable[[Path], bool],
        parent: QWidget | None = None,
        device: Device | None = None,
        *,
        replaces: bool = False,
    ) -> None:
        """`may_run` asks a person whether a Python file may be run, where that has to be; `device` is where kernels are
        checked besides the PTX machine. `replaces`: a person wants a description replaced that verifies nothing.
        """
        super().__init__(parent)
        self.setObjectName("describe")
        self.setWindowTitle(title_text(f"What {path.name} computes"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self._path, self._may_run, self._device = path, may_run, device
        self._looking, self._found = Looking(path, device), Findings((), ())
        self._replaces = replaces and is_unverified(path)
        self._chosen: KernelFinding | None = None
        """A kernel whose description would replace another one; None where that is no question."""
        self._as_it_is: KernelFinding | None = None
        """A kernel that is wrong, with its description as it is; None where none is offered."""
        self._questions = FileQuestions(self)
        self._words = named(PlainLabel(f"Reading {path.name}", wordWrap=True), "describeWords")
        self._what = named(PlainLabel(_WHAT, wordWrap=True), "describeHow", role="muted")
        self._elapsed = named(PlainLabel(), "describeElapsed", role="muted")
        self._began_s: float | None = None
        self._looked_s = time.monotonic()
        self._bar = named(QProgressBar(textVisible=False, maximum=0), "describeProgress", says="Progress")
        self._list = named(QListWidget(), "describeKernels", says="Kernels of the file")
        self._list.setWordWrap(True)
        self._list.setMinimumHeight(_LIST_HEIGHT)
        self._list.hide()
        self._list.itemActivated.connect(self._on_chosen)
        self._list.currentItemChanged.connect(self._on_current)
        self._choose = named(QPushButton(_CHOOSE), "describeChosen", role="primary")
        self._choose.clicked.connect(self._on_chosen)
        buttons = dialog_buttons(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self._choose, QDialogButtonBox.ButtonRole.ActionRole)
        self._choose.hide()  # the box has shown it
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        for widget in (self._what, self._words, self._bar, self._elapsed, self._list, buttons):
            column.addWidget(widget)
        self._timer = QTimer(self, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._on_looked)
        self._look()

    def _look(self) -> None:
        self._timer.start()
        self._questions.ask(self._looking.found, self._on_found, patience_s=0.0)

    @Slot()
    def reject(self) -> None:
        """Close, and end what still runs."""
        self._looking.cancel.set()
        super().reject()

    @Slot()
    def _on_looked(self) -> None:
        step, looked_s = self._looking.step, time.monotonic()
        if step.words:
            self._words.setText(in_window(step.text[:1].upper() + step.text[1:]))
        if step.kernels:
            self._began_s = looked_s if self._began_s is None else self._began_s
            if COMPILING in step.words:  # that is not taken from the kernel's time
                self._began_s += looked_s - self._looked_s
            passed_s, most_s = max(looked_s - self._began_s, 0.0), BUDGET_S * step.kernels
            uncounted = "; compiling the analysis does not count" if COMPILING in step.words else ""
            self._elapsed.setText(f"{min(passed_s, most_s):.0f} s of at most {most_s:.0f} s{uncounted}")
        self._looked_s = looked_s
        done, most = functions_in(step.words) or (step.guess, step.guesses)
        self._bar.setMaximum(most)
        self._bar.setValue(done)

    def _on_found(self, found: Findings | None) -> None:
        self._timer.stop()
        if found is None or self._looking.cancel.is_set():
            return
        if found.must_run_python and self._may_run(self._path):
            self._looking = Looking(self._path, self._device, may_run_python=True)
            self._look()
        elif found.must_run_python:
            words = "was not described: what its kernel computes cannot be found out without running Python code"
            self.failed.emit(str(self._path), f"{self._path.name} {words}", False)
            super().reject()
        elif not found.proven:
            if found.found and found.only_as_it_is is None:
                self.found.emit(FoundReport(self._path, found.found, source=self._looking.source))
            stays = f". {self._description.name} stays as it was" if self._description.exists() else ""
            self.failed.emit(str(self._path), f"{why_not(self._path, found)}{stays}", found.has_race)
            if found.only_as_it_is is None:
                super().reject()
            else:
                self._offer(found.only_as_it_is)
        elif found.only is not None:
            self._found = found
            self._write_if_wanted(found.only)
        else:
            self._ask(found)

    @property
    def is_refused(self) -> bool:
        """Whether nothing was proven, and all that is left is the offer to describe the kernel as it is."""
        return self._as_it_is is not None

    @property
    def _description(self) -> Path:
        return beside_file(self._path)

    def _offer(self, known: KernelFinding) -> None:
        """Offer to describe a kernel as it is."""
        assert known.description is not None
        self._as_it_is = known
        self._offer_one(as_it_is_words(self._path, known.description), AS_IT_IS)

    def _offer_one(self, words: str, button: str) -> None:
        """Ask a person what a single button does."""
        self._words.setText(words)
        for widget in (self._what, self._bar, self._elapsed, self._list):
            widget.hide()
        self._choose.setText(button)
        self._choose.show()
        self._choose.setDefault(True)
        self.adjustSize()

    def _ask(self, found: Findings) -> None:
        self._found = found
        self._words.setText(
            f"{len(found.proven)} kernels of {self._path.name} compute products. Choose one to describe."
        )
        for widget in (self._what, self._bar, self._elapsed):
            widget.hide()
        for one in found.found:
            item = QListWidgetItem(f"{one.kernel} (line {one.line}): {_said_of(one)}", self._list)
            item.setData(Qt.ItemDataRole.UserRole, one.kernel)
            if not one.is_proven:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
        self._list.setCurrentRow(next(row for row, one in enumerate(found.found) if one.is_proven))
        self._list.show()
        self._choose.show()
        self._choose.setDefault(True)
        self._list.setFocus()

    @Slot()
    def _on_current(self) -> None:
        allow(self._choose, "" if self._list.currentItem() is not None else "Choose a kernel from the list first.")

    @Slot()
    def _on_chosen(self) -> None:
        if self._chosen is not None:
            self._write(self._chosen, may_replace=True)
            return
        if self._as_it_is is not None:
            self._write_if_wanted(self._as_it_is)
            return
        item = self._list.currentItem()
        name = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        chosen = next((one for one in self._found.proven if one.kernel == name), None)
        if chosen is not None:
            self._write_if_wanted(chosen)

    def _write_if_wanted(self, chosen: KernelFinding) -> None:
        """Describe a kernel, once a person wants that where another description is there."""
        if not self._description.exists() or self._replaces:
            self._write(chosen, may_replace=self._replaces)
            return
        self._chosen, name = chosen, self._description.name
        self._offer_one(
            f"{name} is there already. Now found out: {chosen.kernel} (line {chosen.line}): {_said_of(chosen)}. "
            f"Cancel keeps {name} as it is.",
            f"Replace {name}",
        )

    def _write(self, chosen: KernelFinding, *, may_replace: bool) -> None:
        words, fault = write_description(self._looking, chosen, may_replace=may_replace)
        if fault:
            self.failed.emit(str(self._path), fault, False)
            super().reject()
            return
        others = tuple(one for one in self._found.found if one.kernel != chosen.kernel)
        assert chosen.description is not None
        written = sidecar_text(chosen.description)
        self.found.emit(FoundReport(self._path, (chosen, *others), written, self._looking.source))
        self.described.emit(self._path, words)
        self.accept()


def _said_of(one: KernelFinding) -> str:
    if one.description is not None:
        shown = warnings_shown(one.description)
        return in_window(f"{f'{shown}: ' if shown else ''}{summary_of(one.description, one.right_sizes)}")
    return f"not verified: {one.reasons[0]}" if one.reasons else "not verified"
