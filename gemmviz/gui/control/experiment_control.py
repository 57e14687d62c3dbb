"""What is set up to run: from the panel, a lesson, a run that was made or a file, each change with its way back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoStack

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue
from gemmviz.catalogue.presets import Preset
from gemmviz.domain.listing import listed
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.recovery.lost import Recovered
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.runs.session_kernels import shown_spec
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import RunSpec
from gemmviz.engine.messages import Job
from gemmviz.gui.commands.entries import Entry, kernel_entries, preset_entries, size_entries
from gemmviz.gui.control.history import ExperimentChange
from gemmviz.gui.experiment.first_setup import first_setup
from gemmviz.gui.experiment.found_reports import FoundReports
from gemmviz.gui.experiment.opened_files import OpenedFiles
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.experiment.words import preset_text
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.kernels.describe_dialog import DescribeDialog
from gemmviz.gui.kernels.lost_values import told_loss
from gemmviz.gui.kernels.user_catalogue import UserCatalogue
from gemmviz.gui.notices.notice import NoticeKind
from gemmviz.gui.work.experiment import (
    Experiment,
    default_experiment,
    fitted,
    for_blackboard,
    for_lesson,
    from_dict,
    ladder_jobs,
    spec_of,
    to_dict,
    unoffered,
    with_device_of,
    with_param,
    with_preset,
    with_settings_of,
)


class ExperimentControl(QObject):
    """Holds the Experiment and the catalogue it is made of, and keeps the panel at it."""

    chosen = Signal()
    """A kernel or a preset was chosen by its name or its file: the experiment wants to be seen."""
    opened = Signal()
    """A kernel file was opened, and its kernel is chosen: its source wants to be seen."""
    changed = Signal()
    """The experiment or the catalogue is another one."""
    file_failed = Signal(str, str, bool)
    """The path of a kernel file that was not taken, why, and whether it only lacks a description."""
    file_taken = Signal(str, str)
    """The path of a kernel file that was taken, anew or again, and the id of its kernel."""
    offered = Signal(str, str, object)
    """A sentence, what the button beside it says, "" for none, and the function that it calls."""
    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""
    told_of_description = Signal(object, str, str)
    """The path of a file that was described, a sentence about that, and details or ""."""
    described_elsewhere = Signal(str, str, str)
    """The id of a kernel that was described while a person was elsewhere, a sentence, and details or ""."""

    def __init__(
        self,
        experiment: Experiment,
        user_catalogue: UserCatalogue,
        presets: tuple[Preset, ...],
        panel: ExperimentPanel,
        undo: QUndoStack,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._experiment, self._user_catalogue, self._presets = experiment, user_catalogue, presets
        self._panel, self._undo = panel, undo
        self._describing: dict[Path, DescribeDialog] = {}
        self._awaited: Path | None = None
        """A file that was just described: a size and a device are set up with which its kernel can run."""
        self.place: Callable[[], object] = lambda: None
        """Where in the window a person is."""
        self._describing_from: dict[Path, object] = {}
        """Where a person was when the description of a file that was just described began."""
        self._opened: set[Path] = set()
        """Files that were opened and whose kernels were not chosen yet: they begin with their own values."""
        self._described: dict[Path, str] = {}
        """What is to be said of files that were described meanwhile, once they are read."""
        self._own: Experiment | None = None
        """What a person had set up before a lesson did."""
        self._of_lesson: Experiment | None = None
        """What a lesson has set up; None where it did not come to it."""
        self._reports = FoundReports(panel, user_catalogue)
        self.line_asked, self.description_deleted = self._reports.line_asked, self._reports.deleted
        panel.experiment_changed.connect(self.set_experiment)
        panel.kernels.removal_asked.connect(user_catalogue.remove)
        panel.describe_asked.connect(self.describe)
        files = OpenedFiles(panel, user_catalogue)
        files.became_kernel.connect(lambda name: None if self._awaited else self.set_experiment(self._with_read(name)))
        user_catalogue.changed.connect(self._on_catalogue_changed)
        user_catalogue.added.connect(self._on_added)
        self.busy_changed, self.file_reread = user_catalogue.busy_changed, user_catalogue.reread
        user_catalogue.notified.connect(lambda words, details: self.notified.emit(NoticeKind.INFO, words, details))
        user_catalogue.failed.connect(self.file_failed)
        user_catalogue.taken.connect(self._on_taken)

    @property
    def experiment(self) -> Experiment:
        """What is set up to run."""
        return self._experiment

    @property
    def own(self) -> Experiment:
        """What a person has set up, not what a lesson did."""
        return self._own if self._own is not None and self._experiment == self._of_lesson else self._experiment

    def as_table(self) -> dict[str, Any]:
        """`own`, as settings and recovery data keep it."""
        return to_dict(self.own)

    @property
    def as_spec(self) -> RunSpec:
        """The chosen kernel as it is set up, as session files keep it."""
        return spec_of(self._experiment, self.catalogue)

    @property
    def catalogue(self) -> Catalogue:
        """The kernels there are."""
        return self._user_catalogue.catalogue

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names of the chosen kernel's parameters."""
        return tuple(parameter.name for parameter in self.kernel.parameters)

    @property
    def kernel(self) -> Kernel:
        """The chosen kernel."""
        return self.catalogue.get(self._experiment.kernel)

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Every kernel with the parameters it would have."""
        return ladder_jobs(self._experiment, self.catalogue)

    @Slot(object)
    def set_experiment(self, experiment: Experiment) -> None:
        """Set something else up; can be undone. What another kernel does not take over is told."""
        if experiment == (before := self._experiment):
            return
        self._undo.push(ExperimentChange(before, experiment, self._set_experiment))
        if told := told_loss(self, before, experiment, self._panel.devices):
            self.offered.emit(*told)

    def set_kernel(self, kernel_id: str) -> None:
        """Choose a kernel, with values that were chosen for the former one as `with_kernel` has it; can be undone."""
        self.set_experiment(with_kernel(self._experiment, kernel_id, self.catalogue, self._panel.devices))

    def take_recovered(self, found: Recovered) -> None:
        """Set up what was set up when a session was lost; there is no way back to another session."""
        if found.experiment:
            self.set_experiment(from_dict(found.experiment, self.catalogue))
        self._undo.clear()

    def entries(self) -> list[Entry]:
        """The kernels and the presets, for the command palette."""
        return [
            *kernel_entries(self.catalogue.kernels, self.choose),
            *preset_entries(self._presets, self._choose_preset),
            *self._reports.entries(),
        ]

    def entries_for(self, query: str) -> list[Entry]:
        """The size that somebody types into the command palette."""
        return size_entries(query, self._experiment.shape, self._choose_size, self._for_blackboard)

    def choose(self, kernel_id: str) -> None:
        """`set_kernel`, and let it be seen."""
        self.set_kernel(kernel_id)
        self.chosen.emit()

    @Slot()
    def begin_anew(self) -> None:
        """Set up what a new user finds, on the device and target that are chosen; can be undone. The usual device takes
        the place of the PTX machine, which times nothing and may have been chosen for one kernel.
        """
        before, fresh = self._experiment, default_experiment(self.catalogue, self._presets)
        devices = self._panel.devices
        chosen, usual = devices.chosen(before.device), devices.chosen(fresh.device)
        is_timed = chosen is None or not chosen.is_emulated or usual is None
        self.set_experiment(replace(fresh, device=before.device if is_timed else "", target=before.target))

    def _choose_preset(self, preset: Preset) -> None:
        self.use_preset(preset)
        self.chosen.emit()
        self.notified.emit(NoticeKind.INFO, f"Set up: {preset_text(preset)}, with {listed(preset.kernels)}", "")

    def _choose_size(self, shape: Shape) -> None:
        self.set_experiment(replace(self._experiment, shape=shape))
        self.chosen.emit()

    def _for_blackboard(self, shape: Shape) -> None:
        self.set_experiment(for_blackboard(self._experiment, shape, self.kernel))
        self.chosen.emit()

    def use_preset(self, preset: Preset) -> None:
        """Set up the size, kernels, parameters and fill of a preset."""
        self.set_experiment(with_preset(self._experiment, preset, self.catalogue))

    def keep_own(self) -> None:
        """Keep what is set up for `bring_own_back`: a lesson will set up something else."""
        if self._of_lesson is None:
            self._own = self._experiment

    def use_for_lesson(self, preset: Preset) -> None:
        """Set up a lesson's run, with its own settings only."""
        if self._own is None:
            self._own = self._experiment
        self.set_experiment(for_lesson(self._experiment, preset, self.catalogue))
        self._of_lesson = self._experiment

    def bring_own_back(self) -> None:
        """Set up again what was set up before a lesson, unless a person has changed the lesson's settings since."""
        if self._own is None or self._of_lesson is None:
            return
        own, of_lesson, self._own, self._of_lesson = self._own, self._of_lesson, None, None
        if own != self._experiment == of_lesson:
            self._undo.push(ExperimentChange(self._experiment, own, self._set_experiment))

    @Slot(object)
    def use_settings_of(self, run: RunResult) -> None:
        """Set up what was run before."""
        if self.known(run.spec.kernel) is not None:
            self.set_experiment(with_settings_of(self._experiment, run.spec))

    def use_session(self, session: Session) -> None:
        """Set up what was set up when a session was saved or, where that is not known, what it shows; can be undone.
        What is not there any more is told: where it is the kernel, the chosen one stays, with the size and the rest.
        """
        kept, known = session.shown.set_up if session.shown is not None else None, self.catalogue.kernels
        spec = kept or shown_spec(session)
        if spec is not None:
            kernel = next((one for one in known if one.id == spec.kernel), None)
            made = with_settings_of(self._experiment, spec)
            made = made if kernel is not None else replace(made, kernel=self._experiment.kernel)
            self.set_experiment(made if kept is None else self._with_device_of(made, kept))
            if kept is not None and kernel is not None and (gone := unoffered(kept, kernel)):
                self.notified.emit(NoticeKind.HINT, f"{kernel.id} does not offer {listed(gone)} any more.", "")

    def _with_device_of(self, experiment: Experiment, spec: RunSpec) -> Experiment:
        """The experiment on the device of a spec, if that is here; else it is told."""
        made, devices = with_device_of(experiment, spec), self._panel.devices
        if not made.device or not devices.known or devices.chosen(made.device) is not None:
            return made
        words = f"The device {made.device} of the saved session is not here. Another one is chosen."
        self.notified.emit(NoticeKind.HINT, words, "")
        return experiment

    def like(self, spec: RunSpec, kernel: Kernel) -> Experiment:
        """What is set up, with the size, the inputs and the parameters of something else, for this kernel; nothing is
        changed.
        """
        made = with_settings_of(self._experiment, spec)
        for name, value in kernel.params_beside(made.params_of(kernel), spec.params):
            made = with_param(made, kernel, name, value)
        return made

    @Slot(object)
    def describe(self, path: Path, *, replaces: bool = False) -> None:
        """Find out what a kernel file without a description computes, ask where it has several kernels, describe it
        and take it in. What is proven on the PTX machine is checked on the chosen device, too, if that runs it. Where
        a person is elsewhere meanwhile, or has set up something else, that stays on view. `replaces`: a description
        that verifies nothing is replaced without a question.
        """
        path = path.absolute()
        if path in self._describing and self._describing[path].is_refused:
            self._describing[path].reject()  # what it asks is of an earlier text
        if path in self._describing:
            self._describing[path].raise_()
            self._describing[path].activateWindow()
            return
        before, place = self._experiment, self.place()
        device = self._panel.devices.chosen(self._experiment.device)
        dialog = DescribeDialog(path, self._user_catalogue.may_run, self._panel.window(), device, replaces=replaces)
        self._describing[path] = dialog
        dialog.found.connect(lambda report: self._reports.take(report, is_shown=self._is_there(before, place)))
        dialog.described.connect(lambda path, words: self._take_described(path, words, before, place))
        dialog.failed.connect(self._user_catalogue.refuse)
        dialog.finished.connect(lambda _: self._describing.pop(path, None))
        dialog.show()

    def _take_described(self, path: Path, words: str, before: Experiment, place: object) -> None:
        is_there = self._is_there(before, place)
        self._describing_from[path] = place
        if is_there:
            self._awaited = path
            said, _, details = words.partition("\n")
            self.told_of_description.emit(path, said, details)
        else:
            self._described[path] = words
            self._panel.show_file(None)
        self._user_catalogue.take_described(path, is_chosen=is_there)

    def _is_there(self, before: Experiment, place: object) -> bool:
        """Whether a person is where, and has set up what, a look at a file began with."""
        return self._experiment.kernel == before.kernel and self.place() == place

    def place_before(self, path: Path) -> object:
        """Where a person was when the description began that was just written for a file, once only; else where that
        person is.
        """
        return self._describing_from.pop(path.absolute(), None) or self.place()

    def show_described(self, kernel_id: str) -> None:
        """Choose a kernel that was described, and show its source."""
        self._set_up_first(kernel_id)
        self.opened.emit()

    @Slot()
    def stop(self) -> None:
        """End what is found out about files."""
        for dialog in tuple(self._describing.values()):
            dialog.reject()
        self._reports.close()

    def add_kernels(self, paths: tuple[Path, ...]) -> None:
        """Take files into the catalogue and choose the last, once they are read, with its own values."""
        self._opened |= {path.absolute() for path in paths}
        self._user_catalogue.add(paths)

    def read_again(self, path: Path) -> None:
        """Read a kernel file whose description was written."""
        self._user_catalogue.read_saved(path)

    def known(self, kernel_id: str) -> Kernel | None:
        """A kernel of the catalogue; None, and a word about it, if it is not there."""
        found = next((kernel for kernel in self.catalogue.kernels if kernel.id == kernel_id), None)
        if found is None:
            words = f"{kernel_id} is not in the list of kernels. Open its file first"
            self.notified.emit(NoticeKind.WARNING, words, "")
        return found

    def _set_experiment(self, experiment: Experiment) -> None:
        self._experiment = fitted(experiment, self.catalogue)
        self._panel.set_experiment(self._experiment)
        self.changed.emit()

    @Slot(str)
    def _on_added(self, kernel_id: str) -> None:
        self.set_experiment(self._with_read(kernel_id))
        self.chosen.emit()
        self.opened.emit()

    def _with_read(self, kernel_id: str) -> Experiment:
        """A kernel that was read now: of an opened file with its own values, of a copy with those of its original."""
        path = self.catalogue.get(kernel_id).path
        if path not in self._opened:
            return with_kernel(self._experiment, kernel_id, self.catalogue, self._panel.devices, is_copy=True)
        self._opened.discard(path)
        return replace(self._experiment, kernel=kernel_id)

    @Slot(str, str)
    def _on_taken(self, path: str, kernel_id: str) -> None:
        if self._awaited == Path(path):
            self._awaited = None
            self._set_up_first(kernel_id)
        self.file_taken.emit(path, kernel_id)
        if words := self._described.pop(Path(path), ""):
            said, _, details = words.partition("\n")
            self.described_elsewhere.emit(kernel_id, f"{said}. Its kernel is in the list now", details)

    def _set_up_first(self, kernel_id: str) -> None:
        """Choose a kernel with a size and a device with which it can run, and tell what that changed."""
        devices = self._panel.devices
        chosen = self._with_read(kernel_id)
        made = first_setup(chosen, self.catalogue, devices, available_memory_bytes())
        self.set_experiment(made)
        device = devices.chosen(made.device) if made.device != chosen.device else None
        size = f"the size {made.shape.words}" if made.shape != chosen.shape else ""
        if size or device is not None:
            what = " and ".join(filter(None, (size, device.name if device is not None else "")))
            words = f"{kernel_id} is set up with {what}, so that it can be recorded"
            self.told_of_description.emit(self.catalogue.get(kernel_id).path, words, "")

    @Slot(object)
    def _on_catalogue_changed(self, catalogue: Catalogue) -> None:
        self._experiment = fitted(self._experiment, catalogue)
        self._panel.set_catalogue(catalogue)
        self._set_experiment(self._experiment)
