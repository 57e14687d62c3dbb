"""The worker of a window: what one says when it is ready is known, so its process starts with the first request."""

from __future__ import annotations

import threading
from typing import ClassVar

from warm_process import WarmWorker

from gemmviz.engine.messages import Event, Request, WorkerReady
from gemmviz.engine.process import HungUpError, Main, WorkerProcess
from gemmviz.engine.worker import worker_main


class LateWorker:
    """In place of a WorkerProcess. The first one starts its process at once, as confined ones do."""

    ready: ClassVar[WorkerReady | None] = None

    def __init__(self, main: Main) -> None:
        self._main = main
        self._process: WorkerProcess | None = None
        self._begun = threading.Event()
        self._to_say = LateWorker.ready if main is worker_main else None
        if self._to_say is None:
            self._started()

    def _started(self) -> WorkerProcess:
        if self._process is None:
            self._process = WarmWorker(self._main)
            self._begun.set()
        return self._process

    @property
    def pid(self) -> int:
        return self._started().pid

    def send(self, request: Request) -> None:
        self._started().send(request)

    def receive(self) -> Event:
        event: Event
        if self._to_say is not None:
            event, self._to_say = self._to_say, None
            return event
        self._begun.wait()
        if self._process is None:
            raise HungUpError("killed before its first request")
        event = self._process.receive()
        if isinstance(event, WorkerReady) and self._main is worker_main:
            LateWorker.ready = event
        return event

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
        self._begun.set()

    def reap(self) -> int | None:
        return self._process.reap() if self._process is not None else 0
