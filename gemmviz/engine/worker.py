"""The worker process: runs what may crash or hang, and tells the window. Nothing heavy is imported at its head,
because the window imports it to have something to start.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Connection

from gemmviz.engine.messages import CancelRequest, Event, Noted, Request, Work, WorkerReady
from gemmviz.engine.parcels import send

STUCK = 75
"""The worker's exit code after a kernel that did not end: everything is said, and only a new process is of use."""

_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def worker_main(connection: Connection) -> None:
    """Do what comes in through `connection` until it is closed; then end at once, whatever is going on."""
    _live_quietly(connection)
    inbox = Inbox(connection)

    from gemmviz.backends.pocl_cache import take_notes
    from gemmviz.backends.registry import all_devices, devices_for, how_to_get_a_device
    from gemmviz.domain.terms import Language

    advice = "" if devices_for(Language.CUDA) else how_to_get_a_device()
    inbox.answer(WorkerReady(os.getpid(), all_devices(), advice))

    from gemmviz.engine.announcer import Announcer
    from gemmviz.engine.workbench import Workbench

    workbench = Workbench(Announcer(inbox.answer), inbox.is_cancelled)
    while True:
        for words in take_notes():
            inbox.answer(Noted(words))
        if workbench.do(inbox.next()):
            _leave(STUCK)


class Inbox:
    """The worker's end of the pipe. A thread reads, so that a cancel and the end of the window are heard at once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._work: queue.SimpleQueue[Work] = queue.SimpleQueue()
        self._cancelled: set[int] = set()
        threading.Thread(target=self._listen, name="inbox", daemon=True).start()

    def next(self) -> Work:
        """The next request; waits for it."""
        return self._work.get()

    def is_cancelled(self, request_id: int) -> bool:
        return request_id in self._cancelled

    def answer(self, event: Event) -> None:
        """Send an event; ends the process where nobody hears it."""
        try:
            send(self._connection, event)
        except OSError:
            _leave(0)

    def _listen(self) -> None:
        try:
            while True:
                request: Request = self._connection.recv()
                if isinstance(request, CancelRequest):
                    self._cancelled.add(request.id)
                else:
                    self._work.put(request)
        finally:  # the window has ended, or nothing more can be heard from it
            _leave(0)


def _live_quietly(connection: Connection) -> None:
    """Leave Ctrl-C to the window, tell nobody what kernels print, hand the pipe to no child, end with the window."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.set_inheritable(connection.fileno(), False)
    if sys.platform == "linux":  # a kernel's compiler may keep the thread that reads the pipe from hearing its end
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        window = multiprocessing.parent_process()
        if window is not None and os.getppid() != window.pid:  # it died before the line above
            _leave(0)
    with suppress(OSError):  # what a kernel prints is no text for a terminal
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _leave(code: int) -> None:
    """End without waiting for threads that a kernel keeps busy for ever."""
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)
