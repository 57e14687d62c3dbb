"""Compiles for the PTX machine in a thread of its own: somebody can follow it, and leave before it has ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from gemmviz.backends.base import Progress
from gemmviz.machine.program import Program, Steps

_TOLD_EVERY_S = 0.1


def compiled_while_told(work: Callable[[Steps], Program], progress: Progress) -> Program:
    """What `work` makes. Meanwhile `progress` is told ten times a second which step it is at, and how long it has run.

    What `progress` raises, as where a person cancels, is raised at once; `work` then ends by itself, and what it made
    is remembered on disk where it would have been.

    Raises:
        MachineError: as `work`.
    """
    begin = time.monotonic()
    step = ["reading the PTX"]
    made: list[Program] = []
    failed: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            made.append(work(lambda words: step.__setitem__(0, words)))
        except BaseException as error:  # noqa: BLE001 - it is raised by the thread that waits
            failed.append(error)
        ended.set()

    threading.Thread(target=run, name="compiling", daemon=True).start()
    while not ended.wait(_TOLD_EVERY_S):
        progress(f"compiling by LLVM, {step[0]}, {time.monotonic() - begin:.1f} s")
    if failed:
        raise failed[0]
    return made[0]
