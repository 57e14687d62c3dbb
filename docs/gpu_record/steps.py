"""Commands one after the other, each with a time limit and a log of its own; what fails holds up nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_ABSENT = (
    "No such command",
    "nothing was counted: ncu (Nsight Compute) is not found",
    "is not found: left out",
    "nothing was measured: No module named",
    "No module named pytest",
)
"""What a program says that is not there; the step is then left out, not failed."""
_MOST_SAID = 100
"""Characters of the last line of a log that stand in the summary."""
_REST_S = 10.0
"""How long a process may take to end once it is told to."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command; `limit_s` is the longest it may take."""

    name: str
    command: tuple[str, ...]
    limit_s: float


@dataclass(frozen=True, slots=True)
class Ended:
    """How a step ended: "ok", "failed (1)", "stopped after 60 s", "absent", "no time left"."""

    step: Step
    words: str
    seconds: float
    log: Path

    @property
    def is_good(self) -> bool:
        return self.words in ("ok", "absent")


def run_steps(
    steps: Sequence[Step],
    folder: Path,
    environment: Mapping[str, str],
    limit_s: float,
    after: Callable[[], None] = lambda: None,
) -> list[Ended]:
    """Run them in order, in `environment`, their words to FOLDER/NAME.log; all together within `limit_s`. `after` is
    called behind each.
    """
    begin, ended = time.monotonic(), []
    for number, step in enumerate(steps, 1):
        left_s = limit_s - (time.monotonic() - begin)
        log = folder / f"{number:02}-{step.name}.log"
        print(f"{step.name} …", file=sys.stderr, flush=True)
        one = Ended(step, "no time left", 0.0, log) if left_s < 1 else _run(step, log, environment, left_s)
        ended.append(one)
        print(f"{step.name}: {one.words}, {one.seconds:.0f} s", file=sys.stderr, flush=True)
        after()
    return ended


def _run(step: Step, log: Path, environment: Mapping[str, str], left_s: float) -> Ended:
    limit_s, begin = min(step.limit_s, left_s), time.monotonic()
    try:
        with log.open("wb") as file:
            file.write(f"$ {' '.join(step.command)}\n".encode())
            file.flush()
            process = subprocess.Popen(
                step.command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=dict(environment),
                start_new_session=True,
            )
            try:
                words = _words(process.wait(limit_s), log)
            except subprocess.TimeoutExpired:
                _stop(process)
                words = f"stopped after {limit_s:.0f} s"
    except OSError as error:
        words = f"not started: {step.command[0]}: {error.strerror}"
    return Ended(step, words, time.monotonic() - begin, log)


def _words(code: int, log: Path) -> str:
    if code == 0:
        return "ok"
    said = log.read_text(encoding="utf-8", errors="replace")
    if any(words in said for words in _ABSENT):
        return "absent"
    last = next((line.strip() for line in reversed(said.splitlines()[1:]) if line.strip()), "")
    return f"failed ({code}): {last[:_MOST_SAID]}" if last else f"failed ({code})"


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a step with everything it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_REST_S)
            return


def summary_rows(ended: Sequence[Ended]) -> list[tuple[str, ...]]:
    """A row for each step: name, how it ended, seconds, log."""
    return [(one.step.name, one.words, f"{one.seconds:.0f}", one.log.name) for one in ended]
