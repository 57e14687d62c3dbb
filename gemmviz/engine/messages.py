"""What crosses the process boundary: requests to the worker, events from it.

Every request has an `id`; the events that answer it carry the same one. An answer to a request that is no longer the
current one is dropped by the client.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.recordable import FIRST_BLOCK
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.kernel_version import Check, Compilation
from gemmviz.domain.kernels.machine_code import MachineCode
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunError, RunResult
from gemmviz.domain.runs.roof import Roofs
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import CodeForm, Fill, Mode

UNNUMBERED = 0
"""The id of a request that has not been handed over yet."""


@dataclass(frozen=True, slots=True)
class Job:
    """One kernel with its parameters."""

    kernel: Kernel
    params: Params


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the jobs of a request have in common.

    `device` is the id of the device for GPU kernels, "" for the preferred one; CPU kernels always run on the host.
    `budget_s` is the longest time to sample one kernel, `launch_limit_s` the longest time one launch may take.
    `form` is of which form of a kernel the recorded accesses are, None what its device usually records. With `values` a
    recording keeps what the variables of its blocks held.
    """

    shape: Shape
    fill: Fill = Fill.UNIFORM
    seed: int = 0
    mode: Mode = Mode.COLD
    device: str = ""
    budget_s: float = 10.0
    launch_limit_s: float = 60.0
    form: CodeForm | None = None
    values: bool = False


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Time and check every job, one after the other."""

    id: int
    jobs: tuple[Job, ...]
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """Time one kernel with each set of parameters, samples taken in turn; the results carry `number` as `sweep`."""

    id: int
    jobs: tuple[Job, ...]
    conditions: Conditions
    number: int


@dataclass(frozen=True, slots=True)
class RecordRequest:
    """Record a kernel's accesses. `blocks` are x, y, z of single blocks; none means the whole grid. `forms` are
    recorded one after the other on the same device; none means the one of the conditions.
    """

    id: int
    job: Job
    conditions: Conditions
    blocks: tuple[tuple[int, int, int], ...] = ()
    forms: tuple[CodeForm, ...] = ()


@dataclass(frozen=True, slots=True)
class RoofsRequest:
    """Measure the roofs of the device of the conditions; nothing else of them matters but the limits."""

    id: int
    conditions: Conditions
    jobs: tuple[Job, ...] = ()
    """None: no kernel of the catalogue runs."""


@dataclass(frozen=True, slots=True)
class ScheduleRequest:
    """Record which multiprocessor runs which block of one launch, and when."""

    id: int
    job: Job
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class MachineCodeRequest:
    """The machine code of a job's kernel at the size of the conditions for a device, which need not be there.

    `is_of_run`: as the kernel was compiled for a run on that device.
    """

    id: int
    job: Job
    conditions: Conditions
    device: Device
    is_of_run: bool = False


@dataclass(frozen=True, slots=True)
class ExamineRequest:
    """Find out about a kernel file that was saved: what a compiler makes of it for the GPU `device`, what one block
    does, and whether its result is right. The device of the conditions is a PTX machine; `block` is x, y, z. With
    `only_compiles` a compiler's part is all; with `proves` the result has to be right at several sizes.
    """

    id: int
    job: Job
    conditions: Conditions
    device: Device
    block: tuple[int, int, int] = FIRST_BLOCK
    only_compiles: bool = False
    proves: bool = False


@dataclass(frozen=True, slots=True)
class CancelRequest:
    """Stop what the request of that id is doing."""

    id: int


Work = RunRequest | SweepRequest | RecordRequest | RoofsRequest | ScheduleRequest | MachineCodeRequest | ExamineRequest
OneJob = RecordRequest | ScheduleRequest | MachineCodeRequest | ExamineRequest
"""Requests that are about one kernel."""
Request = Work | CancelRequest


@dataclass(frozen=True, slots=True)
class WorkerReady:
    """The worker has started and looked for devices. `advice` says how to get a device where there is none for GPU
    kernels; else it is "".
    """

    process: int
    devices: tuple[Device, ...]
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Progressed:
    """What the worker is doing: the job's position from 0, how many there are, words, the part of the job done.

    Jobs are counted in the order they run in (`running_order.py`). `kernel` is "" while something is done for all of
    them. A sweep's jobs run together: it stays at position 0, and `fraction` is that of the whole sweep.
    """

    id: int
    job: int
    jobs: int
    kernel: str
    words: str
    fraction: float


@dataclass(frozen=True, slots=True)
class RunDone:
    """A job of a RunRequest or SweepRequest ended well; `init_ms` is the time it took to make A and B."""

    id: int
    result: RunResult
    init_ms: float


@dataclass(frozen=True, slots=True)
class RunFailed:
    """A job did not run; the others go on."""

    id: int
    error: RunError


@dataclass(frozen=True, slots=True)
class RecordDone:
    """A recording that a RecordRequest asked for; there is one for each form."""

    id: int
    trace: TraceRun


@dataclass(frozen=True, slots=True)
class RoofsDone:
    """What a RoofsRequest asked for."""

    id: int
    roofs: Roofs


@dataclass(frozen=True, slots=True)
class ScheduleDone:
    """The schedule a ScheduleRequest asked for."""

    id: int
    schedule: BlockSchedule


@dataclass(frozen=True, slots=True)
class MachineCodeDone:
    """What a MachineCodeRequest asked for."""

    id: int
    code: MachineCode


@dataclass(frozen=True, slots=True)
class CompileDone:
    """The first answer to an ExamineRequest: the kernel compiles. A RecordDone and a CheckDone follow."""

    id: int
    compilation: Compilation


@dataclass(frozen=True, slots=True)
class CheckDone:
    """Whether the result of a kernel that is examined is right."""

    id: int
    check: Check


@dataclass(frozen=True, slots=True)
class StageFailed:
    """Something could not be found out about a kernel that is examined: one sentence. `is_out_of_time`: its time limit
    ended it.
    """

    id: int
    reason: str
    is_out_of_time: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """A request is through. `reason` is "" unless it failed as a whole; `cancelled` if the user stopped it.

    What was found out before a cancel has been told: a run that was stopped amid its samples comes as RunDone.
    """

    id: int
    reason: str = ""
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class WorkerStopped:
    """A kernel of the user's tried what it may not, and its worker is ended; `words` follow the kernel's name and a
    colon. For the client alone, which makes a WorkerLost of it.
    """

    words: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Something a person should know that belongs to no request: one sentence."""

    words: str


@dataclass(frozen=True, slots=True)
class WorkerLost:
    """The worker process ended without being asked to (made by the client).

    `id` is the request it was working on, 0 if none; that request ends with this event, no Finished follows.
    `exit_code` is as `Process.exitcode` has it, None if unknown; `running` the kernel and its parameters, "" if none;
    `words` one sentence for the person; `restarts` is False when it is not started again until something is asked for.
    """

    id: int
    exit_code: int | None
    running: str
    words: str
    restarts: bool = True


Answer = (
    RunDone
    | RunFailed
    | RecordDone
    | RoofsDone
    | ScheduleDone
    | MachineCodeDone
    | CompileDone
    | CheckDone
    | StageFailed
)
Event = WorkerReady | Noted | Progressed | Answer | Finished | WorkerStopped | WorkerLost
