"""The request a worker is busy with, as far as the window knows: what is running, and what is left of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gemmviz.catalogue.loader import is_shipped
from gemmviz.domain.device import Device
from gemmviz.domain.memory import memory_needed
from gemmviz.domain.runs.result import RunError
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.spec import Params
from gemmviz.engine.messages import (
    Event,
    ExamineRequest,
    Job,
    MachineCodeRequest,
    OneJob,
    Progressed,
    RecordRequest,
    RoofsRequest,
    RunDone,
    RunFailed,
    RunRequest,
    ScheduleRequest,
    SweepRequest,
    Work,
)
from gemmviz.engine.running_order import in_running_order, not_run_words
from gemmviz.engine.sandbox.confinement import (
    Confinement,
    confinement_of,
    may_start_compilers,
    may_use_gpu,
    sources_of,
)

_LAUNCHES = 4
_SERIES = 3
"""How much longer than its limits a job may take before it is given up: trials, warm-up, transfers, checks."""
_KINDS = {
    RunRequest: "run",
    SweepRequest: "sweep",
    RecordRequest: "recording",
    ScheduleRequest: "block schedule",
    MachineCodeRequest: "machine code",
    ExamineRequest: "examination",
}


class ActiveRequest:
    """One request. Its events are heard in order; `is_begun` once there was one."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.is_begun = False
        self.is_cancelled = False
        self._job: Job | None = None
        self._words = ""
        self._open = list(jobs_of(work))
        self.own_kernels = tuple(job.kernel for job in self._open if not is_shipped(job.kernel))
        """Those that are the user's."""

    def hear(self, event: Event) -> None:
        """Take in an event of this request."""
        self.is_begun = True
        match event:
            case Progressed(kernel=kernel, words=words):
                self._words = words
                self._job = next((job for job in self._open if job.kernel.id == kernel), None)
            case RunDone(result=result):
                self._close(result.spec.kernel, result.spec.params)
            case RunFailed(error=error):
                self._close(error.kernel, error.params)

    @property
    def kernel(self) -> str:
        """The kernel that is running now, "" if none is."""
        return self._job.kernel.id if self._job is not None else ""

    @property
    def running(self) -> str:
        """What is running now: kernel and parameters, or what else is done."""
        if self._job is None:
            return self._words
        if not isinstance(self.work, SweepRequest):
            return f"{self._job.kernel.id} {format_params(self._job.params)}".rstrip()
        choices = ", ".join(format_params(job.params) for job in self._open)
        return f"{self._job.kernel.id} with one of {choices}" if len(self._open) > 1 else f"{self.kernel} {choices}"

    @property
    def name(self) -> str:
        """The request in a few words, for a sentence that says what is under way."""
        if isinstance(self.work, RoofsRequest):
            return "the measurement of roofs"
        job = jobs_of(self.work)[0] if jobs_of(self.work) else None
        kind = _KINDS[type(self.work)]
        return f"the {kind} of {self.kernel or (job.kernel.id if job is not None else 'nothing')}"

    def confinement(self, devices: Sequence[Device], scratch: Path) -> Confinement:
        """The bounds within which its kernels run, which are the user's; `devices` are all there are, `scratch` is a
        folder of its own. Only devices that need a compiler record.
        """
        wanted, shape = self.work.conditions.device, self.work.conditions.shape
        compiles = isinstance(self.work, RecordRequest | MachineCodeRequest | ExamineRequest)
        return confinement_of(
            frozenset(path for own in self.own_kernels for path in sources_of(own.path.absolute(), own.text)),
            memory_needed(shape).total_bytes,
            scratch,
            starts_compilers=compiles or may_start_compilers(wanted, devices),
            uses_gpu=may_use_gpu(wanted, devices),
        )

    def limit_s(self, allowance_s: float) -> float:
        """How long the request may go on without a sign of life."""
        conditions = self.work.conditions
        return allowance_s + _LAUNCHES * conditions.launch_limit_s + _SERIES * conditions.budget_s

    def given_up(self, reason: str, now: str) -> list[RunFailed]:
        """The answers to the jobs that are left when the request is given up because of the job that runs now."""
        if isinstance(self.work, OneJob):
            return []
        left = in_running_order(self._open)
        before = left[0].kernel.id if left else ""
        rest = reason if isinstance(self.work, SweepRequest) else not_run_words(before)
        size = str(self.work.conditions.shape)
        return [
            RunFailed(self.work.id, RunError(job.kernel.id, reason if number == 0 else rest, job.params, size, now))
            for number, job in enumerate(left)
        ]

    def _close(self, kernel: str, params: Params) -> None:
        self._job = None
        answered = (job for job in self._open if (job.kernel.id, job.params) == (kernel, params))
        if (job := next(answered, None)) is not None:
            self._open.remove(job)


def jobs_of(work: Work) -> tuple[Job, ...]:
    """The jobs of a request."""
    return (work.job,) if isinstance(work, OneJob) else work.jobs
