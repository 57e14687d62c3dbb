"""A worker process that begins with what it needs already imported, which takes a worker of its own two seconds.

It is forked from a process that has imported that and done nothing else; the environment and the folder are those of
the test. Where processes cannot be forked it is a worker like any other. How workers start and end is tested on those of
the program (tests/engine, and what starts the program itself).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Mapping
from multiprocessing.connection import Connection

from gemmviz.engine.process import Main, WorkerProcess, main_module_hidden
from gemmviz.engine.worker import worker_main
from gemmviz.engine.worker_start import end_with_parent, silence_output

_IMPORTED = [
    "gemmviz.backends.registry",
    "gemmviz.backends.recording",
    "gemmviz.backends.machine_recorder",
    "gemmviz.engine.analysis.ahead",
    "gemmviz.engine.request_handler",
    "gemmviz.engine.worker",
]


class WarmWorker(WorkerProcess):
    """In place of a WorkerProcess for `worker_main`."""

    def __init__(self, main: Main) -> None:
        if main is not worker_main or "forkserver" not in multiprocessing.get_all_start_methods():
            super().__init__(main)
            return
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_IMPORTED)
        self._closing = threading.Lock()
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_warm_main, args=(dict(os.environ), theirs), daemon=True)
        with main_module_hidden():
            self._process.start()
        theirs.close()


def _warm_main(environment: Mapping[str, str], connection: Connection) -> None:
    """As `worker_main`; the parent of this process is the one that has imported everything, and ends with the test."""
    from gemmviz.engine.worker import work

    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(os.getppid())
    silence_output()
    work(connection)
