"""A person's own kernel runs in a process of its own: it may crash, hang or corrupt the process it runs in."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import gemmviz
from gemmviz.backends.compile_limit import compile_limit_s
from gemmviz.backends.registry import all_devices
from gemmviz.catalogue.kernel import Kernel
from gemmviz.cli.faults import BAD_INPUT
from gemmviz.cli.guarded.request import AnswerFiles, GuardedCommand, GuardedRequest, to_bytes
from gemmviz.cli.run.request import CheckedRun, CompileRequest, TraceRequest
from gemmviz.compiler.code_cache import Made
from gemmviz.domain.device import Device
from gemmviz.domain.files.leftovers import temporary_folder
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.memory import memory_needed
from gemmviz.domain.processes.child_process import child_process
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunError, RunResult, Session
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.session.session import SessionError, load_session
from gemmviz.domain.spec import Params
from gemmviz.engine.sandbox.confinement import may_start_compilers, may_use_gpu
from gemmviz.measure.check.judge import Exact

_ALLOWANCE_S = 60.0
"""For starting and checking, besides what the time limit and the budget allow."""
_COMPILES, _LAUNCHES, _SERIES = 12, 8, 3
"""How often the limits of one compile, one launch and one series of samples may pass before a process is given up that
should have ended by itself."""

_OUTSIDE = "most likely the kernel reads or writes outside its arrays; `gemmviz trace` names the line"
_CRASHES = {
    GuardedCommand.RUN: _OUTSIDE,
    GuardedCommand.TRACE: "most likely memory ran out: choose a smaller size, or record one block (--block)",
    GuardedCommand.SCHEDULE: _OUTSIDE,
    GuardedCommand.COMPILE: "most likely the compiler ran out of memory",
    GuardedCommand.EXAMINE: "most likely memory ran out: choose a smaller size",
}
"""What a fault of memory most likely comes from."""

_MEMORY_FAULTS = ("SIGSEGV", "SIGBUS", "SIGABRT")


class GuardedError(Exception):
    """Nothing came of a guarded process; the message says why. `is_bad_input`: what it was told cannot be done;
    `is_crash`: it was ended by a signal or did not end.
    """

    def __init__(self, reason: str, code: int = 1, *, is_crash: bool = False) -> None:
        super().__init__(reason)
        self.is_bad_input = code == BAD_INPUT
        self.is_crash = is_crash


@dataclass(frozen=True, slots=True, eq=False)
class Guarded:
    """What a guarded `gemmviz run` found out."""

    runs: tuple[RunResult, ...]
    errors: tuple[RunError, ...]
    is_bad_input: bool


def run_guarded(request: CheckedRun, kernel: Kernel, choices: Sequence[Params], exact: Exact | None) -> Guarded:
    """Run one kernel in a process of its own, with each of the parameters in `choices`.

    Raises:
        GuardedError: nothing came of it.
    """
    asked = _asked(GuardedCommand.RUN, request, kernel, choices)
    session, code = start_guarded(asked, exact)
    runs = tuple(replace(run, spec=replace(run.spec, kernel=kernel.id)) for run in session.runs)
    errors = tuple(replace(error, kernel=kernel.id) for error in session.errors)
    return Guarded(runs, errors, code == BAD_INPUT)


def record_guarded(request: TraceRequest, kernel: Kernel, params: Params, device_id: str) -> tuple[TraceRun, ...]:
    """Record a kernel in a process of its own, on the device of that id: one recording for each form asked for.

    Raises:
        GuardedError: it crashed, or cannot be recorded.
    """
    asked = _asked(GuardedCommand.TRACE, replace(request.run, device=device_id), kernel, [params])
    # The report asks for the events of one block, a file for those of all; of a whole grid they may be many.
    keeps_blocks = request.run.out is not None or request.block is not None or request.thread is not None
    session, code = start_guarded(
        replace(
            asked,
            block=request.block,
            keeps_blocks=keeps_blocks,
            keeps_values=request.keeps_values,
            forms=tuple(str(form or "") for form in request.forms),
        )
    )
    if len(session.traces) != len(request.forms):
        raise GuardedError("its process ended without a recording", code or 1)
    return tuple(replace(trace, spec=replace(trace.spec, kernel=kernel.id)) for trace in session.traces)


def schedule_guarded(request: CheckedRun, kernel: Kernel, params: Params) -> BlockSchedule:
    """Record the block schedule of a kernel in a process of its own.

    Raises:
        GuardedError: it crashed, or cannot be recorded.
    """
    session, code = start_guarded(_asked(GuardedCommand.SCHEDULE, request, kernel, [params]))
    if len(session.schedules) != 1:
        raise GuardedError("its process ended without a block schedule", code or 1)
    return replace(session.schedules[0], spec=replace(session.schedules[0].spec, kernel=kernel.id))


def compile_guarded(request: CompileRequest, kernel: Kernel, params: Params) -> Made:
    """Compile a kernel in a process of its own.

    Raises:
        GuardedError: it crashed, or the kernel does not compile.
    """
    asked = _asked(GuardedCommand.COMPILE, request.run, kernel, [params])
    asked = replace(asked, gpu=request.gpu.id, target=request.target, form=str(request.form))
    with _guarded(asked, None) as (answer, code):
        made = answer.code.recall("code")
        if made is None:
            raise _no_answer(answer, code)
        return made


def examine_guarded(
    request: CheckedRun, gpu: Device, kernel: Kernel, params: Params
) -> tuple[KernelVersion, TraceRun | None]:
    """Examine one setting of a kernel in a process of its own, compiled for a GPU that need not be there.

    Raises:
        GuardedError: it crashed, or nothing came of it.
    """
    session, code = start_guarded(replace(_asked(GuardedCommand.EXAMINE, request, kernel, [params]), gpu=gpu.id))
    if len(session.versions) != 1:
        raise GuardedError("its process ended without any figure", code or 1)
    trace = next(iter(session.traces), None)
    trace = replace(trace, spec=replace(trace.spec, kernel=kernel.id)) if trace is not None else None
    return replace(session.versions[0], kernel=kernel.id), trace


def _asked(command: GuardedCommand, request: CheckedRun, kernel: Kernel, choices: Sequence[Params]) -> GuardedRequest:
    return GuardedRequest(
        command=command,
        kernel_file=str(kernel.path.absolute()),
        kernel=kernel.id,
        description=kernel.description,
        places=kernel.places,
        choices=tuple(choices),
        shape=request.shape,
        fill=request.fill,
        seed=request.seed,
        mode=request.mode,
        budget_s=request.budget_s,
        time_limit_s=request.time_limit_s,
        device=request.device or "",
        folder="",
        starts_compilers=command in (GuardedCommand.COMPILE, GuardedCommand.EXAMINE)
        or may_start_compilers(request.device or "", all_devices()),
        uses_gpu=may_use_gpu(request.device or "", all_devices()),
        need_bytes=memory_needed(request.shape).total_bytes,
    )


def start_guarded(asked: GuardedRequest, exact: Exact | None = None) -> tuple[Session, int]:
    """Do what is asked for in a process of its own: the session it handed over, and its exit code.

    Whatever leaves this function ends that process too, and removes its folder.

    Raises:
        GuardedError: it crashed, did not end in time, or handed over nothing.
    """
    with _guarded(asked, exact) as (answer, code):
        try:
            return load_session(answer.session), code
        except SessionError as error:
            raise _no_answer(answer, code) from error


def _no_answer(answer: AnswerFiles, code: int) -> GuardedError:
    last = answer.exit_message()
    return GuardedError(f"its process ended with exit code {code} and left no result{last and f': {last}'}", code or 1)


@contextmanager
def _guarded(asked: GuardedRequest, exact: Exact | None) -> Iterator[tuple[AnswerFiles, int]]:
    """Do what is asked for in a process of its own: its answer, while that is there, and its exit code.

    Raises:
        GuardedError: it crashed, did not end in time, or said why nothing came of it.
    """
    with temporary_folder() as folder:
        asked = replace(asked, folder=str(folder), exact=exact.name if exact is not None else "")
        if exact is not None:
            np.save(asked.answer.exact, exact.c)
        code = _run(asked, _limit_s(asked))
        if code < 0:
            words = _cause(-code, _CRASHES[asked.command])
            raise GuardedError(f"the process that ran the kernel was ended by {words}", is_crash=True)
        reason = asked.answer.reason()
        if reason:
            raise GuardedError(reason, code or 1)
        yield asked.answer, code


def _limit_s(asked: GuardedRequest) -> float | None:
    """How long the process may take in all, besides counting accesses, which takes as long as there are many."""
    if asked.command in (GuardedCommand.TRACE, GuardedCommand.EXAMINE):
        return None
    building_s = _COMPILES * compile_limit_s(asked.time_limit_s)
    once = building_s + _LAUNCHES * asked.time_limit_s + _SERIES * asked.budget_s
    return _ALLOWANCE_S + len(asked.choices) * once


def _run(asked: GuardedRequest, limit_s: float | None) -> int:
    """The exit code of the process."""
    command = [sys.executable, "-P", "-m", "gemmviz.cli.guarded.process"]  # -P: no module of the working directory
    paths = (str(Path(gemmviz.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    with (
        asked.answer.said.open("wb") as said,
        child_process(
            command, stdin=subprocess.PIPE, stderr=said, environment=environment, leftovers=[asked.answer.folder]
        ) as child,
    ):
        try:
            child.communicate(to_bytes(asked), limit_s)
        except TimeoutError as error:
            raise GuardedError(f"did not end within {limit_s:g} s in all and was stopped", is_crash=True) from error
        return child.wait()


def _cause(number: int, crash: str) -> str:
    """A signal, and what it most likely comes from."""
    name = _signal_name(number)
    if name in _MEMORY_FAULTS:
        return f"{name}: {crash}"
    likely = {"SIGFPE": "an integer was divided by zero", "SIGKILL": "the system ran out of memory"}
    return f"{name}: most likely {likely[name]}" if name in likely else name


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
