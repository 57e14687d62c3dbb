"""Which way of running many threads on a CPU is fastest for one kernel and block: measured once, remembered.

PoCL reads POCL_WORK_GROUP_METHOD whenever it compiles a kernel for a block size, which is at a launch.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from gemmviz.domain.files.atomic import write_atomically
from gemmviz.domain.files.bounded_read import read_text

METHOD_VARIABLE = "POCL_WORK_GROUP_METHOD"
DEFAULT = "default"
THREAD_LOOPS = "thread loops"
_FAMILY = {"loopvec": "loops", "workitemloops": "loops", "cbs": "loops"}

_MOST_BYTES = 4096
"""Of a file with one choice."""

REPLICATION_THREADS = 32
"""Largest block for which `workitemrepl` is tried: it copies the body once per thread, and its compile time
grows faster than the block (27 s for 256 threads)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to run a kernel: PoCL's method, and whether the source has its threads as loops."""

    name: str
    text: str
    threads_are_loops: bool = False

    @property
    def pocl_method(self) -> str:
        return "loopvec" if self.threads_are_loops else self.name


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """The shortest time of a trial and the bytes it computed."""

    ms: float
    result: bytes


@contextmanager
def pocl_method(name: str | None) -> Iterator[None]:
    """Let PoCL compile by method `name` inside the block; None leaves the environment as it is."""
    before = os.environ.get(METHOD_VARIABLE)
    if name == DEFAULT:
        os.environ.pop(METHOD_VARIABLE, None)
    elif name is not None:
        os.environ[METHOD_VARIABLE] = name
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(METHOD_VARIABLE, None)
        else:
            os.environ[METHOD_VARIABLE] = before


@contextmanager
def compiler_kept_quiet() -> Iterator[None]:
    """Keep what PoCL's compiler writes to standard error ("1 error generated.") from the person; the log has it."""
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def candidates(work_items: str, thread_loops: str | None, threads: int) -> list[Candidate]:
    """What is worth trying for a block of `threads` threads, the likely winner first.

    A method that the user set in the environment is the only candidate.
    """
    chosen = os.environ.get(METHOD_VARIABLE)
    if chosen == THREAD_LOOPS and thread_loops is not None:
        return [Candidate(THREAD_LOOPS, thread_loops, True)]
    if chosen:
        return [Candidate(chosen, work_items)]
    found = [Candidate(THREAD_LOOPS, thread_loops, True)] if thread_loops is not None else []
    found += [Candidate(name, work_items) for name in ("loopvec", "workitemloops")]
    if threads <= REPLICATION_THREADS:
        found.append(Candidate("workitemrepl", work_items))
    return found


def choose(options: list[Candidate], run: Callable[[Candidate], TrialOutcome]) -> Candidate:
    """The fastest option by trial, among those that agree bit for bit with most of the others.

    PoCL's two loop methods share their transformation, and its faults, so they have one voice together.
    """
    if len(options) == 1:
        return options[0]
    tried = [(option, run(option)) for option in options]
    ended = [(option, outcome) for option, outcome in tried if outcome.ms < float("inf")] or tried
    voices = dict.fromkeys((_FAMILY.get(option.name, option.name), outcome.result) for option, outcome in ended)
    results = [result for _, result in voices]
    agreed = max(results, key=results.count)  # of equally many the first, so that the choice is always the same
    return min((pair for pair in ended if pair[1].result == agreed), key=lambda pair: pair[1].ms)[0]


def key_of(*parts: str) -> str:
    """A name for everything a choice depends on."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


class MethodChoices:
    """Choices remembered in a folder, a small file each; without a writable folder nothing is remembered."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def recall(self, key: str) -> str | None:
        try:
            method = json.loads(read_text(self._folder / f"{key}.json", _MOST_BYTES))["method"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return method if isinstance(method, str) else None

    def remember(self, key: str, method: str) -> None:
        words = json.dumps({"method": method}).encode()
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self._folder / f"{key}.json", lambda file: file.write(words), sync=False)
