"""The worker for kernels of the user's: a worker process inside the sandbox. Nothing heavy is imported at its head,
because the sandbox is to be entered before libraries start threads.
"""

from __future__ import annotations

from contextlib import suppress
from multiprocessing.connection import Connection

from gemmviz.engine.sandbox.attempts import DeniedAttempt
from gemmviz.engine.sandbox.confined import confine
from gemmviz.engine.sandbox.confinement import Confinement

STOPPED = 76
"""The exit code of a worker whose kernel tried what it may not."""


def confined_worker_main(confinement: Confinement, connection: Connection) -> None:
    """As `worker_main`, confined; what a kernel was stopped for is told by a WorkerStopped before the pipe closes."""
    from gemmviz.engine.worker_start import prepare_worker, silence_output

    def tell(attempt: DeniedAttempt) -> int:
        from gemmviz.engine.chunked_transfer import send
        from gemmviz.engine.messages import WorkerStopped

        with suppress(OSError):
            send(connection, WorkerStopped(attempt.words))
        return STOPPED

    prepare_worker(connection)
    confine(confinement, tell, (connection.fileno(),))
    silence_output()
    from gemmviz.engine.worker import work

    work(connection)
