"""A person's own kernel runs in a process of its own: it may crash, hang or corrupt the process it runs in."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gemmviz.catalogue.kernel import Kernel
from gemmviz.cli.faults import BAD_INPUT
from gemmviz.cli.request import Request
from gemmviz.domain.bounded_read import open_bounded
from gemmviz.domain.result import RunError, RunResult, Session
from gemmviz.domain.session import SessionError, load_session
from gemmviz.domain.shape import MAX_ELEMENTS
from gemmviz.domain.spec import Params
from gemmviz.measure.bench import Exact

INSIDE = "GEMMVIZ_GUARDED"
EXACT = "GEMMVIZ_EXACT"
"""In a guarded process: the file with the result that exact comparisons compare with, and that kernel's name."""

_ALLOWANCE_S = 60.0
"""For starting, compiling and trying methods out, besides what the time limit and the budget allow."""

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
    """What a guarded `gemmviz run` found out, under the name that the kernel has here."""

    runs: tuple[RunResult, ...]
    errors: tuple[RunError, ...]
    is_bad_input: bool


def needs_guard(kernel: Kernel, catalogue_folder: Path) -> bool:
    """Whether a kernel is not one of gemmviz' own; never inside a guarded process."""
    return INSIDE not in os.environ and not kernel.path.is_relative_to(catalogue_folder)


def run_guarded(request: Request, kernel: Kernel, choices: Sequence[Params], exact: Exact | None) -> Guarded:
    """Run one kernel in a process of its own, with all combinations of what `choices` give to each parameter.

    Raises:
        GuardedError: nothing came of it.
    """
    with tempfile.TemporaryDirectory(prefix="gemmviz-") as folder:
        saved, compared = Path(folder) / "run.gemmviz", Path(folder) / "exact.npy"
        environment = {INSIDE: "1"}
        if exact is not None:
            np.save(compared, exact.c)
            environment[EXACT] = f"{exact.name}={compared}"
        words = [
            "run", *words_for(request, kernel, choices), "--mode", request.mode, "--budget", repr(request.budget_s),
            "--out", str(saved),
        ]  # fmt: skip
        limit_s = _ALLOWANCE_S + len(choices) * (4 * request.time_limit_s + 3 * request.budget_s)
        crash = "most likely the kernel reads or writes outside its arrays; `gemmviz trace` names the line"
        session, code = start_guarded(words, environment, saved, limit_s, crash)
    runs = tuple(replace(run, spec=replace(run.spec, kernel=kernel.id)) for run in session.runs)
    errors = tuple(replace(error, kernel=kernel.id) for error in session.errors)
    return Guarded(runs, errors, code == BAD_INPUT)


def words_for(request: Request, kernel: Kernel, choices: Sequence[Params]) -> list[str]:
    """The options that `run` and `trace` share."""
    values: dict[str, dict[int, None]] = {}
    for params in choices:
        for name, value in params:
            values.setdefault(name, {})[value] = None
    return [
        "--kernel-file", str(kernel.path), "--size", str(request.shape), "--fill", request.fill, "--seed",
        str(request.seed), "--time-limit", repr(request.time_limit_s),
        *(word for name, few in values.items() for word in ("--param", f"{name}={','.join(map(str, few))}")),
        *(("--device", request.device) if request.device is not None else ()),
    ]  # fmt: skip


def start_guarded(
    words: Sequence[str], environment: Mapping[str, str], saved: Path, limit_s: float | None, crash: str
) -> tuple[Session, int]:
    """Run the command in a process of its own: the session it saved, and its exit code. Ctrl-C ends it too.

    `crash` is what a fault of memory most likely comes from.

    Raises:
        GuardedError: it crashed, did not end within `limit_s`, or saved nothing.
    """
    code, said = _run([sys.executable, "-m", "gemmviz", *words], {**os.environ, **environment}, limit_s)
    if code is None:
        raise GuardedError(f"did not end within {limit_s:g} s in all and was stopped", is_crash=True)
    if code < 0:
        raise GuardedError(f"the process that ran the kernel was ended by {_cause(-code, crash)}", is_crash=True)
    try:
        return load_session(saved), code
    except SessionError as error:
        reason = said or f"its process ended with exit code {code}"
        raise GuardedError(
            reason.removeprefix(f"--out {saved}: ").replace(str(saved), "what was found"), code or 1
        ) from error


def _run(words: list[str], environment: dict[str, str], limit_s: float | None) -> tuple[int | None, str]:
    """The exit code, None after `limit_s`, and the last complaint; Ctrl-C ends the child too."""
    child = subprocess.Popen(
        words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        errors="replace",
    )  # fmt: skip
    try:
        _, said = child.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return None, ""
    except BaseException:
        child.kill()
        child.wait()
        raise
    complaints = [line for line in said.splitlines() if line.startswith("gemmviz: ")]
    return child.returncode, complaints[-1].removeprefix("gemmviz: ") if complaints else ""


def _cause(number: int, crash: str) -> str:
    """A signal, and what it most likely comes from."""
    name = _signal_name(number)
    if name in _MEMORY_FAULTS:
        return f"{name}: {crash}"
    likely = {"SIGFPE": "a whole number was divided by zero", "SIGKILL": "the system has no more memory"}
    return f"{name}: most likely {likely[name]}" if name in likely else name


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def exact_given() -> Exact | None:
    """In a guarded process: what the run is to be compared with."""
    name, equals, path = os.environ.get(EXACT, "").partition("=")
    if not equals:
        return None
    with open_bounded(Path(path), 5 * MAX_ELEMENTS) as file:
        return Exact(name, np.load(file, allow_pickle=False))
