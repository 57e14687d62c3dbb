"""Sweeping a kernel's parameters, or the GPUs for one setting, without a GPU: what is examined, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.gpus import emulated, gpu_words, load_gpus
from gemmviz.catalogue.header import beside_file
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import is_shipped
from gemmviz.catalogue.recordable import why_not_recorded
from gemmviz.catalogue.values.further_values import ValuesError, is_further, with_values, write_values
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import EMULATOR, Device
from gemmviz.domain.figures import counted
from gemmviz.domain.files.atomic import WriteError
from gemmviz.domain.files.bounded_read import ReadError
from gemmviz.domain.kernels.capability import lack_of
from gemmviz.domain.kernels.examined_sweep import MOST_SETTINGS, ExaminedSweep, digest_of
from gemmviz.domain.spec import Params, format_params
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.client import Client
from gemmviz.engine.machine_code import has_machine_code
from gemmviz.engine.messages import ExamineRequest, Job
from gemmviz.engine.settings import SETTING_LIMIT_S, SettingsError, SettingsToExamine, settings_of, with_further
from gemmviz.explain.figures.further_settings import FurtherValues, further_values
from gemmviz.explain.figures.param_words import varied_params
from gemmviz.explain.figures.settings import changed_words, kept_setting, settings_of_sweep
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.editor.examination import SetUp, gpu_for, request_for, version_of
from gemmviz.gui.editor.examiner import Examiner, SaveFindings
from gemmviz.gui.experiment.sweeps import names_to_sweep
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.notices.notice import NoticeKind
from gemmviz.gui.widgets.allowed import allow_action
from gemmviz.gui.widgets.plain_text import copy_text
from gemmviz.gui.work.experiment import device_asked_for

TAB = "Sweep"
CHECKED_HERE = (
    "They were checked in the settings of this sweep; `gemmviz adopt` checks each value in every combination with the "
    "others"
)
WRITE_TIP = (
    "Write further values to the file that describes the kernel: right ones become choices, the others are left out "
    f"with the reason.\n{CHECKED_HERE}"
)
ON_EACH_GPU = "this setting, each GPU"
COPY = "Copy choices for the header"
COPY_TIP = f"Copy the lines that make right values choices. The kernel is described in its own file.\n{CHECKED_HERE}"
_FIRST_BLOCK = (0, 0, 0)


class SettingsControl(QObject):
    """Examines the settings in a worker of its own, so that no run waits, shows each as it comes and keeps them in the
    session; also what is there when a person cancels. Another session that is opened ends it.
    """

    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""

    def __init__(
        self,
        window: QWidget,
        parts: Parts,
        actions: Actions,
        set_up: ExperimentControl,
        show_tab: Callable[[str], None],
        ended: SignalInstance,
        document: SessionDocument,
        make_client: Callable[[], Client] | None = None,
    ) -> None:
        super().__init__(window)
        self._page, self._joined, self._document = parts.settings, parts.sweep_page, document
        self._action, self._set_up, self._show_tab = actions["settingsAction"], set_up, show_tab
        self._examiner = Examiner(make_client or (lambda: Client(window, devices=())), self)
        self._examiner.progressed.connect(self._on_progressed)
        self._examiner.ended.connect(self._on_ended)
        self._kernel: Kernel | None = None
        self._settings = SettingsToExamine(())
        self._unproven = frozenset[Params]()
        self._gpus: tuple[Device, ...] = ()
        self._sweep: ExaminedSweep | None = None
        document.replaced.connect(self._give_up)
        self._joined.sweep_changed.connect(self.renew)
        self._page.examine_asked.connect(self.examine)
        self._page.cancel_asked.connect(self.cancel)
        self._page.names_changed.connect(self.renew)
        self._page.use_asked.connect(self._use)
        self._page.write_asked.connect(self._write)
        self._action.triggered.connect(lambda _checked=False: self.examine())
        parts.sweep.record_asked.connect(actions["recordAction"].trigger)
        parts.experiment.settings_asked.connect(self.show_view)
        ended.connect(self._examiner.close)
        set_up.changed.connect(self.renew)
        self.renew()

    @property
    def busy(self) -> bool:
        """Whether settings are being examined."""
        return self._kernel is not None

    @Slot()
    def show_view(self) -> None:
        """Bring the figures to the front; the button there begins."""
        self._show_tab(TAB)
        self._joined.show_settings()

    @Slot()
    def renew(self) -> None:
        """Show what can be examined now."""
        kernel = self._set_up.kernel
        choices = names_to_sweep(kernel, takes_further=True)
        first = _first_of(kernel, choices)
        of_gpus: list[tuple[str, ...]] = [()] if choices and has_machine_code(kernel.language) else []
        self._page.show_choices(
            [(names, " × ".join(names) or ON_EACH_GPU) for names in (*choices, *of_gpus)], first % max(len(choices), 1)
        )
        self._page.values.show_kernel(kernel, self._page.names)
        words, reason = "Examine settings", why_not_recorded(kernel)
        if not reason:
            words, reason = self._words_for(kernel, self._page.names)
        sweep = self._joined.sweep
        if sweep is not None and sweep.kernel != kernel.id:
            words = f"{words} of {kernel.id}"
        self._page.set_readiness(words, reason)
        allow_action(self._action, "Settings are being examined" if self.busy else reason)
        self._compare_source()

    @Slot()
    def _compare_source(self) -> None:
        """Say so where the kernel's file has changed since the settings that are shown were examined."""
        sweep, kernel = self._joined.sweep, self._swept_kernel
        words = changed_words(sweep, kernel.file_text) if sweep is not None and kernel is not None else ""
        self._joined.say((words,) if words else ())
        further, button = self._further, ""
        is_set_up = kernel is not None and kernel.id == self._set_up.kernel.id and not words
        self._page.values.show_right(further.right if is_set_up else ())
        if kernel is not None and further:
            lines = further.header_lines(kernel)
            button = f"Write to {beside_file(kernel.path).name}" if kernel.description else COPY if lines else ""
        self._page.show_writing(button, COPY_TIP if button == COPY else WRITE_TIP, words)

    @property
    def _swept_kernel(self) -> Kernel | None:
        """The kernel of the sweep that is shown, as the catalogue has it now."""
        sweep = self._joined.sweep
        kernels = self._set_up.catalogue.kernels
        return next((one for one in kernels if sweep is not None and one.id == sweep.kernel), None)

    @property
    def _further(self) -> FurtherValues:
        """What the sweep that is shown says of values that its kernel, a person's own, does not offer."""
        sweep, kernel = self._joined.sweep, self._swept_kernel
        if sweep is None or kernel is None or is_shipped(kernel):
            return FurtherValues()
        return further_values(kernel, settings_of_sweep(sweep))

    @Slot()
    def _write(self) -> None:
        """Write what is known of further values to the description of the kernel, which is read again; of a kernel with
        a header, which is a person's own text, copy the lines for it.
        """
        kernel, further = self._swept_kernel, self._further
        if kernel is None or not further:
            return
        if not kernel.description:
            lines = further.header_lines(kernel)
            copy_text(lines)
            self.notified.emit(
                NoticeKind.INFO, f"Copied. Paste over these lines in the header of {kernel.path.name}.", lines
            )
            return
        try:
            write_values(kernel.path, further.offered, further.left_out, further.proven)
        except (ValuesError, WriteError, ReadError) as error:
            self.notified.emit(NoticeKind.WARNING, str(error), "")
            return
        self._set_up.read_again(kernel.path)
        self.notified.emit(NoticeKind.INFO, f"{beside_file(kernel.path).name}: {further.words}.", "")

    def _words_for(self, kernel: Kernel, names: tuple[str, ...]) -> tuple[str, str]:
        """What the button says, and why it cannot be pressed; settings are counted only where they are few."""
        if not names:
            words = "Examine this setting"
            try:
                self._settings_of(kernel, ())
            except SettingsError as error:
                return words, f"{error}."
            return words, ""
        try:
            swept = self._page.values.values()
        except ValuesError as error:
            return "Examine settings", f"{error}."
        if prod(map(len, swept.values())) > MOST_SETTINGS:
            return f"Examine {' × '.join(names)}", ""
        try:
            count = len(self._settings_of(kernel, names).each)
        except SettingsError as error:
            return "Examine settings", f"{error}."
        return f"Examine {counted(count, 'setting')}", ""

    def _settings_of(self, kernel: Kernel, names: tuple[str, ...]) -> SettingsToExamine:
        experiment = self._set_up.experiment
        held: dict[str, tuple[int, ...]] = {
            name: (value,) for name, value in experiment.params_of(kernel) if name not in names
        }
        values = self._page.values.values() if names else {}
        made = settings_of(
            with_values(kernel, values), names, held | values, experiment.shape, emulated(experiment.target)
        )
        return with_further(kernel, dict(experiment.params_of(kernel)), values, made)

    @Slot()
    def examine(self) -> None:
        """Examine the settings of the chosen kernel, for the target that is chosen."""
        if self.busy:
            return
        self.show_view()
        kernel = self._set_up.kernel
        try:
            self._settings = self._settings_of(kernel, self._page.names)
            values = self._page.values.values() if self._page.names else {}
        except (SettingsError, ValuesError) as error:
            self.notified.emit(NoticeKind.WARNING, f"{error}.", "")
            return
        gpu = gpu_for(kernel, self._set_up.experiment.target)
        self._gpus = gpus_beside(kernel, gpu) if not self._page.names else ()
        self._kernel = with_values(kernel, values)
        self._unproven = frozenset(one for one in self._settings.each if is_further(kernel, dict(one)))
        self._sweep = ExaminedSweep(
            kernel.id, kernel.path.name, digest_of(kernel.file_text), gpu.name, left_out=self._settings.left_out
        )
        self._joined.show_unfinished(self._sweep, varied_params(self._settings.each))
        self._next()
        self.renew()

    @Slot()
    def cancel(self) -> None:
        """Stop; what is examined stays."""
        if self.busy:
            self._examiner.cancel()
            words = f"Cancelled. {self._done} of {counted(self._count, self._noun)} examined."
            self._finish(NoticeKind.INFO, words)

    @Slot()
    def _give_up(self) -> None:
        """Stop without keeping anything: the session that it was for is another one."""
        if self.busy:
            self._examiner.cancel()
            self._kernel = self._sweep = None
            self._page.show_progress("")
            self._joined.show_unfinished(None)
            self.renew()

    @property
    def _done(self) -> int:
        return len(self._sweep.settings) if self._sweep is not None else 0

    @property
    def _count(self) -> int:
        """How much is to be examined: settings, or one setting on so many GPUs."""
        return len(self._gpus) or len(self._settings.each)

    @property
    def _noun(self) -> str:
        return "GPU" if self._gpus else "setting"

    def _next(self) -> None:
        """Examine the next setting, or end."""
        assert self._kernel is not None
        if self._done == self._count:
            on = " for " + counted(self._done, "GPU") if self._gpus else ""
            what = self._kernel.id if self._gpus else f"{counted(self._done, 'setting')} of {self._kernel.id}"
            self._finish(NoticeKind.INFO, f"{what} examined{on}.")
            return
        self._tell("")
        self._examiner.examine(self._request(self._kernel))

    def _request(self, kernel: Kernel) -> ExamineRequest:
        """Recorded as compiled: the accesses are those of the code whose registers are shown. On GPUs beside the chosen
        one the only setting is compiled, no more.
        """
        work = request_for(kernel, SetUp(self._set_up.experiment, _FIRST_BLOCK), SETTING_LIMIT_S)
        conditions = replace(work.conditions, form=CodeForm.AS_COMPILED)
        work = replace(work, conditions=conditions)
        if not self._gpus:
            params = self._settings.each[self._done]
            return replace(work, job=Job(kernel, params), proves=params in self._unproven)
        gpu = self._gpus[self._done]
        work = replace(work, job=Job(kernel, self._settings.each[0]))
        if self._done:
            conditions = replace(conditions, device=device_asked_for(EMULATOR, gpu.id))
        return replace(work, conditions=conditions, device=gpu, only_compiles=self._done > 0)

    def _finish(self, kind: NoticeKind, words: str) -> None:
        sweep, missing = self._sweep, self._count - self._done
        self._kernel = self._sweep = None
        self._page.show_progress("")
        self._joined.show_unfinished(None)
        if sweep is not None and sweep.settings:
            self._document.add_sweep(replace(sweep, missing=missing))
        self.renew()
        self.notified.emit(kind, words, "")

    def _tell(self, words: str) -> None:
        done, count = self._done, self._count
        name = gpu_words(self._gpus[done]) if self._gpus else format_params(self._settings.each[done])
        self._page.show_progress(f"{name}, {done + 1} of {count}{': ' * bool(words)}{words}", done, count)

    @Slot(str)
    def _on_progressed(self, words: str) -> None:
        if self._kernel is not None:
            self._tell(words.removeprefix(f"{self._kernel.id}: "))

    @Slot(object)
    def _on_ended(self, findings: SaveFindings) -> None:
        if self._kernel is None or self._sweep is None:
            return
        if findings.reason:
            findings.faults.append(findings.reason.removeprefix(f"{self._kernel.id}: "))
        path = self._kernel.path  # a session that is passed on names no folder of the person who made it
        findings.faults[:] = [fault.replace(str(path), path.name) for fault in findings.faults]
        found = kept_setting(version_of(findings, self._done + 1, timestamp()))
        if self._gpus:
            found = replace(found, gpu=gpu_words(self._gpus[self._done]))
        self._sweep = replace(self._sweep, settings=(*self._sweep.settings, found))
        self._joined.show_unfinished(self._sweep, varied_params(self._settings.each))
        self._next()

    @Slot(str, object)
    def _use(self, kernel_id: str, params: Params) -> None:
        """Set a setting up in the experiment."""
        if self._set_up.known(kernel_id) is None:
            words = f"{kernel_id} is no longer in the list of kernels. Open its file again"
            self.notified.emit(NoticeKind.WARNING, words, "")
            return
        experiment = self._set_up.experiment
        chosen = dict(experiment.params) | {kernel_id: params}
        self._set_up.set_experiment(replace(experiment, kernel=kernel_id, params=tuple(sorted(chosen.items()))))


def gpus_beside(kernel: Kernel, chosen: Device) -> tuple[Device, ...]:
    """The chosen GPU first, then all others that run the kernel; () for a language that none of them compiles."""
    if not has_machine_code(kernel.language):
        return ()
    return (chosen, *(gpu for gpu in load_gpus() if gpu.id != chosen.id and not lack_of(kernel.requires, gpu)))


def _first_of(kernel: Kernel, choices: Sequence[tuple[str, ...]]) -> int:
    """The place of what is swept unasked: the last, all parameters together, else the first that is not too many."""
    values = {parameter.name: len(parameter.choices) for parameter in kernel.parameters}
    few = [place for place, names in enumerate(choices) if prod(values[name] for name in names) <= MOST_SETTINGS]
    return few[0] if few and few[-1] < len(choices) - 1 else -1
