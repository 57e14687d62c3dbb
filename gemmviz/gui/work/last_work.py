"""What was asked of the engine last and how it stands, as a value. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from gemmviz.engine.active_request import jobs_of
from gemmviz.engine.messages import (
    Finished,
    MachineCodeRequest,
    RecordDone,
    RecordRequest,
    RoofsRequest,
    RunDone,
    RunFailed,
    ScheduleRequest,
    SweepRequest,
    Work,
    WorkerLost,
)


class Asked(StrEnum):
    """What is asked of the engine, by the button that asks it."""

    RUN = "Run"
    SWEEP = "Sweep"
    RECORDING = "Record"
    SCHEDULE = "Record schedule"
    ROOFS = "Measure roofs"
    MACHINE_CODE = "Show machine code"
    OPENING = "Open"
    """Of no engine: a file is being read."""


WHAT_MAKES_RUNS = frozenset({Asked.RUN, Asked.SWEEP})


class WorkStage(StrEnum):
    """How far it is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    CHANGED = "changed"
    """It failed, and the kernel's file has been read again since."""


@dataclass(frozen=True, slots=True)
class LastWork:
    """The request of that `id`: `kernels` are the ids of what was asked for, each once, `size` as M×N×K.

    `reason` is why the last of what failed did, "" while nothing has. `recordings` are still to come, `results` are
    the runs or recordings that are there.
    """

    id: int
    asked: Asked
    kernels: tuple[str, ...]
    size: str
    stage: WorkStage = WorkStage.RUNNING
    reason: str = ""
    recordings: int = 0
    results: int = 0

    @property
    def is_running(self) -> bool:
        return self.stage is WorkStage.RUNNING

    @property
    def begins_runs(self) -> bool:
        """Whether runs are under way of which none has ended yet."""
        return self.is_running and not self.results and self.asked in WHAT_MAKES_RUNS


def begun(work: Work) -> LastWork:
    """A request that has just been handed over."""
    size = work.conditions.shape.words
    if isinstance(work, RecordRequest):
        return LastWork(work.id, Asked.RECORDING, (work.job.kernel.id,), size, recordings=max(len(work.forms), 1))
    if isinstance(work, ScheduleRequest):
        return LastWork(work.id, Asked.SCHEDULE, (work.job.kernel.id,), size)
    if isinstance(work, MachineCodeRequest):
        return LastWork(work.id, Asked.MACHINE_CODE, (work.job.kernel.id,), size)
    if isinstance(work, RoofsRequest):
        return LastWork(work.id, Asked.ROOFS, (), "")
    asked = Asked.SWEEP if isinstance(work, SweepRequest) else Asked.RUN
    return LastWork(work.id, asked, tuple(dict.fromkeys(job.kernel.id for job in jobs_of(work))), size)


def after_change(last: LastWork, kernel_id: str) -> LastWork:
    """The same once a kernel's file was read again; only what failed for that kernel alone is another thing then."""
    if last.stage is WorkStage.FAILED and last.kernels == (kernel_id,):
        return replace(last, stage=WorkStage.CHANGED)
    return last


def opening(name: str) -> LastWork:
    """A file of that name is being read."""
    return LastWork(0, Asked.OPENING, (), name)


def after(last: LastWork, event: object) -> LastWork:
    """The same once an event was heard, which may be of another request. With its last recording a request is done."""
    match event:
        case RunDone() | RecordDone() | RunFailed() | Finished() | WorkerLost() if event.id != last.id:
            return last
        case RunDone():
            return replace(last, results=last.results + 1)
        case RecordDone():
            stage = last.stage if last.recordings > 1 else WorkStage.DONE
            return replace(last, recordings=last.recordings - 1, results=last.results + 1, stage=stage)
        case RunFailed(error=error):
            return replace(last, reason=error.reason.partition("\n")[0])
        case Finished(cancelled=True) if last.is_running:
            return replace(last, stage=WorkStage.CANCELLED)
        case Finished(reason=reason):
            why = reason or last.reason
            return replace(last, stage=WorkStage.FAILED if why else WorkStage.DONE, reason=why)
        case WorkerLost(words=words):
            return replace(last, stage=WorkStage.FAILED, reason=words)
    return last
