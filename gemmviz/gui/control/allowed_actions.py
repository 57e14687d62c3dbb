"""Which actions of the window can be used now; each of the others says why not."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QUndoStack

from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.experiment.readiness import BUSY, IDLE
from gemmviz.gui.results.table import NO_ROW, ResultsTable

NOT_WHILE_BUSY = "runAction", "ladderAction", "recordAction", "sweepAction", "machineCodeAction"
NOTHING_CHOSEN = "No element, thread or warp is chosen"
NOTHING_CHANGED, NOTHING_UNDONE = "Nothing was changed yet", "Nothing was undone"


class AllowedActions(QObject):
    """Follows what runs, what is chosen and what can be undone."""

    def __init__(
        self,
        actions: Actions,
        run: RunControl,
        player: MemoryControl,
        results: ResultsTable,
        undo: QUndoStack,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        run.busy_changed.connect(self._on_busy)
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
        for name in NOT_WHILE_BUSY:
            self._actions.allow(name, BUSY if is_busy else "")
        self._actions.allow("cancelAction", "" if is_busy else IDLE)

    @Slot(bool)
    def _on_chosen(self, is_chosen: bool) -> None:
        self._actions.allow("clearChosenAction", "" if is_chosen else NOTHING_CHOSEN)

    @Slot(object)
    def _on_rows(self, chosen: tuple[object, ...]) -> None:
        self._actions.allow("deleteAction", "" if chosen else NO_ROW)
