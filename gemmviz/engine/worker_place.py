"""The two places for workers: the ordinary one, and the confined one for kernels of the user's."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QObject, QThread, Signal, Slot

from gemmviz.domain.device import Device
from gemmviz.domain.processes.process_stamp import process_stamp
from gemmviz.engine.active_request import ActiveRequest
from gemmviz.engine.confined_worker import confined_worker_main
from gemmviz.engine.messages import Event, Request
from gemmviz.engine.process import HungUpError, Main, WorkerProcess
from gemmviz.engine.sandbox.confinement import Confinement


class WorkerPlace(QObject):
    """Where one worker is, and after its end the next one: starts it, hands requests to it, and hears it.

    `deaths` counts the workers in a row that ended before they were ready; `stopped` says in words what the worker's
    kernel was stopped for.
    """

    heard = Signal(object, object)
    """This place, and an event of its worker."""
    ended = Signal(object, object)
    """This place, and the exit code of its worker, which has ended by itself."""

    def __init__(self, main: Main, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.main = main
        self.worker: WorkerProcess | None = None
        self.is_ready = False
        self.deaths = 0
        self.stopped = ""
        self.readers: dict[WorkerProcess, _Reader] = {}
        """Those of workers that are ending, too."""

    def start(self) -> None:
        """Start a worker if there is none.

        Raises:
            OSError: no process can be started.
        """
        if self.worker is not None:
            return
        self.is_ready, self.stopped = False, ""
        self.worker = worker = WorkerProcess(self.main)
        self.readers[worker] = reader = _Reader(worker)
        reader.heard.connect(self._on_heard)
        reader.ended.connect(self._on_ended)
        reader.start()

    def begin(self, request: ActiveRequest) -> None:
        """Hand a request to the worker, which is started if there is none.

        Raises:
            OSError: no process can be started.
        """
        self.start()
        self.send(request.work)

    def send(self, request: Request) -> None:
        """Tell the worker something, if there is one."""
        if self.worker is not None:
            self.worker.send(request)

    def end(self) -> None:
        """End the worker, whatever it does; its reader says nothing more."""
        if self.worker is not None:
            self.worker.kill()
            self.worker = None

    def wait(self, deadline: QDeadlineTimer) -> None:
        """Until the threads of all workers that were ended have ended too, or for so long."""
        self.readers = {worker: reader for worker, reader in self.readers.items() if not reader.wait(deadline)}

    @Slot(object, object)
    def _on_heard(self, worker: WorkerProcess, event: Event) -> None:
        if worker is self.worker:
            self.heard.emit(self, event)

    @Slot(object, object)
    def _on_ended(self, worker: WorkerProcess, exit_code: int | None) -> None:
        reader = self.readers.pop(worker, None)
        if reader is not None:
            reader.wait()
        if worker is self.worker:
            self.worker = None
            self.ended.emit(self, exit_code)


class ConfinedPlace(WorkerPlace):
    """The place of the worker that may do only what its requests need. `devices` are all there are, None before they
    are known.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_nothing, parent)
        self.devices: Sequence[Device] | None = None
        self._scratch: Path | None = None
        self._confinement: Confinement | None = None

    def begin(self, request: ActiveRequest) -> None:
        """Hand a request to the worker; one that is confined too closely for it is ended, and the next one gets it.

        Raises:
            OSError: no process can be started, or no folder made for it.
        """
        if self._scratch is None:
            self._scratch = Path(tempfile.mkdtemp(prefix=f"gemmviz-{process_stamp()}-"))
        wanted = request.confinement(self.devices or (), self._scratch)
        if self.worker is None or self._confinement is None or not self._confinement.covers(wanted):
            self.end()
            self._confinement = wanted
            self.main = partial(confined_worker_main, wanted)
        super().begin(request)

    def clean_up(self) -> None:
        """Remove the folder that the worker, which has ended, could write to."""
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None


class _Reader(QThread):
    """Waits for what one worker sends, and for its end."""

    heard = Signal(object, object)
    ended = Signal(object, object)

    def __init__(self, worker: WorkerProcess) -> None:
        super().__init__()
        self._worker = worker

    def run(self) -> None:
        while True:
            try:
                event = self._worker.receive()
            except HungUpError:
                break
            self.heard.emit(self._worker, event)
        self.ended.emit(self._worker, self._worker.reap())


def _nothing(connection: object) -> None:
    """No worker starts here before a request has said how it is confined."""
    raise AssertionError(connection)
