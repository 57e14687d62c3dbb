"""Real processes in the tests: the command line started, its descendants watched, everything ended with the test."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

PATIENCE_S = 90.0
"""How long what must come is waited for."""


def wait_until(is_so: Callable[[], object], what: str) -> None:
    """Return once something is so; AssertionError with `what` if it does not come."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, f"after {PATIENCE_S:g} s still not: {what}"
        time.sleep(0.02)


class Running:
    """A Python program of the test's, and everything that it starts."""

    def __init__(self, process: subprocess.Popen[str], temporary: Path) -> None:
        self.process, self.temporary = process, temporary
        self._seen: dict[int, psutil.Process] = {}

    def descendants(self) -> list[psutil.Process]:
        """All that it has started and that is not over; they are remembered."""
        with suppress(psutil.NoSuchProcess):
            for child in psutil.Process(self.process.pid).children(recursive=True):
                self._seen.setdefault(child.pid, child)
        return self.left()

    def left(self) -> list[psutil.Process]:
        """What it started and what still lives, whether or not its parent does."""
        return [child for child in self._seen.values() if _lives(child)]

    def busy_s(self) -> float:
        """Processor time of it and of its descendants."""
        found = 0.0
        for process in (psutil.Process(self.process.pid), *self.descendants()):
            with suppress(psutil.Error):
                times = process.cpu_times()
                found += times.user + times.system
        return found

    def signal_and_finish(self, number: int) -> tuple[int, str, str]:
        """Send it a signal, and it alone: exit code, output, complaints."""
        self.descendants()
        os.kill(self.process.pid, number)
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, err


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@contextmanager
def running(*words: str, temporary: Path, **environment: str) -> Iterator[Running]:
    """`python WORDS…` with a folder of its own for temporary files; killed with all it started when the block ends."""
    temporary.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary), **environment},
        start_new_session=True,
    )
    found = Running(process, temporary)
    try:
        yield found
    finally:
        for child in found.descendants():
            with suppress(psutil.Error):
                child.kill()
        if process.poll() is None:
            process.kill()
        process.communicate()
