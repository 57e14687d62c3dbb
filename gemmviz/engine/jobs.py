"""Jobs one after the other on the same inputs: what the command line and the worker have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from gemmviz.backends.base import BackendError, DeviceLostError, EntryError
from gemmviz.backends.registry import backend_of, devices_for, find_device, how_to_get_a_device
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.compiler.source import full_reason
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.runs.result import RunError, RunResult
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.running_order import in_running_order, not_run_words
from gemmviz.measure.bench import Bench, Inputs, Matrix, Patience, Watch
from gemmviz.measure.cancel import raise_if_cancelled
from gemmviz.measure.check.judge import Exact
from gemmviz.measure.sampling import MeasurementError
from gemmviz.measure.stopping import StoppingRule

_STANDS_IN = dict.fromkeys(
    (Language.LIBRARY, Language.PTX, Language.TRITON, Language.NUMBA_CUDA, Language.CUPY), Language.CUDA
)
"""A kernel of a language that no device takes is refused by the device of another, which says what is needed."""

Devices = Mapping[Language, Device]


class JobFault(Enum):
    """Why a job has no result."""

    REFUSED = auto()
    """It cannot run; nothing was launched."""
    FAILED = auto()
    STUCK = auto()
    """It did not end, or it broke the device's context: this process can do nothing more with the device."""


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """A job that ran. `c` is None where it ran in another process."""

    job: Job
    result: RunResult
    c: Matrix | None


@dataclass(frozen=True, slots=True)
class Failed:
    """A job that did not run."""

    job: Job
    error: RunError
    fault: JobFault


Outcome = Done | Failed

Guard = Callable[[Job, Exact | None], Outcome | None]
"""Runs a job in another process; None if it need not."""

Begin = Callable[[int, Job], None]
"""Told that a job begins: its position from 0, in running order."""


def unguarded(job: Job, exact: Exact | None) -> None:
    """The Guard that lets everything run in this process."""
    del job, exact


def choose_devices(kernels: Iterable[Kernel], wanted: str = "") -> dict[Language, Device]:
    """The device for each language in use; a language without one is absent.

    `wanted` is the id of a device, or a part of its name; it takes over all languages that it runs.

    Raises:
        NoDeviceError: there is no such device.
    """
    chosen: dict[Language, Device] = {}
    for language in {kernel.language for kernel in kernels}:
        candidates = devices_for(language) or devices_for(_STANDS_IN.get(language, language))
        if candidates:
            chosen[language] = candidates[0]
    if wanted:
        device = find_device(wanted)
        languages = backend_of(device).languages
        for language in (*languages, *(other for other, one in _STANDS_IN.items() if one in languages)):
            chosen[language] = device
    return chosen


def run_jobs(
    jobs: Sequence[Job],
    bench: Bench,
    devices: Devices,
    inputs: Inputs,
    conditions: Conditions,
    watch: Watch,
    begin: Begin,
    exact: Exact | None = None,
    guard: Guard = unguarded,
) -> Iterator[Outcome]:
    """Run each job and say what came of it, in running order.

    The others are compared element by element with the C of the reference kernel, or with `exact` where there is none.
    After a kernel that did not end, or broke the device's context, nothing more is run where that disturbs: on this
    device, and of one that keeps the processor busy on other devices that it times.

    Raises:
        CancelledError: stopped; a job that has samples already is answered first.
    """
    patience = patience_of(conditions)
    stuck = dict[str, Device]()
    """The kernels that did not end, with the devices that they keep busy."""
    for position, job in enumerate(in_running_order(jobs)):
        raise_if_cancelled(watch.should_cancel)
        begin(position, job)
        device = devices.get(job.kernel.language)
        if before := next((one for one, busy in stuck.items() if device is not None and disturbs(busy, device)), ""):
            yield failed(job, inputs.shape, not_run_words(before), JobFault.FAILED)
            continue
        outcome = _run_job(job, bench, devices, inputs, conditions, patience, watch, exact, guard)
        if isinstance(outcome, Failed) and outcome.fault is JobFault.STUCK:
            if device is not None:
                stuck[job.kernel.id] = device
            bench.abandon()
        if isinstance(outcome, Done) and outcome.c is not None and job.kernel.is_reference:
            exact = Exact(job.kernel.id, outcome.c)
        yield outcome


def disturbs(busy: Device, device: Device) -> bool:
    """Whether nothing can be measured on a device while a kernel that never ends keeps another one busy, or the same:
    devices that are the processor share it. On the PTX machine no times are measured.
    """
    is_of_processor = busy.kind is DeviceKind.CPU and device.kind is DeviceKind.CPU
    return busy.id == device.id or (is_of_processor and not device.is_emulated)


def _run_job(
    job: Job,
    bench: Bench,
    devices: Devices,
    inputs: Inputs,
    conditions: Conditions,
    patience: Patience,
    watch: Watch,
    exact: Exact | None,
    guard: Guard,
) -> Outcome:
    kernel, shape = job.kernel, inputs.shape
    device = devices.get(kernel.language)
    if device is None:
        return failed(job, shape, how_to_get_a_device(), JobFault.FAILED)
    elsewhere = guard(job, exact)
    if elsewhere is not None:
        return elsewhere
    try:
        result, c = bench.run(kernel, job.params, device, inputs, conditions.mode, patience, watch, exact)
    except (Refusal, MemoryRefusal, BackendError, MeasurementError) as error:
        reason = full_reason(error)
        reason = kernel.placed_entry(reason) if isinstance(error, EntryError) else reason
        return failed(job, shape, reason, fault_of(error))
    return Done(job, replace(result, finished=timestamp()), c)


def fault_of(error: Exception | None) -> JobFault:
    """What kind of fault an error is: what was asked for cannot be done, the device is lost, or it was tried and
    failed.
    """
    if isinstance(error, Refusal | MemoryRefusal | EntryError):
        return JobFault.REFUSED
    return JobFault.STUCK if isinstance(error, DeviceLostError) else JobFault.FAILED


def patience_of(conditions: Conditions) -> Patience:
    """How long to measure, and how long one launch may take."""
    return Patience(StoppingRule(limit_seconds=conditions.budget_s), conditions.launch_limit_s)


def failed(job: Job, shape: Shape, reason: str, fault: JobFault) -> Failed:
    """A job that did not run, with everything that is known about it."""
    error = RunError(job.kernel.id, without_name(job.kernel, reason), job.params, str(shape), timestamp())
    return Failed(job, error, fault)


def without_name(kernel: Kernel, reason: str) -> str:
    """A reason as it stands behind the kernel's name, which many begin with."""
    return reason.removeprefix(f"{kernel.id}: ")
