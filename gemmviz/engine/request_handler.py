"""What the worker does with a request: runs, sweeps, records, and says how it went."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from gemmviz.backends.base import BackendError, CompileError, DeviceLostError
from gemmviz.backends.registry import how_to_get_a_device
from gemmviz.catalogue.kernel import Refusal
from gemmviz.compiler.source import full_reason
from gemmviz.domain.clock import timestamp
from gemmviz.domain.kernels.kernel_version import Check, Compilation
from gemmviz.domain.kernels.machine_code import MachineCode
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.doubts import NOT_SWEPT
from gemmviz.domain.runs.roof import Roofs
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.engine.event_sender import EventSender
from gemmviz.engine.examination import NothingFound, stages_of
from gemmviz.engine.jobs import (
    Done,
    Failed,
    JobFault,
    choose_devices,
    failed,
    patience_of,
    run_jobs,
    without_name,
)
from gemmviz.engine.machine_code import machine_code
from gemmviz.engine.messages import (
    CheckDone,
    CompileDone,
    Conditions,
    ExamineRequest,
    Finished,
    Job,
    MachineCodeDone,
    MachineCodeRequest,
    OneJob,
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
    StageFailed,
    SweepRequest,
    Work,
)
from gemmviz.engine.recording import BlockOutsideError, device_for_both_forms, device_for_recording, record_forms
from gemmviz.engine.roofs import roofs_of_device
from gemmviz.engine.scheduling import device_for_schedule, schedule
from gemmviz.measure.bench import Bench, Inputs, Watch, make_inputs
from gemmviz.measure.cancel import CancelledError, raise_if_cancelled
from gemmviz.measure.check.judge import Exact
from gemmviz.measure.sampling import MeasurementError
from gemmviz.measure.sweep import sweep
from gemmviz.trace.refusal import RecordingRefusal
from gemmviz.trace.tags import TagRefusal

_TOLD = (Refusal, MemoryRefusal, BackendError, MeasurementError, RecordingRefusal, TagRefusal)
"""What can be wrong with a whole request; the messages are for the person who asked."""

BREATH_S = 0.03
"""Between the results of a sweep, which are all there at once: the window shows one before the next comes."""

LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _Kept:
    """The inputs of the last request, and C of the reference kernel for them once it ran."""

    inputs: Inputs
    exact: Exact | None = None

    def fits(self, conditions: Conditions) -> bool:
        kept = (self.inputs.shape, self.inputs.fill, self.inputs.seed)
        return kept == (conditions.shape, conditions.fill, conditions.seed)


class RequestHandler:
    """Does one request after the other. Keeps the inputs of the last one, so that the next need not make them."""

    def __init__(self, event_sender: EventSender, is_cancelled: Callable[[int], bool]) -> None:
        self._event_sender = event_sender
        self._is_cancelled = is_cancelled
        self._kept: _Kept | None = None

    def do(self, work: Work) -> bool:
        """Do a request and answer it, to the last event. True if a kernel did not end and keeps the device busy."""
        stuck, reason = False, ""
        try:
            raise_if_cancelled(lambda: self._is_cancelled(work.id))
            match work:
                case RunRequest():
                    stuck = self._run(work)
                case SweepRequest():
                    stuck = self._sweep(work)
                case RecordRequest():
                    for trace in self._record(work):
                        self._event_sender.send(RecordDone(work.id, trace))
                case RoofsRequest():
                    self._event_sender.send(RoofsDone(work.id, self._measure_roofs(work)))
                case ScheduleRequest():
                    self._event_sender.send(ScheduleDone(work.id, self._schedule(work)))
                case MachineCodeRequest():
                    self._event_sender.send(MachineCodeDone(work.id, self._machine_code(work)))
                case ExamineRequest():
                    self._examine(work)
        except CancelledError:
            pass
        except BlockOutsideError as error:
            reason = f"block {error}"
        except DeviceLostError as error:
            stuck, reason = True, str(error)
        except _TOLD as error:
            reason = str(error)
        except Exception as error:
            LOG.exception("a request failed")
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            self._kept = None
        if isinstance(work, OneJob) and reason:
            reason = f"{work.job.kernel.id}: {without_name(work.job.kernel, reason)}"
        self._event_sender.send(Finished(work.id, reason, self._is_cancelled(work.id)))
        return stuck

    def _run(self, work: RunRequest) -> bool:
        conditions, story = work.conditions, _Story(work, self._event_sender, self._is_cancelled)
        devices = choose_devices([job.kernel for job in work.jobs], _device_wanted(work.jobs, conditions))
        kept = self._inputs(conditions, story)
        with Bench() as bench:
            stuck = False
            for answer in run_jobs(
                work.jobs, bench, devices, kept.inputs, conditions, story.watch, story.begin, kept.exact
            ):
                if isinstance(answer, Failed):
                    stuck = stuck or answer.fault is JobFault.STUCK
                    self._event_sender.send(RunFailed(work.id, answer.error))
                    continue
                self._event_sender.send(RunDone(work.id, answer.result, kept.inputs.init_ms))
                self._keep_exact(kept, answer)
        return stuck

    def _sweep(self, work: SweepRequest) -> bool:
        conditions, story = work.conditions, _Story(work, self._event_sender, self._is_cancelled)
        kernel = work.jobs[0].kernel
        device = choose_devices([kernel], _device_wanted(work.jobs, conditions)).get(kernel.language)
        if device is None:
            raise BackendError(how_to_get_a_device())
        if device.is_emulated:
            raise BackendError(NOT_SWEPT)
        kept = self._inputs(conditions, story)
        story.begin(0, work.jobs[0])
        open_jobs = {job.params: job for job in work.jobs}
        with Bench() as bench:
            try:
                for params, result, fault in sweep(
                    bench,
                    kernel,
                    list(open_jobs),
                    device,
                    kept.inputs,
                    conditions.mode,
                    patience_of(conditions),
                    story.watch,
                    kept.exact,
                ):
                    job = open_jobs.pop(params)
                    if result is None:
                        assert fault is not None
                        error = failed(job, conditions.shape, full_reason(fault), JobFault.FAILED).error
                        self._event_sender.send(RunFailed(work.id, error))
                        continue
                    result = replace(result, sweep=work.number, finished=timestamp())
                    self._event_sender.send(RunDone(work.id, result, kept.inputs.init_ms))
                    time.sleep(BREATH_S)
            except DeviceLostError as error:
                bench.abandon()
                for job in open_jobs.values():
                    lost = failed(
                        job, conditions.shape, f"not measured: {without_name(kernel, str(error))}", JobFault.STUCK
                    )
                    self._event_sender.send(RunFailed(work.id, lost.error))
                return True
        return False

    def _record(self, work: RecordRequest) -> Iterator[TraceRun]:
        story = _Story(work, self._event_sender, self._is_cancelled)
        story.begin(0, work.job)
        wanted, form = work.conditions.device or None, work.conditions.form
        if work.forms:
            device = device_for_both_forms(work.job.kernel, wanted)
        else:
            device = device_for_recording(work.job.kernel, wanted, or_another=True, form=form)
        forms = work.forms or (form,)
        done = 0
        try:
            for trace in record_forms(work.job, work.conditions, forms, device, work.blocks, story.watch):
                yield trace
                done += 1
            return
        except MemoryRefusal:
            if self._kept is None:
                raise
        self._kept = None  # what is only kept in reserve may be what it lacks
        yield from record_forms(work.job, work.conditions, forms[done:], device, work.blocks, story.watch)

    def _machine_code(self, work: MachineCodeRequest) -> MachineCode:
        _Story(work, self._event_sender, self._is_cancelled).begin(0, work.job)
        limit_s = work.conditions.launch_limit_s
        return machine_code(work.job, work.conditions.shape, work.device, limit_s, is_of_run=work.is_of_run)

    def _examine(self, work: ExamineRequest) -> None:
        story = _Story(work, self._event_sender, self._is_cancelled)
        story.begin(0, work.job)
        try:
            for found in stages_of(work, story.watch):
                match found:
                    case Compilation():
                        self._event_sender.send(CompileDone(work.id, found))
                    case TraceRun():
                        self._event_sender.send(RecordDone(work.id, found))
                    case Check():
                        self._event_sender.send(CheckDone(work.id, found))
                    case NothingFound(reason, is_out_of_time):
                        self._event_sender.send(StageFailed(work.id, reason, is_out_of_time))
        except CompileError as error:
            raise CompileError("\n".join(error.errors) or str(error), error.errors) from error

    def _measure_roofs(self, work: RoofsRequest) -> Roofs:
        story = _Story(work, self._event_sender, self._is_cancelled)
        return roofs_of_device(work.conditions.device, work.conditions.launch_limit_s, story.watch)

    def _schedule(self, work: ScheduleRequest) -> BlockSchedule:
        story = _Story(work, self._event_sender, self._is_cancelled)
        story.begin(0, work.job)
        device = device_for_schedule(work.job.kernel, work.conditions.device or None)
        self._kept = None  # its memory may be needed, and the product of A and B is not
        return schedule(work.job, work.conditions, device, story.watch)

    def _inputs(self, conditions: Conditions, story: _Story) -> _Kept:
        """A, B and their product, from the last request where they are the same.

        Raises:
            MemoryRefusal: they do not fit; nothing is kept.
        """
        if self._kept is None or not self._kept.fits(conditions):
            self._kept = None  # first, so that two sets never take memory at once
            story.prepare(f"making A and B, {conditions.shape.words}")
            self._kept = _Kept(make_inputs(conditions.shape, conditions.fill, conditions.seed))
        return self._kept

    def _keep_exact(self, kept: _Kept, answer: Done) -> None:
        if answer.job.kernel.is_reference and answer.c is not None:
            kept.exact = Exact(answer.job.kernel.id, answer.c)


class _Story:
    """Tells how a request goes on, job by job."""

    def __init__(self, work: Work, event_sender: EventSender, is_cancelled: Callable[[int], bool]) -> None:
        self._event_sender = event_sender
        # The settings of a sweep are measured together, and it says itself which part of all is done.
        jobs = len(work.jobs) if isinstance(work, RunRequest) else 1
        self._now = Progressed(work.id, 0, jobs, "", "", 0.0)
        self.watch = Watch(self._say, self._advance, lambda: is_cancelled(work.id))

    def prepare(self, words: str) -> None:
        """Something is done for all jobs."""
        self._say(words)

    def begin(self, position: int, job: Job) -> None:
        """A job begins."""
        self._tell(
            replace(self._now, job=position, kernel=job.kernel.id, words=f"{job.kernel.id}: starting", fraction=0.0)
        )

    def _say(self, words: str) -> None:
        raise_if_cancelled(self.watch.should_cancel)
        self._tell(replace(self._now, words=words))

    def _advance(self, fraction: float) -> None:
        self._tell(replace(self._now, fraction=fraction))

    def _tell(self, progress: Progressed) -> None:
        self._now = progress
        self._event_sender.tell(progress)


def _device_wanted(jobs: tuple[Job, ...], conditions: Conditions) -> str:
    """The device asked for, as far as a job needs it: CPU kernels run on the host whatever is chosen."""
    return conditions.device if any(not job.kernel.runs_on_host for job in jobs) else ""
