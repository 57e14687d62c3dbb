"""What can be undone: changes of the experiment's settings, and what was removed from the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QUndoCommand

from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.examined_sweep import ExaminedSweep
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.edits import Item
from gemmviz.gui.work.experiment import Experiment


class ExperimentChange(QUndoCommand):
    """From one experiment to another; made already when it is pushed."""

    def __init__(self, before: Experiment, after: Experiment, show: Callable[[Experiment], None]) -> None:
        super().__init__(f"change of {changed_setting(before, after)}")
        self._before, self._after, self._show = before, after, show

    def undo(self) -> None:
        self._show(self._before)

    def redo(self) -> None:
        self._show(self._after)


class Removal(QUndoCommand):
    """Runs, or sweeps of settings, taken out of a session."""

    def __init__(self, document: SessionDocument, items: Sequence[Item]) -> None:
        noun = "sweep" if isinstance(items[0], ExaminedSweep) else "run"
        super().__init__(f"removal of {counted(len(items), noun)}")
        self._document, self._items = document, items

    def undo(self) -> None:
        self._document.restore(self._removed)

    def redo(self) -> None:
        self._removed = self._document.remove(self._items)


def changed_setting(before: Experiment, after: Experiment) -> str:
    """Which setting differs, in a word."""
    for name, word in (
        ("kernel", "the kernel"),
        ("compared", "the kernels to compare"),
        ("shape", "the size"),
        ("params", "a parameter"),
        ("fill", "the fill"),
        ("seed", "the seed"),
        ("mode", "the mode"),
        ("device", "the device"),
    ):
        if getattr(before, name) != getattr(after, name):
            return word
    return "a time limit"
