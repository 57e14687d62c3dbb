"""The worker process: runs what may crash or hang, and tells the window. Nothing heavy is imported at its head,
because the window imports it to have something to start.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Connection

from gemmviz.engine.chunked_transfer import send
from gemmviz.engine.messages import CancelRequest, Event, Noted, Request, Work, WorkerReady
from gemmviz.engine.worker_start import prepare_worker

STUCK = 75
"""The worker's exit code after a kernel that did not end: everything is said, and only a new process is of use."""


def worker_main(connection: Connection) -> None:
    """Do what comes in through `connection` until it is closed; then end at once, whatever is going on."""
    prepare_worker(connection)
    work(connection)


def work(connection: Connection) -> None:
    """Do what comes in through `connection` until it is closed; the process has been made ready for that."""
    inbox = Inbox(connection)

    from gemmviz.backends.opencl.pocl_cache import take_notes
    from gemmviz.backends.registry import all_devices, devices_for, emulated_devices, how_to_get_a_device
    from gemmviz.domain.terms import Language

    advice = "" if devices_for(Language.CUDA) else how_to_get_a_device()
    inbox.answer(WorkerReady(os.getpid(), (*all_devices(), *emulated_devices()), advice))

    from gemmviz.engine.event_sender import EventSender
    from gemmviz.engine.request_handler import RequestHandler

    request_handler = RequestHandler(EventSender(inbox.answer), inbox.is_cancelled)
    while True:
        for words in take_notes():
            inbox.answer(Noted(words))
        if request_handler.do(inbox.next()):
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


def _leave(code: int) -> None:
    """End without waiting for threads that a kernel keeps busy for ever."""
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)
