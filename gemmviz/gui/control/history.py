"""What can be undone: changes of the experiment's settings, and what was removed from the session."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from gemmviz.domain.figures import counted
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
    """Runs or sweeps taken out of the session: so many of what has this `noun`."""

    def __init__(self, count: int, noun: str, remove: Callable[[], None], restore: Callable[[], None]) -> None:
        super().__init__(f"removal of {counted(count, noun)}")
        self._remove, self._restore = remove, restore

    def undo(self) -> None:
        self._restore()

    def redo(self) -> None:
        self._remove()


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
