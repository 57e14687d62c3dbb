"""Which actions of the window can be used now; each of the others says why not."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QShortcut, QUndoStack
from PySide6.QtWidgets import QWidget

from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.results.table import NO_ROW
from gemmviz.gui.work.words import BUSY, IDLE

NOT_WHILE_BUSY = "runAction", "ladderAction", "recordAction", "sweepAction", "machineCodeAction"
OF_KERNEL = "runAction", "recordAction", "sweepAction"
"""What starts work with the chosen kernel: not with a file that is none yet."""
NOTHING_CHOSEN = "No element, thread or warp is chosen: click one in the picture"
NOTHING_CHANGED = "There is nothing to undo: no setting was changed yet"
NOTHING_UNDONE = "There is nothing to redo: no change was undone"


class AllowedActions(QObject):
    """Follows what runs, what is chosen and what can be undone."""

    refused = Signal(str)
    """Why the key that was pressed starts nothing now, in a sentence."""

    def __init__(
        self,
        actions: Actions,
        run: RunControl,
        player: MemoryControl,
        parts: Parts,
        undo: QUndoStack,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._actions, self._run = actions, run
        self._no_sweep = self._no_kernel = ""
        self._refusals = dict.fromkeys(NOT_WHILE_BUSY, "")
        self._refusing = [
            (name, QShortcut(key, window, lambda name=name: self._refuse(name)))
            for name in NOT_WHILE_BUSY
            for key in actions[name].shortcuts()
        ]
        results = parts.results
        run.busy_changed.connect(self._on_busy)
        parts.experiment.refused.connect(self._on_refused)
        player.chosen_changed.connect(self._on_chosen)
        results.selection_changed.connect(self._on_rows)
        for name, words, nothing, can, text in (
            ("undoAction", "&Undo", NOTHING_CHANGED, undo.canUndoChanged, undo.undoTextChanged),
            ("redoAction", "&Redo", NOTHING_UNDONE, undo.canRedoChanged, undo.redoTextChanged),
        ):
            actions.allow(name, nothing)
            action = actions[name]
            can.connect(action.setEnabled)
            action.enabledChanged.connect(
                lambda is_there, name=name, nothing=nothing: actions.allow(name, "" if is_there else nothing)
            )
            text.connect(lambda what, action=action, words=words: action.setText(f"{words} {what}".rstrip()))
        self._on_busy(run.busy)
        self._on_chosen(is_chosen=False)
        self._on_rows(results.selected())

    @Slot(bool)
    def _on_busy(self, is_busy: bool) -> None:
        self._actions.allow("cancelAction", "" if is_busy else IDLE)
        self._allow()

    @Slot(str, str)
    def _on_refused(self, no_sweep: str, no_kernel: str) -> None:
        self._no_sweep, self._no_kernel = no_sweep, no_kernel
        self._allow()

    def _allow(self) -> None:
        """Let what starts work start it while nothing runs, with a kernel, a sweep only of what can be swept."""
        own = dict.fromkeys(OF_KERNEL, self._no_kernel)
        own["sweepAction"] = self._no_kernel or self._no_sweep
        for name in NOT_WHILE_BUSY:
            self._refusals[name] = BUSY if self._run.busy else own.get(name, "")
            self._actions.allow(name, self._refusals[name])
        for name, shortcut in self._refusing:  # an action that cannot be used leaves its key without an answer
            shortcut.setEnabled(bool(self._refusals[name]))

    def _refuse(self, name: str) -> None:
        what, why = self._actions[name].text().replace("&", ""), self._refusals[name]
        self.refused.emit(f"{what}: {why[:1].lower()}{why[1:]}")

    @Slot(bool)
    def _on_chosen(self, is_chosen: bool) -> None:
        self._actions.allow("clearChosenAction", "" if is_chosen else NOTHING_CHOSEN)

    @Slot(object)
    def _on_rows(self, chosen: tuple[object, ...]) -> None:
        self._actions.allow("deleteAction", "" if chosen else NO_ROW)
