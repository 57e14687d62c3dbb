"""Standard output as this process was given it: closed, left by its reader, or kept free of what kernels print."""

from __future__ import annotations

import ctypes
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Nowhere(io.TextIOBase):
    """In the place of a stream that the caller closed; `is_missed` once somebody has written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_missed = False

    def write(self, text: str) -> int:
        self.is_missed = self.is_missed or bool(text)
        return len(text)

    def writable(self) -> bool:
        return True


def is_broken_pipe(error: BaseException) -> bool:
    """Whether an exit stands for a reader that has gone: click and rich turn that into an exit code of their own."""
    causes = [error, error.__context__, error.__cause__]
    return any(isinstance(cause, BrokenPipeError) for cause in causes)


@contextmanager
def kernels_kept_quiet() -> Iterator[None]:
    """Inside, what is written to file descriptor 1 goes nowhere: a kernel's printf, a driver's notes."""
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # there is no standard output
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    try:
        yield
    finally:
        _flush_c_streams()
        os.dup2(kept, 1)
        os.close(kept)


def _flush_c_streams() -> None:
    if sys.platform != "win32":
        ctypes.CDLL(None).fflush(None)
