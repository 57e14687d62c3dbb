"""One worker process and the window's end of its pipe."""

from __future__ import annotations

import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import ModuleType

from gemmviz.engine.chunked_transfer import receive
from gemmviz.engine.messages import Event, Request

Main = Callable[[Connection], None]
"""What runs in the process."""

_REAP_S = 0.4
"""How long a process that has closed its pipe may take to end."""


class HungUpError(Exception):
    """Nobody is at the other end of the pipe."""


class WorkerProcess:
    """A started process. Spawned, never forked: a fork would share the window's state and break drivers.

    To be made in a thread that lives as long as the process shall: on Linux the process ends with it.
    """

    def __init__(self, main: Main) -> None:
        context = get_context("spawn")
        self._closing = threading.Lock()
        self._connection, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=main, args=(theirs,), name="gemmviz worker", daemon=True)
        try:
            with _interrupts_kept(), main_module_hidden():
                self._process.start()
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def send(self, request: Request) -> None:
        """Hand over a request; to a process that has ended it goes unheard, as its end is told by `receive`."""
        with suppress(OSError):
            self._connection.send(request)

    def receive(self) -> Event:
        """The next event; waits for it. Its own thread calls this, and `reap` after it.

        Raises:
            HungUpError: the process has ended, or what it sends cannot be read.
        """
        try:
            event: Event = receive(self._connection)
        except Exception as error:  # a kernel that has run wild may send anything
            raise HungUpError(str(error)) from error
        return event

    def kill(self) -> None:
        """End the process and wake the thread that waits in `receive`, whatever either is doing; does not wait."""
        with suppress(OSError):  # it ended by itself
            self._process.kill()
        with self._closing:
            if sys.platform != "win32" and not self._connection.closed:
                pipe = socket.socket(fileno=self._connection.fileno())
                with suppress(OSError):
                    pipe.shutdown(socket.SHUT_RDWR)
                pipe.detach()

    def reap(self) -> int | None:
        """Wait until the process has ended: its exit code, a signal's with a minus; None where it takes too long."""
        self._process.join(_REAP_S)
        if self._process.exitcode is None:  # it closed its pipe and went on
            with suppress(OSError):
                self._process.kill()
            self._process.join(_REAP_S)
        with self._closing:
            self._connection.close()
        return self._process.exitcode


@contextmanager
def main_module_hidden() -> Iterator[None]:
    """A process started inside does not run the program's main module again.

    multiprocessing does that so that functions of the main module are found; none of ours lie there, and a script
    that opens the window without asking for its own name would open it again in the worker.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """A process started inside never hears Ctrl-C in the terminal nor the terminal's end, not even while it starts: the
    window hears both, and its end is the process's own.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    resource_tracker.ensure_running()  # which would let Ctrl-C through again
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
