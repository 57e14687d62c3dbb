"""Several values of a parameter are a sweep: samples of all choices in turn, so that they can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from gemmviz.backends.base import DeviceLostError
from gemmviz.backends.registry import how_to_get_a_device
from gemmviz.catalogue.kernel import Refusal
from gemmviz.cli.guarded.guard import Guarded, GuardedError
from gemmviz.domain.clock import timestamp
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.engine.jobs import (
    Devices,
    Done,
    Failed,
    JobFault,
    Outcome,
    failed,
    fault_of,
    patience_of,
    without_name,
)
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.running_order import not_run_words
from gemmviz.measure.bench import Bench, Inputs, Watch
from gemmviz.measure.check.judge import Exact
from gemmviz.measure.sweep import sweep

OneByOne = Callable[[Sequence[Job]], Iterator[Outcome]]
"""Runs jobs after each other, as if they were no sweep."""

RunApart = Callable[[Sequence[Job], Exact | None], Guarded | None]
"""Runs all jobs in one process of their own; None if they need none. Raises GuardedError."""


@dataclass(frozen=True, slots=True)
class Bed:
    """What all sweeps of a request share."""

    bench: Bench
    devices: Devices
    inputs: Inputs
    conditions: Conditions
    watch: Watch
    one_by_one: OneByOne
    apart: RunApart


def split(jobs: Sequence[Job]) -> tuple[list[Job], list[list[Job]]]:
    """The jobs that stand alone, and the choices of each kernel that has several."""
    kernels = {job.kernel.id: [one for one in jobs if one.kernel.id == job.kernel.id] for job in jobs}
    alone = [job for job in jobs if len(kernels[job.kernel.id]) == 1]
    return alone, [choices for choices in kernels.values() if len(choices) > 1]


def run_sweep(bed: Bed, jobs: Sequence[Job], number: int, exact: Exact | None) -> Iterator[Outcome]:
    """Run the choices of one kernel; what ran carries `number` as its sweep.

    Where they cannot be run in turn, because they do not fit the device together or one of them brings a process of
    its own down, they are run one after the other.
    """
    kernel, shape = jobs[0].kernel, bed.inputs.shape
    try:
        found = bed.apart(jobs, exact)
    except GuardedError as error:
        if error.is_crash:
            yield from bed.one_by_one(jobs)
        else:
            fault = JobFault.REFUSED if error.is_bad_input else JobFault.FAILED
            yield from (failed(job, shape, str(error), fault) for job in jobs)
        return
    if found is not None:
        for job in jobs:
            outcome = guarded_outcome(found, job, shape)
            if isinstance(outcome, Done) and outcome.result.sweep:
                outcome = replace(outcome, result=replace(outcome.result, sweep=number))
            yield outcome
        return
    device = bed.devices.get(kernel.language)
    if device is None:
        yield from (failed(job, shape, how_to_get_a_device(), JobFault.FAILED) for job in jobs)
        return
    waiting: dict[Params, Job] = {}
    for job in jobs:
        try:
            kernel.plan(shape, job.params, device)
            waiting[job.params] = job
        except Refusal as error:
            yield failed(job, shape, str(error), JobFault.REFUSED)
    if len(waiting) < 2:
        yield from bed.one_by_one(list(waiting.values()))
        return
    try:
        for params, result, cause in sweep(
            bed.bench,
            kernel,
            list(waiting),
            device,
            bed.inputs,
            bed.conditions.mode,
            patience_of(bed.conditions),
            bed.watch,
            exact,
        ):
            job = waiting.pop(params)
            if result is None:
                yield failed(job, shape, str(cause), fault_of(cause))
            else:
                yield Done(job, replace(result, sweep=number, finished=timestamp()), None)
    except MemoryRefusal:
        yield from bed.one_by_one(list(waiting.values()))
    except DeviceLostError as error:
        bed.bench.abandon()
        reason = f"not measured: {without_name(kernel, str(error))}"
        yield from (failed(job, shape, reason, JobFault.STUCK) for job in waiting.values())


def not_run(bed: Bed, jobs: Sequence[Job], before: str) -> Iterator[Outcome]:
    """What is left to say after the kernel `before`, which did not end."""
    return (failed(job, bed.inputs.shape, not_run_words(before), JobFault.FAILED) for job in jobs)


def guarded_outcome(found: Guarded, job: Job, shape: Shape) -> Done | Failed:
    """What a process of its own found out about one job."""
    for run in found.runs:
        if run.spec.params == job.params:
            return Done(job, run, None)
    reasons = [error.reason for error in found.errors if error.params == job.params]
    fault = JobFault.REFUSED if found.is_bad_input else JobFault.FAILED
    return failed(job, shape, reasons[0] if reasons else "its process ended without a result", fault)
