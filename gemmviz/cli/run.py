"""`gemmviz run`: one experiment from request to report."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from gemmviz import __version__
from gemmviz.backends.base import BackendError, KernelTimeoutError
from gemmviz.backends.registry import (
    NoDeviceError,
    backend_of,
    devices_for,
    find_device,
    how_to_get_a_device,
)
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.cli.document import run_document
from gemmviz.cli.faults import BAD_INPUT, FAILED, BadInputError, complain, leave_at_once
from gemmviz.cli.guard import exact_given, needs_guard, run_guarded
from gemmviz.cli.output import kernels_kept_quiet
from gemmviz.cli.progress import Progress
from gemmviz.cli.report import SMALL, print_report
from gemmviz.cli.request import Request
from gemmviz.domain.device import Device
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.result import RunError, RunResult
from gemmviz.domain.session import Session, SessionError, save_session
from gemmviz.domain.spec import Params
from gemmviz.domain.tables import format_params
from gemmviz.domain.terms import Language
from gemmviz.measure.bench import Bench, Exact, Inputs, Matrix, Patience, Watch, make_inputs
from gemmviz.measure.sampling import MeasurementError
from gemmviz.measure.stopping import StoppingRule
from gemmviz.resources import resource_folder


@dataclass(slots=True)
class _Outcome:
    runs: list[RunResult]
    errors: list[RunError]
    results: list[tuple[str, Matrix]]
    code: int = 0
    floor_ms: float | None = None
    stuck: bool = False

    def take(self, kernel: Kernel, result: RunResult) -> None:
        """Keep a run; one with a wrong result is told at once."""
        self.runs.append(result)
        if not result.accuracy.passed:
            complain(f"{kernel.id}: its result is wrong; see the accuracy figures")
            self.code = max(self.code, FAILED)

    def fail(self, kernel: Kernel, reason: str, code: int) -> None:
        self.errors.append(RunError(kernel.id, reason))
        self.code = max(self.code, code) if code != BAD_INPUT or self.code == 0 else self.code


def run_and_print(request: Request, as_json: bool) -> int:
    """Run, save if asked to, print; the exit code.

    Raises:
        BadInputError: no such device, or inputs that do not fit into memory.
    """
    jobs = _in_running_order(request)
    devices = _devices(request, [kernel for kernel, _ in jobs])
    with Progress(len(jobs)) as progress:
        progress.say(f"making A and B, {request.shape}")
        try:
            inputs = make_inputs(request.shape, request.fill, request.seed)
        except MemoryRefusal as error:
            raise BadInputError(f"--size {request.shape}: {error}") from error
        with kernels_kept_quiet():
            outcome = _run_all(request, jobs, devices, inputs, progress)
    order = {kernel.id: position for position, (kernel, _) in enumerate(request.jobs)}
    outcome.runs.sort(key=lambda run: order[run.spec.kernel])
    outcome.errors.sort(key=lambda failed: order[failed.kernel])
    session = Session(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        program_version=__version__,
        device=_main_device(request, devices),
        init_ms=inputs.init_ms,
        runs=tuple(outcome.runs),
        errors=tuple(outcome.errors),
    )
    if request.out is not None:
        try:
            save_session(session, request.out)
        except SessionError as error:
            complain(f"--out {request.out}: {error}")
            outcome.code = max(outcome.code, FAILED)
    host_kernels = [kernel.id for kernel, _ in jobs if kernel.runs_on_host]
    if as_json:
        document = run_document(session, request.shape, request.fill, request.seed, host_kernels)
        document["floor_ms"] = outcome.floor_ms
        print(json.dumps(document, indent=2, allow_nan=False))
    else:
        print_report(session, request, inputs, outcome.results, host_kernels, outcome.floor_ms)
    for failed in outcome.errors if not request.is_ladder or outcome.code else ():
        complain(f"{failed.kernel}: {failed.reason.removeprefix(failed.kernel + ': ')}")
    if outcome.stuck:
        leave_at_once(outcome.code)
    return outcome.code


def _in_running_order(request: Request) -> list[tuple[Kernel, Params]]:
    """As asked for, but the kernel that exact comparisons compare with goes first."""
    return sorted(request.jobs, key=lambda job: not job[0].is_reference)


def _devices(request: Request, kernels: list[Kernel]) -> dict[Language, Device]:
    """The device for each language in use; a language without one is absent."""
    chosen: dict[Language, Device] = {}
    for language in {kernel.language for kernel in kernels}:
        candidates = devices_for(language)
        if candidates:
            chosen[language] = candidates[0]
    if request.device is None:
        return chosen
    try:
        wanted = find_device(request.device)
    except NoDeviceError as error:
        raise BadInputError(f"--device {error}") from error
    for language in backend_of(wanted).languages:
        chosen[language] = wanted
    runs_nothing = not any(kernel.language in backend_of(wanted).languages for kernel in kernels)
    if runs_nothing:
        words = ", ".join(sorted(str(language) for language in backend_of(wanted).languages))
        raise BadInputError(
            f"--device {request.device}: {wanted.name} by {wanted.backend} runs {words} files, "
            "and no kernel of this run is one"
        )
    return chosen


def _main_device(request: Request, devices: dict[Language, Device]) -> Device:
    """The device the experiment is about: where the GPU kernels ran, or the host if there were none."""
    languages = [kernel.language for kernel, _ in request.jobs]
    first = next((language for language in languages if language is not Language.PYTHON and language in devices), None)
    return devices[first] if first is not None else devices_for(Language.PYTHON)[0]


def _take_guarded(outcome: _Outcome, kernel: Kernel, answer: tuple[RunResult | None, RunError | None, int]) -> None:
    result, error, code = answer
    if result is not None:
        outcome.take(kernel, result)
    if error is not None:
        outcome.fail(kernel, error.reason, code)


def _floor_ms(bench: Bench, device: Device, request: Request) -> float | None:
    try:
        return bench.floor_ms(device, request.time_limit_s)
    except BackendError:
        return None


def _run_all(
    request: Request,
    jobs: list[tuple[Kernel, Params]],
    devices: dict[Language, Device],
    inputs: Inputs,
    progress: Progress,
) -> _Outcome:
    outcome = _Outcome([], [], [])
    exact = exact_given()
    own_folder = resource_folder("kernels")
    patience = Patience(StoppingRule(limit_seconds=request.budget_s), request.time_limit_s)
    watch = Watch(progress.say, progress.advance)
    with Bench() as bench:
        for kernel, params in jobs:
            progress.next()
            device = devices.get(kernel.language)
            if outcome.stuck:
                outcome.fail(kernel, "not run: the device is still busy with the kernel that did not end", FAILED)
                continue
            if device is None:
                outcome.fail(kernel, how_to_get_a_device(), FAILED)
                continue
            if needs_guard(kernel, own_folder):
                progress.say(f"{kernel.id}: running in a process of its own")
                _take_guarded(outcome, kernel, run_guarded(request, kernel, params, request.device, exact))
                continue
            try:
                result, c = bench.run(kernel, params, device, inputs, request.mode, patience, watch, exact)
            except (Refusal, MemoryRefusal) as error:
                outcome.fail(kernel, str(error), 0 if request.is_ladder else BAD_INPUT)
                continue
            except KernelTimeoutError as error:
                outcome.fail(kernel, str(error), FAILED)
                outcome.stuck = True  # the device is still busy: nothing more can run, nor be waited for
                bench.abandon()
                continue
            except (BackendError, MeasurementError) as error:
                outcome.fail(kernel, str(error), FAILED)
                continue
            outcome.take(kernel, result)
            if c.size <= SMALL * SMALL:
                outcome.results.append((f"{kernel.id} {format_params(params)}".rstrip(), c))
            if kernel.is_reference:
                exact = Exact(kernel.id, c)
            if not kernel.runs_on_host and outcome.floor_ms is None:
                outcome.floor_ms = _floor_ms(bench, device, request)
    return outcome
