"""Does work on a kernel in a confined process of its own, which answers with one JSON document.

The process is told what to do on standard input, and writes an answer, or the reason why there is none, and what it is
busy with to files of a folder. What it wrote is read as data.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import gemmviz
from gemmviz.domain.files.atomic import write_atomically
from gemmviz.domain.files.bounded_read import ReadError, read_bytes
from gemmviz.domain.files.leftovers import temporary_folder
from gemmviz.domain.processes.child_process import child_process
from gemmviz.domain.session.codec import CodecError, decode, encode

_MOST_ANSWER, _MOST_WORDS = 1 << 22, 4000
_LOOK_EVERY_S = 0.1
_SAID = "said.txt"
"""What the process writes to standard error."""

Progress = Callable[[str], None]
T = TypeVar("T")


class ConfinedProcessError(Exception):
    """Nothing came of a process; the message says why."""


@dataclass(frozen=True, slots=True)
class AnswerFolder:
    """The files that a process leaves: what was found, why nothing was, and what is being done."""

    folder: Path

    def answer(self, found: object) -> None:
        """Hand over what was found, a dataclass."""
        tree, _ = encode(found)
        (self.folder / "answer.json").write_text(json.dumps(tree), encoding="utf-8")

    def answer_in_part(self, found: object) -> None:
        """Hand over what was found so far."""
        tree, _ = encode(found)
        with suppress(OSError):
            write_atomically(self._part, lambda file: file.write(json.dumps(tree).encode()), sync=False)

    @property
    def _part(self) -> Path:
        return self.folder / "part.json"

    def part(self, kind: type[T]) -> T | None:
        """What was found so far; None for nothing."""
        try:
            return decode(json.loads(read_bytes(self._part, _MOST_ANSWER)), {}, kind)
        except (ReadError, CodecError, ValueError):
            return None

    def refuse(self, reason: str) -> None:
        """Say why nothing was found."""
        (self.folder / "reason.txt").write_text(reason, encoding="utf-8")

    def say(self, words: str) -> None:
        """Say what is being done; who reads it meanwhile reads what was said before."""
        with suppress(OSError):
            write_atomically(self.folder / "progress.txt", lambda file: file.write(words.encode()), sync=False)

    @property
    def reason(self) -> str:
        return _words(self.folder / "reason.txt")

    @property
    def progress(self) -> str:
        return _words(self.folder / "progress.txt")

    def found(self, kind: type[T]) -> T:
        """What was found.

        Raises:
            ReadError, CodecError, ValueError: nothing was handed over, or something else.
        """
        return decode(json.loads(read_bytes(self.folder / "answer.json", _MOST_ANSWER)), {}, kind)


def run_confined(
    module: str,
    request: Mapping[str, Any],
    kind: type[T],
    limit_s: float,
    progress: Progress | None,
    name: str,
    on_part: Callable[[T], None] | None = None,
) -> T:
    """What a process that runs `module` finds, a dataclass of type `kind`; `request` goes to it with the "folder" to
    answer in. `name` is what messages begin with.

    `progress` hears ten times a second what is being done, "" at first, and `on_part` what was found so far. What they
    raise ends the process and is raised again.

    Raises:
        ApartError: the process said why it found nothing, crashed, or did not end within `limit_s`.
    """
    with temporary_folder() as folder:
        left = AnswerFolder(folder)

        def look() -> None:
            if progress is not None:  # before the first words, too: it may cancel
                progress(left.progress)
            if on_part is not None and (part := left.part(kind)) is not None:
                on_part(part)

        code = _run(module, {**request, "folder": str(folder)}, left, limit_s, look, name)
        if left.reason:
            raise ConfinedProcessError(left.reason)
        try:
            return left.found(kind)
        except (ReadError, CodecError, ValueError) as error:
            how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
            said = _last_line(folder / _SAID)
            words = f"{name}: the process that ran its kernels {how} and left no result{said and f': {said}'}"
            raise ConfinedProcessError(words) from error


def _run(
    module: str,
    request: Mapping[str, Any],
    left: AnswerFolder,
    limit_s: float,
    look: Callable[[], None],
    name: str,
) -> int:
    command = [sys.executable, "-P", "-m", module]  # -P: no module of the working directory
    paths = (str(Path(gemmviz.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    end = time.monotonic() + limit_s
    with (
        (left.folder / _SAID).open("wb") as said,
        child_process(
            command, stdin=subprocess.PIPE, stderr=said, environment=environment, leftovers=[left.folder]
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
                    raise ConfinedProcessError(f"{name}: looking at it did not end and was stopped") from error
            look()


def _last_line(path: Path) -> str:
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
