"""From the experiment to requests, and from the worker's events to what the window shows: the one `match` on events."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue
from gemmviz.catalogue.recordable import device_of_both_forms, recording_device
from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunError
from gemmviz.domain.runs.roof_words import roofs_words
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.client import BusyError, Client
from gemmviz.engine.messages import (
    UNNUMBERED,
    Conditions,
    Finished,
    Job,
    MachineCodeDone,
    MachineCodeRequest,
    Noted,
    Progressed,
    RecordDone,
    RecordRequest,
    RoofsDone,
    RoofsRequest,
    RunDone,
    RunFailed,
    RunRequest,
    ScheduleDone,
    ScheduleRequest,
    SweepRequest,
    Work,
    WorkerLost,
    WorkerReady,
)
from gemmviz.engine.running_order import was_not_run
from gemmviz.gui.control.device_at_work import device_at_work
from gemmviz.gui.experiment.run_plan import page_of_results
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.kernels.availability import Devices
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.notices.notice import NoticeKind
from gemmviz.gui.tasks.event_queue import EventQueue
from gemmviz.gui.work.device_status import DeviceState
from gemmviz.gui.work.experiment import (
    Experiment,
    SweepError,
    conditions_of,
    device_asked_for,
    jobs_of,
    ladder_jobs,
    sweep_jobs,
)
from gemmviz.gui.work.last_work import Asked, LastWork, after, after_change, begun, opening
from gemmviz.gui.work.window_words import event_in_window
from gemmviz.gui.work.words import cancelled_words


class RunControl(QObject):
    """Submits what the experiment says and puts what comes back into the document."""

    started = Signal(str)
    """The name of the view that will show the answer."""
    busy_changed = Signal(bool)
    progressed = Signal(str, float)
    """Words, and the part of the request that is done."""
    devices_found = Signal(object, str)
    """The devices, and advice where there is none for GPU kernels."""
    state_changed = Signal(object)
    """The DeviceState."""
    work_changed = Signal(object)
    """The LastWork and how it stands; None where it is of no concern any more."""
    checked = Signal(object)
    """A RunResult that has just been made and checked, and is in the session on view."""
    made = Signal(object)
    """A RunResult or TraceRun that has just been made, and is in the session on view."""
    recorded = Signal(object)
    """A TraceRun that has just been made."""
    machine_code_made = Signal(object, object)
    """The MachineCode that was asked for, and the MachineCodeRequest."""
    machine_code_failed = Signal(str)
    """Why there is none."""
    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""
    failed = Signal(str, str, str)
    """What failed: the id of a kernel, or what was asked; a sentence; details or ""."""
    was_busy = Signal(str)
    """Why nothing more can be started before what runs has ended."""
    retried = Signal(str)
    """Something that may have failed before is tried again, or went well."""

    def __init__(self, client: Client, document: SessionDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client, self._document = client, document
        self.devices: tuple[Device, ...] = ()
        self.process = 0
        self.longest_s = 0.0
        """What goes on was said to take so long at most; 0 where nothing was said."""
        self._work: Work | None = None
        self._kernel = ""
        self._last: LastWork | None = None
        self._has_results = replace(document.session, roofs=()).has_results
        self._former = ""
        """The name of the session in which what runs was started, where another has taken its place."""
        document.replaced.connect(self._on_document_replaced)
        document.changed.connect(self._on_document_changed)
        document.busy_changed.connect(self._on_file_busy)
        self._events = EventQueue(self)
        client.happened.connect(self._events.add)
        self._events.handed.connect(self._on_happened)

    @property
    def busy(self) -> bool:
        """Whether a request is under way, or its end is still to be shown."""
        return self._client.busy or len(self._events) > 0

    def device_of(self, experiment: Experiment) -> Device | None:
        """The device its GPU kernels run on, as far as it is known yet."""
        there = Devices(self.devices).with_target(experiment.target)
        return there.chosen(experiment.device) or there.chosen("")

    def device_shown(self, experiment: Experiment) -> Device | None:
        """The device that does the work, none for a compiler's; while nothing goes on, the one of the experiment."""
        if not self._client.busy or self._work is None:
            return self.device_of(experiment)
        return device_at_work(self._work, self._kernel, Devices(self.devices))

    def run(
        self, experiment: Experiment, catalogue: Catalogue, left_out: Collection[str] = (), longest_s: float = 0.0
    ) -> None:
        """The chosen kernel and those compared with it, but the ids `left_out`; said to take `longest_s` at most."""
        conditions, jobs = conditions_of(experiment), jobs_of(experiment, catalogue)
        jobs = tuple(job for job in jobs if job.kernel.id not in left_out)
        self._run(jobs, conditions, page_of_results(jobs, self.device_of(experiment)), longest_s)

    def run_ladder(
        self, experiment: Experiment, catalogue: Catalogue, kernels: Collection[str], longest_s: float = 0.0
    ) -> None:
        """Of all kernels those with these ids; said to take `longest_s` at most."""
        jobs, conditions = ladder_jobs(experiment, catalogue), conditions_of(experiment)
        jobs = tuple(job for job in jobs if job.kernel.id in kernels)
        self._run(jobs, conditions, page_of_results(jobs, self.device_of(experiment)), longest_s)

    def record(
        self,
        experiment: Experiment,
        kernel: Kernel,
        blocks: tuple[tuple[int, int, int], ...],
        form: CodeForm | None = None,
        forms: tuple[CodeForm, ...] = (),
    ) -> None:
        """The accesses of the chosen kernel, of some blocks or of the whole grid, in the usual form or another, or in
        several `forms` one after the other.
        """
        job, conditions = Job(kernel, experiment.params_of(kernel)), replace(conditions_of(experiment), form=form)
        there = Devices(self.devices).for_gpu_kernels
        if forms:
            device = device_of_both_forms(kernel, there)
        else:
            device = recording_device(kernel, there, experiment.device, form)
        if device is not None:  # here, so that a kernel of the user's is confined for that device
            conditions = replace(conditions, device=device_asked_for(device.choice, experiment.target))
        self.submit(RecordRequest(UNNUMBERED, job, conditions, blocks, forms), MEMORY)

    def sweep(self, experiment: Experiment, catalogue: Catalogue, names: tuple[str, ...]) -> None:
        """The chosen kernel with every choice of the named parameters."""
        try:
            jobs = sweep_jobs(experiment, catalogue, names, self.device_of(experiment))
        except SweepError as error:
            self.failed.emit(str(Asked.SWEEP), str(error), "")
            return
        number = self._document.next_sweep()
        self.submit(SweepRequest(UNNUMBERED, jobs, conditions_of(experiment), number), "Sweep")

    def record_schedule(self, experiment: Experiment, kernel: Kernel) -> None:
        """Which multiprocessor runs which block of the chosen kernel."""
        job = Job(kernel, experiment.params_of(kernel))
        self.submit(ScheduleRequest(UNNUMBERED, job, conditions_of(experiment)), "Schedule")

    def measure_roofs(self, experiment: Experiment, device: str = "") -> None:
        """What a device can do at most, by its id; that of the experiment for ""."""
        conditions = conditions_of(experiment)
        asked = replace(conditions, device=device or conditions.device)
        self.submit(RoofsRequest(UNNUMBERED, asked), "Timing")

    def submit(self, work: Work, view: str = "", longest_s: float = 0.0) -> str:
        """Hand a request over, with an id of its own, and show a page of results, "" for none. Why it cannot be handed
        over, else "".
        """
        work = replace(work, id=self._client.next_id())
        try:
            self._client.submit(work)
        except BusyError as error:
            self.was_busy.emit(str(error))
            return str(error)
        self._work, self._kernel, self._former, self.longest_s = work, "", "", longest_s
        begins = begun(work)
        for name in (begins.asked, *begins.kernels):
            self.retried.emit(name)
        self._tell_work(begins)
        self._set_busy(True)
        self.progressed.emit("starting", 0.0)
        if view:  # another page: the press of the button comes first
            QTimer.singleShot(0, self, lambda: self.started.emit(view))
        return ""

    @Slot()
    def cancel(self) -> None:
        """Stop what is running, if anything is."""
        self._client.cancel()

    def note_change(self, kernel_id: str) -> None:
        """A kernel's file was read again: what it failed at last is of its earlier text."""
        if self._last is not None:
            self._tell_work(after_change(self._last, kernel_id))

    def take_all(self) -> None:
        """Put into the document at once what has come in but waits for its turn."""
        self._events.hand_on_all()

    def close(self) -> None:
        """End the worker; whatever it still says is dropped."""
        self._events.close()
        self._client.close()

    def _run(self, jobs: tuple[Job, ...], conditions: Conditions, page: str, longest_s: float) -> None:
        self.submit(RunRequest(UNNUMBERED, jobs, conditions), page, longest_s)

    def _set_busy(self, busy: bool) -> None:
        self.busy_changed.emit(busy)
        at_rest = DeviceState.READY if self.devices else DeviceState.LOOKING
        self.state_changed.emit(DeviceState.BUSY if busy else at_rest)

    def _tell_work(self, last: LastWork | None) -> None:
        if last != self._last:
            self._last = last
            self.work_changed.emit(last)

    @Slot()
    def _on_document_changed(self) -> None:
        had_results, self._has_results = self._has_results, replace(self._document.session, roofs=()).has_results
        if had_results and not self._has_results:
            self._on_document_opened()

    @Slot()
    def _on_file_busy(self) -> None:
        """A file that is being read fills empty pages, unless results are on their way to them."""
        name = self._document.opens
        is_running = self._last is not None and self._last.is_running
        self.work_changed.emit(opening(name) if name and not is_running else self._last)

    @Slot(str)
    def _on_document_replaced(self, former: str) -> None:
        """What still runs was started in the session before."""
        if not self.busy:
            self._on_document_opened()
        elif not self._former:
            self._former = former

    @Slot()
    def _on_document_opened(self) -> None:
        """What became of a request is of no concern to another session."""
        if self._last is not None and not self._last.is_running:
            self._tell_work(None)

    @Slot(object)
    def _on_happened(self, event: object) -> None:
        event = event_in_window(event)
        if self._last is not None:
            last = after(self._last, event)
            self._tell_work(last if last.is_running or not self._former else None)
        match event:
            case WorkerReady(process=process, devices=devices, advice=advice):
                self.process = process
                self._on_ready(devices, advice)
            case Progressed() as step:
                if step.kernel != self._kernel and self._client.busy:
                    self._kernel = step.kernel
                    self.state_changed.emit(DeviceState.BUSY)
                self.progressed.emit(step.words or step.kernel, (step.job + step.fraction) / max(step.jobs, 1))
            case RunDone(result=result, init_ms=init_ms):
                self._document.add_run(result, init_ms)
                self.retried.emit(result.spec.kernel)
                if not self._former:
                    self.checked.emit(result)
                    self.made.emit(result)
            case RunFailed(error=error):
                name = f"{error.kernel} {format_params(error.params)}".rstrip()
                first, _, details = error.reason.partition("\n")
                if not self._former:
                    self._document.add_error(error)
                if not was_not_run(error):  # what kept it from running has a message of its own
                    self._tell_failure(error.kernel, f"{name}: {first}", details)
            case RecordDone(trace=trace):
                self._document.add_trace(trace)
                self.recorded.emit(trace)
                if not self._former:
                    self.made.emit(trace)
            case ScheduleDone(schedule=schedule):
                self._document.add_schedule(schedule)
            case MachineCodeDone(code=code):
                self.machine_code_made.emit(code, self._work)
            case RoofsDone(roofs=roofs):
                self._document.add_roofs(roofs)
                self.notified.emit(NoticeKind.INFO, roofs_words(roofs), "\n".join(roofs.left_out))
            case Noted(words=words):
                self.notified.emit(NoticeKind.WARNING, words, "")
            case Finished(reason=reason, cancelled=cancelled):
                self._set_busy(False)
                if isinstance(self._work, MachineCodeRequest) and (reason or cancelled):
                    self.machine_code_failed.emit(reason or "Cancelled.")
                if reason:
                    self._tell_failure(self._asked_for, reason)
                elif cancelled:
                    words = cancelled_words(self._last) if self._last is not None else "Cancelled."
                    self.notified.emit(NoticeKind.INFO, words, "")
                self._former = ""
            case WorkerLost(id=request, running=running, words=words, restarts=restarts):
                if request:
                    if not self._former:
                        self._keep_loss(running, words)
                    self._set_busy(False)
                    self.machine_code_failed.emit(words)
                self.state_changed.emit(DeviceState.LOOKING if restarts else DeviceState.LOST)
                self._tell_failure(running.partition(" ")[0] or self._asked_for, words)
                self._former = ""

    def _tell_failure(self, asked: str, words: str, details: str = "") -> None:
        """Say what failed; briefly, and of which session, where that session is no longer shown."""
        if self._former:
            self.notified.emit(
                NoticeKind.INFO, f"In the session “{self._former}”, which is no longer open: {words}", details
            )
        else:
            self.failed.emit(asked, words, details)

    @property
    def _asked_for(self) -> str:
        """The kernel that was asked for last, or what was asked where there were more."""
        if self._last is None:
            return ""
        return self._last.kernels[0] if len(self._last.kernels) == 1 else self._last.asked

    def _keep_loss(self, running: str, words: str) -> None:
        """A kernel that took the worker with it stands in the session like any other that did not run."""
        kernel, _, params = running.partition(" ")
        if kernel and not isinstance(self._work, RecordRequest | RoofsRequest | ScheduleRequest | MachineCodeRequest):
            size = str(self._work.conditions.shape) if self._work is not None else ""
            chosen = tuple(
                (name, int(value))
                for name, _, value in (word.partition("=") for word in params.split())
                if value.isdecimal()
            )
            self._document.add_error(RunError(kernel, words, chosen, size))

    def _on_ready(self, devices: tuple[Device, ...], advice: str) -> None:
        is_first = not self.devices
        self.devices = devices
        self.devices_found.emit(devices, advice)
        if advice and is_first:
            self.notified.emit(NoticeKind.WARNING, advice, "")
        if not self.busy:
            self.state_changed.emit(DeviceState.READY if devices else DeviceState.NONE)
