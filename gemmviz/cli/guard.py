"""A person's own kernel runs in a process of its own: it may crash, hang or corrupt the process it runs in."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from gemmviz.catalogue.kernel import Kernel
from gemmviz.cli.request import Request
from gemmviz.domain.result import RunError, RunResult
from gemmviz.domain.session import SessionError, load_session
from gemmviz.domain.spec import Params
from gemmviz.measure.bench import Exact

INSIDE = "GEMMVIZ_GUARDED"
EXACT = "GEMMVIZ_EXACT"
"""In a guarded process: the file with the result that exact comparisons compare with, and that kernel's name."""

_ALLOWANCE_S = 60.0
"""For starting, compiling and trying methods out, besides what the time limit and the budget allow."""


def needs_guard(kernel: Kernel, catalogue_folder: Path) -> bool:
    """Whether a kernel is not one of gemmviz' own; never inside a guarded process."""
    return INSIDE not in os.environ and not kernel.path.is_relative_to(catalogue_folder)


def run_guarded(
    request: Request, kernel: Kernel, params: Params, device: str | None, exact: Exact | None
) -> tuple[RunResult | None, RunError | None, int]:
    """Run one kernel in a process of its own: its result or its error, and the exit code it stands for."""
    shape = request.shape
    with tempfile.TemporaryDirectory(prefix="gemmviz-") as folder:
        saved, compared = Path(folder) / "run.gemmviz", Path(folder) / "exact.npy"
        environment = {**os.environ, INSIDE: "1"}
        if exact is not None:
            np.save(compared, exact.c)
            environment[EXACT] = f"{exact.name}={compared}"
        words = [
            sys.executable, "-m", "gemmviz", "run", "--kernel-file", str(kernel.path), "--size", str(shape),
            "--fill", request.fill, "--seed", str(request.seed), "--mode", request.mode,
            "--budget", repr(request.budget_s), "--time-limit", repr(request.time_limit_s), "--out", str(saved),
            *(word for name, value in params for word in ("--param", f"{name}={value}")),
            *(("--device", device) if device is not None else ()),
        ]  # fmt: skip
        limit_s = _ALLOWANCE_S + 4 * request.time_limit_s + 3 * request.budget_s
        code, said = _run(words, environment, limit_s)
        if code is None:
            return None, _error(kernel, f"did not end within {limit_s:g} s in all and was stopped"), 1
        if code < 0:
            reason = (
                f"the process that ran the kernel was ended by {_signal_name(-code)}: "
                "most likely the kernel reads or writes outside its arrays; `gemmviz trace` names the line"
            )
            return None, _error(kernel, reason), 1
        try:
            session = load_session(saved)
        except SessionError:
            return None, _error(kernel, said or f"its process ended with exit code {code}"), code or 1
        if session.errors:
            return None, _error(kernel, session.errors[0].reason), code
        run = session.runs[0]
        return replace(run, spec=replace(run.spec, kernel=kernel.id)), None, 0


def _run(words: list[str], environment: dict[str, str], limit_s: float) -> tuple[int | None, str]:
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


def _error(kernel: Kernel, reason: str) -> RunError:
    return RunError(kernel.id, reason)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def exact_given() -> Exact | None:
    """In a guarded process: what the run is to be compared with."""
    name, equals, path = os.environ.get(EXACT, "").partition("=")
    return Exact(name, np.load(path, allow_pickle=False)) if equals else None
