"""NVIDIA's compiler in processes that are forked with it loaded: one of the program's own takes as long to load it as
to compile.

What a process is given, its limits and what it answers are the program's own. How it starts and ends is tested where
the program starts it (tests/compiler/nvidia). Run as a program, this is the process that the others are forked from:
it reads the id of the process that asks and a folder, and writes the exit code.
"""

from __future__ import annotations

import ctypes
import os
import select
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, NoReturn

from gemmviz.compiler.nvidia import nvrtc, nvrtc_process
from gemmviz.compiler.nvidia.wheels import find_nvrtc
from gemmviz.compiler.source import CompilerMissingError, CompileTimeoutError, compile_limit_words
from gemmviz.engine.worker_start import end_with_parent

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

CAN_FORK = hasattr(os, "fork")


class _Starter:
    """A small process for each that runs tests: to fork the latter takes as long as to load the compiler."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def run(self, folder: Path, limit_s: float) -> tuple[int, str]:
        """Compile what lies in a folder: the exit code, a signal's with a minus, and nothing more that it said."""
        with self._turn:
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "warm_compiler"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                    start_new_session=True,
                )
            asked, answers = self._process.stdin, self._process.stdout
            assert asked is not None
            assert answers is not None
            print(folder, file=asked, flush=True)
            if select.select([answers], [], [], limit_s)[0]:
                return int(answers.readline()), ""
            self._process.kill()
            self._process.communicate()
            self._process = None
            raise CompileTimeoutError(compile_limit_words(limit_s))


_starter = _Starter()


def warm_compilers(patch: pytest.MonkeyPatch) -> None:
    """Have sources compiled in processes that begin with the compiler loaded, where processes can be forked."""
    if CAN_FORK:
        patch.setattr(nvrtc, "_run", _starter.run)


def fork_for_each_source() -> None:
    """Load the compiler, and let those that are forked from this process fork for each source."""
    try:
        ctypes.CDLL(str(find_nvrtc().library))
    except (CompilerMissingError, OSError):
        return
    if CAN_FORK:
        nvrtc._run = _run_forked


def _run_forked(folder: Path | str, limit_s: float) -> tuple[int, str]:
    parent, (ended, ends) = os.getpid(), os.pipe()
    process = os.fork()
    if not process:
        _compile(str(folder), parent)
    os.close(ends)
    is_over = bool(select.select([ended], [], [], limit_s)[0])  # nothing comes: the other end closes with the process
    os.close(ended)
    if not is_over:
        os.kill(process, 9)
    status = os.waitpid(process, 0)[1]
    if not is_over:
        raise CompileTimeoutError(compile_limit_words(limit_s))
    return os.waitstatus_to_exitcode(status), ""


def _compile(folder: str, parent: int) -> NoReturn:
    from pathlib import Path

    code = nvrtc_process.BROKEN
    try:
        end_with_parent(parent)
        os.chdir(folder)
        code = nvrtc_process.main(Path(folder))
    finally:
        os._exit(code)


if __name__ == "__main__":
    fork_for_each_source()
    for line in sys.stdin:
        print(_run_forked(line.rstrip("\n"), 600.0)[0], flush=True)
