"""Machine code from the window: whose is asked for, and the dialogs that show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.gpus import find_gpu
from gemmviz.domain.kernels.machine_code import MachineCode
from gemmviz.domain.runs.result import RunResult
from gemmviz.engine.messages import MachineCodeRequest
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.machine_code.asking import code_of_run, code_of_set_up, difference_words
from gemmviz.gui.machine_code.dialog import MachineCodeDialog
from gemmviz.gui.notices.notice import NoticeKind


class MachineCodeControl(QObject):
    """Asks for machine code, and shows it in the dialog that waits for it, else in a new one."""

    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""

    def __init__(self, run: RunControl, set_up: ExperimentControl, theme: Callable[[], Theme], window: QWidget) -> None:
        super().__init__(window)
        self._run, self._set_up, self._theme, self._window = run, set_up, theme, window
        self._dialogs: list[MachineCodeDialog] = []
        self._of_set_up: MachineCodeRequest | None = None
        """That of what is set up, where that of a run was asked for."""
        run.machine_code_made.connect(self._on_made)

    def show(self, run: RunResult | None) -> None:
        """Show what a compiler makes of a run's kernel as it ran; without a run, of what is set up."""
        catalogue, experiment = self._set_up.catalogue, self._set_up.experiment
        kernel_id = run.spec.kernel if run is not None else experiment.kernel
        kernel = next((kernel for kernel in catalogue.kernels if kernel.id == kernel_id), None)
        if kernel is None:
            words = f"{kernel_id} is no longer in the list of kernels. Open its file again"
            self.notified.emit(NoticeKind.WARNING, words, "")
            return
        set_up = code_of_set_up(self._set_up.kernel, experiment, self._run.device_of(experiment))
        if run is None:
            self._ask_for_set_up(set_up)
            return
        self._of_set_up = set_up
        self._run.submit(code_of_run(kernel, run, experiment))

    def _ask_for_set_up(self, work: MachineCodeRequest) -> str:
        """Ask for machine code that is of no run. Why it cannot be asked for now, else ""."""
        self._of_set_up = None
        return self._run.submit(work)

    def _compile_for(self, work: MachineCodeRequest, gpu: str) -> str:
        """Ask for the same kernel's code for a GPU of the list by its id; "" for what was asked for at first. Why it
        cannot be asked for now, else "".
        """
        return self._run.submit(replace(work, device=find_gpu(gpu), is_of_run=False) if gpu else work)

    @Slot(object, object)
    def _on_made(self, code: MachineCode, work: MachineCodeRequest) -> None:
        waiting = next((dialog for dialog in self._dialogs if dialog.is_waiting), None)
        if waiting is not None:
            waiting.show_code(code)
            return
        dialog = MachineCodeDialog(code, self._theme(), self._window)
        dialog.gpu_chosen.connect(lambda gpu: dialog.show_fault(self._compile_for(work, gpu)))
        self._run.machine_code_failed.connect(dialog.show_fault)
        if (set_up := self._of_set_up) is not None:
            dialog.show_difference(difference_words(work, set_up))
            dialog.set_up_asked.connect(lambda: None if self._ask_for_set_up(set_up) else dialog.close())
        self._dialogs.append(dialog)
        dialog.finished.connect(lambda _: self._on_closed(dialog))
        dialog.show()

    def _on_closed(self, dialog: MachineCodeDialog) -> None:
        self._dialogs.remove(dialog)
        if dialog.is_waiting:
            self._run.cancel()
        dialog.deleteLater()
