"""A time limit for compilers that work in this process: translation in Python, OpenCL drivers."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from gemmviz.backends.base import CompilerStuckError
from gemmviz.compiler.source import compile_limit_words
from gemmviz.domain.processes.large_stacks import large_stacks

Made = TypeVar("Made")

LEAST_S = 10.0
"""What a compiler gets at least: a limit of one second is meant for launches, and a busy machine compiles longer."""

_TIMES_ON_A_BUSY_MACHINE = 5.0
"""How many times its limit a compiler may take by the clock where other programs keep the processor from it."""
_TOLD_EVERY_S = 0.1


def compile_limit_s(limit_s: float) -> float:
    """How long a compiler may take where one launch may take `limit_s`."""
    return max(limit_s, LEAST_S)


def within_limit(
    compile_: Callable[[], Made], limit_s: float, meanwhile: Callable[[float], None] | None = None
) -> Made:
    """What `compile_` returns or raises. It runs in a thread, so that a time limit and Ctrl+C work whatever it does.

    Meanwhile `meanwhile` is told ten times a second how many seconds it has run. What that raises, as where a person
    cancels, is raised at once, and the thread goes on. The limit is for the processor's time, where the system tells
    that of a thread: on a busy machine a compiler takes longer by the clock.

    Raises:
        CompilerStuckError: it had not ended after `limit_s`; its thread goes on.
    """
    results: list[Made] = []
    errors: list[BaseException] = []
    ended = threading.Event()
    clocks: list[int] = []

    def work() -> None:
        if sys.platform == "linux":
            clocks.append(time.pthread_getcpuclockid(threading.get_ident()))
        try:
            results.append(compile_())
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            errors.append(error)
        finally:
            ended.set()

    with large_stacks():  # compilers call themselves for each level of nesting
        threading.Thread(target=work, name="compiling", daemon=True).start()
    begin = time.monotonic()
    while not ended.wait(min(_TOLD_EVERY_S, limit_s)):
        elapsed_s = time.monotonic() - begin
        if _worked_s(clocks, elapsed_s) >= limit_s:
            raise CompilerStuckError(compile_limit_words(limit_s))
        if elapsed_s >= limit_s * _TIMES_ON_A_BUSY_MACHINE:
            raise CompilerStuckError(_busy_words(elapsed_s))
        if meanwhile is not None:
            meanwhile(elapsed_s)
    if errors:
        raise errors[0]
    return results[0]


def _worked_s(clocks: Sequence[int], elapsed_s: float) -> float:
    """Seconds of the processor that a thread has used, by its clock; where the system has none, those that passed."""
    try:
        return time.clock_gettime(clocks[0]) if clocks else elapsed_s
    except OSError:  # it ended just now
        return 0.0


def _busy_words(elapsed_s: float) -> str:
    return (
        f"compiling did not end within {elapsed_s:.0f} s, since it got little of the processor or waits: end other "
        "programs and try again, or allow more time (--time-limit)"
    )
