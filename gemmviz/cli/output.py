"""Standard output belongs to the report; what a kernel prints goes to standard error."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def kernels_kept_quiet() -> Iterator[None]:
    """Inside, what is written to file descriptor 1 arrives on standard error: a kernel's printf, a driver's notes."""
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # there is no standard output
        yield
        return
    os.dup2(2, 1)
    try:
        yield
    finally:
        _flush_c_streams()
        os.dup2(kept, 1)
        os.close(kept)


def _flush_c_streams() -> None:
    if sys.platform != "win32":
        ctypes.CDLL(None).fflush(None)
