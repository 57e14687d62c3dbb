"""Which actions of the window can be used now; each of the others says why not."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QShortcut, QUndoStack
from PySide6.QtWidgets import QWidget

from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.experiment.readiness import Readiness
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.results.table import NO_ROW
from gemmviz.gui.work.words import BUSY, IDLE

NOT_WHILE_BUSY = "runAction", "ladderAction", "recordAction", "sweepAction", "machineCodeAction"
OF_SIZE = "runAction", "recordAction"
"""What another size or kernel may let start."""
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
        self._ready = Readiness()
        self._refusals = dict.fromkeys(NOT_WHILE_BUSY, "")
        self._refusing = [
            (name, QShortcut(key, window, lambda name=name: self._refuse(name)))
            for name in NOT_WHILE_BUSY
            for key in actions[name].shortcuts()
        ]
        results = parts.results
        run.busy_changed.connect(self._on_busy)
        parts.experiment.readiness_changed.connect(self._on_readiness)
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

    @Slot(object)
    def _on_readiness(self, ready: Readiness) -> None:
        self._ready = ready
        self._allow()

    def _allow(self) -> None:
        """Let what starts work start it while nothing runs, and where the buttons of the experiment can, too."""
        ready = self._ready
        own = {
            "runAction": ready.run,
            "ladderAction": ready.ladder,
            "recordAction": ready.record,
            "sweepAction": ready.sweep,
        }
        for name in NOT_WHILE_BUSY:
            self._refusals[name] = BUSY if self._run.busy else own.get(name, "")
            self._actions.allow(name, self._refusals[name])
        for name, shortcut in self._refusing:  # an action that cannot be used leaves its key without an answer
            shortcut.setEnabled(bool(self._refusals[name]))

    def _refuse(self, name: str) -> None:
        if not self._run.busy and name in OF_SIZE:
            self._actions[name].triggered.emit()  # what it starts looks first, and offers what lets it start
            return
        what, why = self._actions[name].text().replace("&", ""), self._refusals[name]
        self.refused.emit(f"{what}: {why[:1].lower()}{why[1:]}")

    @Slot(bool)
    def _on_chosen(self, is_chosen: bool) -> None:
        self._actions.allow("clearChosenAction", "" if is_chosen else NOTHING_CHOSEN)

    @Slot(object)
    def _on_rows(self, chosen: tuple[object, ...]) -> None:
        self._actions.allow("deleteAction", "" if chosen else NO_ROW)
