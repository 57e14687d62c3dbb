"""A time limit for compilers that work in this process: translation in Python, OpenCL drivers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from gemmviz.backends.base import CompilerStuckError
from gemmviz.compiler.source import compile_limit_words

Made = TypeVar("Made")

LEAST_S = 10.0
"""What a compiler gets at least: a limit of one second is meant for launches, and a busy machine compiles longer."""

_TOLD_EVERY_S = 0.1
_STACK_BYTES = 2**26
"""Compilers call themselves for each level of nesting."""
_one_at_a_time = threading.Lock()


def compile_limit_s(limit_s: float) -> float:
    """How long a compiler may take where one launch may take `limit_s`."""
    return max(limit_s, LEAST_S)


def within_limit(
    compile_: Callable[[], Made], limit_s: float, meanwhile: Callable[[float], None] | None = None
) -> Made:
    """What `compile_` returns or raises. It runs in a thread, so that a time limit and Ctrl+C work whatever it does.

    Meanwhile `meanwhile` is told ten times a second how many seconds it has run. What that raises, as where a person
    cancels, is raised at once, and the thread goes on.

    Raises:
        CompilerStuckError: it had not ended after `limit_s`; its thread goes on.
    """
    results: list[Made] = []
    errors: list[BaseException] = []
    ended = threading.Event()

    def work() -> None:
        try:
            results.append(compile_())
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            errors.append(error)
        finally:
            ended.set()

    with _one_at_a_time:
        before = threading.stack_size(_STACK_BYTES)
        try:
            threading.Thread(target=work, name="compiling", daemon=True).start()
        finally:
            threading.stack_size(before)
    begin = time.monotonic()
    while not ended.wait(min(_TOLD_EVERY_S, limit_s) if meanwhile is not None else limit_s):
        elapsed_s = time.monotonic() - begin
        if elapsed_s >= limit_s:
            raise CompilerStuckError(compile_limit_words(limit_s))
        if meanwhile is not None:
            meanwhile(elapsed_s)
    if errors:
        raise errors[0]
    return results[0]
