"""Workers with one fault each, in place of `worker_main`; a spawned process imports this file."""

from __future__ import annotations

import os
import time
from multiprocessing.connection import Connection

from gemmviz.engine.chunked_transfer import send
from gemmviz.engine.messages import Finished, Progressed, Work, WorkerReady


def dies_at_once(connection: Connection) -> None:
    del connection
    os._exit(3)


def dies_twice(connection: Connection) -> None:
    """Counts its lives in the file that COUNT_FILE names."""
    with open(os.environ["COUNT_FILE"], "a+", encoding="ascii") as file:  # noqa: PTH123
        file.write("x")
        file.seek(0)
        lives = len(file.read())
    if lives < 3:
        os._exit(3)
    work: Work = connection.recv()
    send(connection, WorkerReady(os.getpid(), ()))
    send(connection, Finished(work.id, reason=f"life {lives}"))
    time.sleep(60)


def hears_nothing(connection: Connection) -> None:
    send(connection, WorkerReady(os.getpid(), ()))
    time.sleep(60)


def sends_garbage(connection: Connection) -> None:
    send(connection, WorkerReady(os.getpid(), ()))
    connection.recv()
    connection.send_bytes(b"this is no event")
    time.sleep(60)


def answers_the_last_request_too(connection: Connection) -> None:
    """Answers what was asked before once more, then what is asked now."""
    send(connection, WorkerReady(os.getpid(), ()))
    while True:
        work: Work = connection.recv()
        for number in (work.id - 1, work.id + 1, work.id):
            send(connection, Progressed(number, 0, 1, "tiled", f"request {number}", 0.5))
            send(connection, Finished(number, reason=f"request {number}"))
