"""The actions that record the chosen kernel in a form that a person names: as written, as compiled, or both."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from gemmviz.domain.terms import CodeForm
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.experiment.buttons import RunButtons
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.experiment.readiness import Readiness
from gemmviz.gui.work.words import BUSY

ONE_FORM = "This kernel can be recorded here in one form only."
BOTH = "recordBothAction"
OF_FORM = {CodeForm.AS_WRITTEN: "recordWrittenAction", CodeForm.AS_COMPILED: "recordCompiledAction"}


class FormActions(QObject):
    """Does what the entries of the Record button do, from the menu and the command palette."""

    def __init__(self, actions: Actions, panel: ExperimentPanel, run: RunControl, parent: QObject) -> None:
        super().__init__(parent)
        self._actions, self._run, self._no_recording = actions, run, ""
        self._buttons = next(iter(panel.findChildren(RunButtons)))
        for form, name in OF_FORM.items():
            actions[name].triggered.connect(partial(self._buttons.record_form, form))
        actions[BOTH].triggered.connect(self._buttons.record_both)
        self._buttons.forms_changed.connect(self._allow)
        run.busy_changed.connect(self._allow)
        panel.readiness_changed.connect(self._on_readiness)
        self._allow()

    @Slot(object)
    def _on_readiness(self, ready: Readiness) -> None:
        if ready.no_recording != self._no_recording:
            self._no_recording = ready.no_recording
            self._allow()

    @Slot()
    def _allow(self) -> None:
        one_form = "" if len(self._buttons.forms) > 1 else ONE_FORM
        refusal = BUSY if self._run.busy else self._no_recording or one_form
        for name in (*OF_FORM.values(), BOTH):
            self._actions.allow(name, refusal)
