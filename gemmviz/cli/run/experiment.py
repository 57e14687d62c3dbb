"""`gemmviz run`: one experiment from request to report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gemmviz import __version__
from gemmviz.backends.base import BackendError
from gemmviz.backends.registry import backend_of, devices_for, find_device
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import is_shipped
from gemmviz.cli.export.overwriting import save_if_asked
from gemmviz.cli.faults import BAD_INPUT, FAILED, BadInputError, complain, leave_at_once
from gemmviz.cli.guarded.guard import Guarded, GuardedError, run_guarded
from gemmviz.cli.one_job import device_asked_for
from gemmviz.cli.output import kernels_kept_quiet
from gemmviz.cli.progress import RunProgress
from gemmviz.cli.run.document import run_document
from gemmviz.cli.run.report import SMALL, print_report
from gemmviz.cli.run.request import CheckedRun
from gemmviz.cli.run.sweeps import Bed, guarded_outcome, not_run, run_sweep, split
from gemmviz.cli.signals import Signalled
from gemmviz.cli.terminal import print_json
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import Factor
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.runs.doubts import NOT_TIMED
from gemmviz.domain.runs.result import RunError, RunResult
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.session.session import Session
from gemmviz.domain.terms import Language
from gemmviz.engine.jobs import Devices, Done, Failed, JobFault, choose_devices, failed, run_jobs
from gemmviz.engine.messages import Conditions, Job
from gemmviz.measure.bench import Bench, Inputs, Matrix, Watch, make_inputs
from gemmviz.measure.check.judge import Exact

_FAILED_AT_LINE = re.compile(r"(the kernel failed: )line (\d+): ")
_LEFT_MATRICES = re.compile(r"outside every array|(?:past the end of|in front of|before|behind|beyond) ")


@dataclass(slots=True)
class _Outcome:
    runs: list[RunResult]
    errors: list[RunError]
    results: list[tuple[str, Matrix]]
    code: int = 0
    floor_ms: float | None = None
    stuck: str = ""
    """The kernel that did not end, or broke the device."""

    def take(self, kernel: Kernel, result: RunResult) -> None:
        """Keep a run; one with a wrong result is told at once."""
        self.runs.append(result)
        if not result.accuracy.passed:
            words = f"{kernel.id}: the result is wrong. See the accuracy table"
            complain(". ".join((words, *map(_not_given_words, kernel.call.factors_not_given))))
            self.code = max(self.code, FAILED)

    def fail(self, answer: Failed, excused: bool) -> None:
        """Keep an error; a refusal that is `excused` is no fault."""
        self.errors.append(answer.error)
        if answer.fault is JobFault.STUCK:
            self.stuck = self.stuck or answer.job.kernel.id
        if answer.fault is not JobFault.REFUSED:
            self.code = max(self.code, FAILED)
        elif not excused:
            self.code = self.code or BAD_INPUT


def _not_given_words(factor: Factor) -> str:
    return (
        f"The description has {factor}, but 'args' gives it to no parameter: leave {factor} out, unless the kernel has "
        "that number in its code"
    )


@dataclass(frozen=True, slots=True, eq=False)
class RunOutcome:
    """What came of a request. `is_stuck`: a kernel keeps this process busy, which is left by `leave_at_once`."""

    session: Session
    inputs: Inputs
    results: list[tuple[str, Matrix]]
    floor_ms: float | None
    code: int
    is_stuck: bool


def run_and_print(request: CheckedRun, as_json: bool) -> int:
    """Run, save if asked to, print; the exit code.

    Raises:
        BadInputError: no such device, or inputs that do not fit into memory.
    """
    found = run_experiment(request)
    session = found.session
    code = max(found.code, save_if_asked(session, request.out, may_replace=request.force))
    if as_json:
        document = run_document(session, request.shape, request.fill, request.seed)
        document["floor_ms"] = found.floor_ms
        print_json(document)
    else:
        print_report(session, request, found.inputs, found.results, found.floor_ms)
    files = {kernel.id: kernel for kernel, _ in request.jobs if kernel.places}
    for lost in session.errors if not request.is_ladder or code else ():
        complain(f"{lost.kernel}: {with_file(lost.reason, files.get(lost.kernel))}")
    if found.is_stuck:
        leave_at_once(code)
    return code


def with_file(reason: str, own: Kernel | None) -> str:
    """Why a run failed, with the file of a line of a person's own kernel, and with what may be wrong where the kernel
    left its matrices.
    """
    if own is None or not _FAILED_AT_LINE.match(reason):
        return reason
    told = _FAILED_AT_LINE.sub(lambda found: f"{found[1]}{own.shown.name}:{found[2]}: ", reason)
    place = dict(own.places).get("launch.grid", "")
    if not _LEFT_MATRICES.search(reason) or not place:
        return told
    described = place.rpartition(":")[0]
    return f"{told}; where the kernel is right, correct 'args', 'block' or 'grid' of {described}"


def run_experiment(request: CheckedRun, exact: Exact | None = None, *, is_guarded: bool = False) -> RunOutcome:
    """Run every job, a person's own kernels each in a process of its own, unless this is that process (`is_guarded`).

    `exact` is what results are compared with until the reference kernel has run.

    Raises:
        BadInputError: no such device, or inputs that do not fit into memory.
    """
    jobs = [Job(kernel, params) for kernel, params in request.jobs]
    devices = _devices(request, [job.kernel for job in jobs])
    _refuse_emulated_sweeps(jobs, devices)
    with RunProgress(len({job.kernel.id for job in jobs})) as progress:
        progress.say(f"making A and B, {request.shape}")
        try:
            inputs = make_inputs(request.shape, request.fill, request.seed)
        except MemoryRefusal as error:
            raise BadInputError(f"--size {request.shape}: {error}") from error
        outcome = _Outcome([], [], [])
        try:
            with kernels_kept_quiet():
                _run_all(outcome, request, jobs, devices, inputs, progress, exact, is_guarded)
        except Signalled as ended:
            if not is_guarded and outcome.runs:
                session = _session(request, devices, inputs, outcome)
                raise Signalled(ended.number, _keep_what_is_there(session, request)) from ended
            raise
    session = _session(request, devices, inputs, outcome)
    return RunOutcome(session, inputs, outcome.results, outcome.floor_ms, outcome.code, bool(outcome.stuck))


def _session(request: CheckedRun, devices: Devices, inputs: Inputs, outcome: _Outcome) -> Session:
    """What came of the kernels, in the order asked for."""
    order = {kernel.id: position for position, (kernel, _) in enumerate(request.jobs)}
    return Session(
        created=timestamp(),
        program_version=__version__,
        device=_main_device(request, devices),
        init_ms=inputs.init_ms,
        runs=tuple(sorted(outcome.runs, key=lambda run: order[run.spec.kernel])),
        errors=tuple(sorted(outcome.errors, key=lambda error: order[error.kernel])),
    )


def _keep_what_is_there(session: Session, request: CheckedRun) -> str:
    """Save the runs of a command that a signal ends; a sentence on what is left of them."""
    count = f"{len(session.runs)} of {len(request.jobs)} runs"
    if request.out is None:
        return f"{count} were measured but not saved; --out FILE saves them"
    if save_if_asked(session, request.out, may_replace=request.force):
        return f"{count} were measured but could not be saved under that name"
    return f"{count} are saved in {request.out}"


def _devices(request: CheckedRun, kernels: list[Kernel]) -> Devices:
    """The device for each language in use; a language without one is absent."""
    if request.device is None:
        return choose_devices(kernels)
    with device_asked_for(request.device):
        chosen, wanted = choose_devices(kernels, request.device), find_device(request.device)
    runs_nothing = not any(kernel.language in backend_of(wanted).languages for kernel in kernels)
    if runs_nothing:
        words = ", ".join(sorted(str(language) for language in backend_of(wanted).languages))
        raise BadInputError(
            f"--device {request.device}: {wanted.name} (backend {wanted.backend}) runs {words} files only, "
            "and no kernel of this run is one. Choose another device or kernel"
        )
    return chosen


def _refuse_emulated_sweeps(jobs: list[Job], devices: Devices) -> None:
    for choices in split(jobs)[1]:
        device = devices.get(choices[0].kernel.language)
        if device is not None and device.is_emulated:
            raise BadInputError(f"--param: {NOT_TIMED}. Give one value for each parameter, or choose another --device")


def _main_device(request: CheckedRun, devices: Devices) -> Device:
    """The device the experiment is about: where the GPU kernels ran, or the host if there were none."""
    languages = [kernel.language for kernel, _ in request.jobs]
    first = next((language for language in languages if language is not Language.PYTHON and language in devices), None)
    return devices[first] if first is not None else devices_for(Language.PYTHON)[0]


def _floor_ms(bench: Bench, device: Device, request: CheckedRun) -> float | None:
    try:
        return bench.floor_ms(device, request.time_limit_s)
    except BackendError:
        return None


def _run_all(
    outcome: _Outcome,
    request: CheckedRun,
    jobs: list[Job],
    devices: Devices,
    inputs: Inputs,
    progress: RunProgress,
    exact: Exact | None,
    is_guarded: bool,
) -> None:
    """Run the kernels one after the other and put what comes of each into `outcome` at once."""
    conditions = Conditions(
        request.shape,
        request.fill,
        request.seed,
        request.mode,
        request.device or "",
        request.budget_s,
        request.time_limit_s,
    )
    alone, sweeps = split(jobs)
    watch = Watch(progress.say, progress.advance)

    def run_apart(choices: Sequence[Job], exact: Exact | None) -> Guarded | None:
        kernel = choices[0].kernel
        if is_guarded or is_shipped(kernel):
            return None
        progress.say(f"{kernel.id}: running in a process of its own")
        return run_guarded(request, kernel, [job.params for job in choices], exact)

    def guard(job: Job, exact: Exact | None) -> Done | Failed | None:
        try:
            found = run_apart([job], exact)
        except GuardedError as error:
            return failed(job, request.shape, str(error), JobFault.REFUSED if error.is_bad_input else JobFault.FAILED)
        return None if found is None else guarded_outcome(found, job, request.shape)

    def begin(position: int, job: Job) -> None:
        del position, job
        progress.next()

    with Bench() as bench:

        def one_by_one(some: Sequence[Job]) -> Iterator[Done | Failed]:
            return run_jobs(some, bench, devices, inputs, conditions, watch, lambda *_: None, exact, guard)

        def keep(answer: Done | Failed) -> None:
            kernel = answer.job.kernel
            if isinstance(answer, Failed):
                outcome.fail(answer, request.is_ladder and is_shipped(kernel))
                return
            outcome.take(kernel, answer.result)
            if answer.c is not None and answer.c.size <= SMALL * SMALL:
                outcome.results.append((f"{kernel.id} {format_params(answer.job.params)}".rstrip(), answer.c))
            if is_shipped(kernel) and not kernel.runs_on_host and outcome.floor_ms is None:
                device = devices[kernel.language]
                outcome.floor_ms = None if device.is_emulated else _floor_ms(bench, device, request)

        for answer in run_jobs(alone, bench, devices, inputs, conditions, watch, begin, exact, guard):
            keep(answer)
            if isinstance(answer, Done) and answer.c is not None and answer.job.kernel.is_reference:
                exact = Exact(answer.job.kernel.id, answer.c)
        bed = Bed(bench, devices, inputs, conditions, watch, one_by_one, run_apart)
        for number, choices in enumerate(sweeps, 1):
            progress.next()
            for answer in (
                not_run(bed, choices, outcome.stuck) if outcome.stuck else run_sweep(bed, choices, number, exact)
            ):
                keep(answer)
