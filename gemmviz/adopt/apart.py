"""Looks at a kernel file in a process of its own, which is confined: what it runs is somebody else's code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import gemmviz
from gemmviz.adopt.finding import Findings, Progress, Step
from gemmviz.adopt.process import ANSWER, PROGRESS, REASON
from gemmviz.catalogue.loader import KERNEL_SUFFIXES
from gemmviz.domain.bounded_read import ReadError, read_bytes
from gemmviz.domain.child_process import child_process
from gemmviz.domain.leftovers import temporary_folder
from gemmviz.domain.session_codec import CodecError, decode

BUDGET_S = 120.0
"""How long a kernel is looked at where nobody says otherwise."""
_ALLOWANCE_S = 120.0
"""For starting, reading, and what is under way when a budget has ended."""
_MOST_KERNELS = 64
_MOST_ANSWER, _MOST_WORDS = 1 << 22, 4000
_LOOK_EVERY_S = 0.1

_SAID = "said.txt"
"""What the process writes to standard error."""


class AdoptError(Exception):
    """A file could not be looked at; the message says why and what to do."""


def look_apart(path: Path, entry: str = "", budget_s: float = BUDGET_S, progress: Progress | None = None) -> Findings:
    """What is found out about a file's kernels, or the one called `entry`; `budget_s` for each.

    What `progress` raises ends the process and is raised again.

    Raises:
        AdoptError: another kind of file, one that cannot be read, or a process that crashed or did not end.
    """
    if path.suffix not in KERNEL_SUFFIXES:
        raise AdoptError(f"{path}: a kernel file ends in .cu or .cuh (CUDA C) or .cl (OpenCL C)")
    with temporary_folder() as folder:
        code = _run(path, folder, entry, budget_s, progress)
        reason = _words(folder / REASON)
        if reason:
            raise AdoptError(reason)
        try:
            return decode(json.loads(read_bytes(folder / ANSWER, _MOST_ANSWER)), {}, Findings)
        except (ReadError, CodecError, ValueError) as error:
            how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
            said = read_last_line(folder / _SAID)
            words = f"{path}: the process that ran its kernels {how} and left no result{said and f': {said}'}"
            raise AdoptError(words) from error


def _run(path: Path, folder: Path, entry: str, budget_s: float, progress: Progress | None) -> int:
    command = [sys.executable, "-P", "-m", "gemmviz.adopt.process"]  # -P: no module of the working directory
    paths = (str(Path(gemmviz.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    request = {"file": str(path.absolute()), "folder": str(folder), "entry": entry, "budget_s": budget_s}
    end = time.monotonic() + _ALLOWANCE_S + _MOST_KERNELS * budget_s
    with (
        (folder / _SAID).open("wb") as said,
        child_process(
            command, stdin=subprocess.PIPE, stderr=said, environment=environment, leftovers=[folder]
        ) as child,
    ):
        with suppress(BrokenPipeError):
            child.stdin.write(json.dumps(request).encode())
            child.stdin.close()
        while True:
            try:
                return child.wait(_LOOK_EVERY_S)
            except TimeoutError as error:
                if time.monotonic() > end:
                    raise AdoptError(f"{path}: looking at it did not end and was stopped") from error
            if progress is not None:
                progress(_step(folder / PROGRESS))


def _step(path: Path) -> Step:
    """What the process is doing; nothing where it has not said it yet."""
    try:
        return decode(json.loads(read_bytes(path, _MOST_WORDS)), {}, Step)
    except (ReadError, CodecError, ValueError):
        return Step()


def read_last_line(path: Path) -> str:
    """The last line of a file that has words in it, "" where it has none."""
    try:
        lines = read_bytes(path, _MOST_ANSWER).decode(errors="replace").splitlines()
    except ReadError:
        return ""
    return next((line.strip()[:_MOST_WORDS] for line in reversed(lines) if line.strip()), "")


def _words(path: Path) -> str:
    try:
        return " ".join(read_bytes(path, _MOST_WORDS).decode(errors="replace").split())
    except ReadError:
        return ""
