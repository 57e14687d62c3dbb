"""The two places for workers: the ordinary one, and the confined one for kernels of the user's."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from gemmviz.domain.device import Device
from gemmviz.domain.processes.process_stamp import process_stamp
from gemmviz.engine.confined_worker import confined_worker_main
from gemmviz.engine.messages import Work
from gemmviz.engine.own_kernels import confinement_for
from gemmviz.engine.process import Main, WorkerProcess
from gemmviz.engine.sandbox.confinement import Confinement


class WorkerPlace:
    """Where one worker is, and after its end the next one. `stopped` says in words what its kernel was stopped for."""

    def __init__(self, main: Main) -> None:
        self.main = main
        self.worker: WorkerProcess | None = None
        self.is_ready = False
        self.deaths = 0
        self.stopped = ""

    def end(self) -> None:
        """End the worker, whatever it does; its reader says nothing more."""
        if self.worker is not None:
            self.worker.kill()
            self.worker = None


class ConfinedPlace(WorkerPlace):
    """The place of the worker that may do only what its requests need. `devices` are all there are, None before they
    are known.
    """

    def __init__(self) -> None:
        super().__init__(_nothing)
        self.devices: Sequence[Device] | None = None
        self._scratch: Path | None = None
        self._confinement: Confinement | None = None

    def make_fit_for(self, work: Work) -> None:
        """See that a request can go to the worker here, or to the next one: end one that is confined too closely."""
        if self._scratch is None:
            self._scratch = Path(tempfile.mkdtemp(prefix=f"gemmviz-{process_stamp()}-"))
        wanted = confinement_for(work, self.devices or (), self._scratch)
        if self.worker is not None and self._confinement is not None and self._confinement.covers(wanted):
            return
        self.end()
        self._confinement = wanted
        self.main = partial(confined_worker_main, wanted)

    def clean_up(self) -> None:
        """Remove the folder that the worker, which has ended, could write to."""
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None


def _nothing(connection: object) -> None:
    """No worker starts here before a request has said how it is confined."""
    raise AssertionError(connection)
