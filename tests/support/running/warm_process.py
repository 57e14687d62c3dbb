"""Processes that begin with what they need already imported, which takes one of the program's own two seconds.

They are forked from a process that has imported that and done nothing else; the environment is the test's. Where
processes cannot be forked they are like any other. How processes start and end is tested on those of the program
(tests/engine, tests/cli/guarded, and what starts the program itself).
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ForkServer
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import IO, Any

import pytest
from unoptimised import is_plain_run

from gemmviz.cli.guarded import guard
from gemmviz.domain.processes.child_process import child_process
from gemmviz.engine import confined_process, worker_start
from gemmviz.engine.process import Main, WorkerProcess, main_module_hidden
from gemmviz.engine.worker import worker_main

CAN_FORK = "forkserver" in multiprocessing.get_all_start_methods()
_CONTEXT = multiprocessing.get_context("forkserver" if CAN_FORK else None)
_STARTING = threading.Lock()


_ORDINARY, _CONFINED = ForkServer(), ForkServer()
_IMPORTED = {
    _ORDINARY: ["warm_imports", "gemmviz.engine.request_handler", "gemmviz.backends.machine.recorder"],
    _CONFINED: ["warm_imports"],
}
"""Confined processes must tell Numba first where to keep what it compiles."""


@contextmanager
def warm_children() -> Iterator[None]:
    """Inside, the processes that run a person's own kernel for a command begin warm; they are confined as ever."""
    with pytest.MonkeyPatch.context() as patch:
        if CAN_FORK:
            patch.setattr(guard, "child_process", warm_child)
            patch.setattr(confined_process, "child_process", warm_child)
        yield


class WarmWorker(WorkerProcess):
    """In place of a WorkerProcess."""

    def __init__(self, main: Main) -> None:
        if not CAN_FORK:
            super().__init__(main)
            return
        self._closing = threading.Lock()
        self._connection, theirs = _CONTEXT.Pipe()
        self._process = _started(_ORDINARY if main is worker_main else _CONFINED, _work, main, theirs)
        theirs.close()


class WarmChild:
    """In place of a ChildProcess that is a Python module."""

    def __init__(self, process: BaseProcess, stdin: IO[bytes]) -> None:
        self.process, self.stdin = process, stdin

    def wait(self, limit_s: float | None = None) -> int:
        self.process.join(limit_s)
        if self.process.exitcode is None:
            raise TimeoutError(f"it did not end within {limit_s:g} s")
        return self.process.exitcode

    def communicate(self, given: bytes, limit_s: float | None) -> tuple[bytes, bytes]:
        self.stdin.write(given)
        self.stdin.close()
        self.wait(limit_s)
        return b"", b""


@contextmanager
def warm_child(
    command: Sequence[str], *, stdin: int, stderr: IO[bytes], environment: Mapping[str, str], leftovers: Sequence[Path]
) -> Iterator[WarmChild | Any]:
    """`python -P -m MODULE`; any other command, or one with another environment, is started like any other."""
    if not CAN_FORK or list(command[:-1]) != [sys.executable, "-P", "-m"]:
        with child_process(command, stdin=stdin, stderr=stderr, environment=environment, leftovers=leftovers) as child:
            yield child
        return
    assert stdin == subprocess.PIPE
    reads, writes = os.pipe()
    process = _started(
        _CONFINED, _run_module, command[-1], _Descriptor(reads), _Descriptor(stderr.fileno()), dict(environment)
    )
    os.close(reads)
    with os.fdopen(writes, "wb") as pipe:
        try:
            yield WarmChild(process, pipe)
        finally:
            process.kill()
            process.join()


class _Descriptor:
    """An open file that a process is handed."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _descriptor, (DupFd(self.number),)


def _descriptor(handed: Any) -> int:
    number: int = handed.detach()
    return number


def _started(server: ForkServer, target: Any, *given: Any) -> BaseProcess:
    """A process forked from that of a server."""
    given = (*given, str(Path.cwd()), dict(os.environ))
    process = _CONTEXT.Process(target=target, args=given, name="gemmviz worker", daemon=True)
    paths = (str(Path(__file__).parent), os.environ.get("PYTHONPATH", ""))
    server.set_forkserver_preload([*_IMPORTED[server], *(["warm_plain_run"] if is_plain_run() else [])])
    with _STARTING, pytest.MonkeyPatch.context() as patch, main_module_hidden():
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        patch.setattr(forkserver, "connect_to_new_process", server.connect_to_new_process)
        process.start()
    return process


def _work(main: Main, connection: Connection, folder: str, environment: Mapping[str, str]) -> None:
    """Do what a worker does. The process that this one is forked from ends with the test, and this one with it."""
    _take_on(folder, environment)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(multiprocessing, "parent_process", lambda: None)
        main(connection)


def _run_module(
    module: str, stdin: int, stderr: int, given: Mapping[str, str], folder: str, environment: Mapping[str, str]
) -> None:
    """Do what `python -P -m MODULE` does, with these streams."""
    _take_on(folder, {**environment, **given})
    worker_start.end_with_parent(os.getppid())
    os.dup2(stdin, 0)
    os.dup2(stderr, 2)
    worker_start.silence_output()
    os.closerange(3, 64)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _take_on(folder: str, environment: Mapping[str, str]) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
