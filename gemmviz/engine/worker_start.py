"""What every worker process does first."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def prepare_worker(connection: Connection) -> None:
    """Leave Ctrl-C to the window, tell nobody what kernels print, hand the pipe to no child, end with the window."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.set_inheritable(connection.fileno(), False)
    window = multiprocessing.parent_process()  # a compiler may keep the thread that reads the pipe from hearing its end
    end_with_parent(os.getppid() if window is None else window.pid or 0)
    silence_output()


def end_with_parent(parent: int) -> None:
    """End when the process of that number does, which started this one, on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the line above
            os._exit(0)


def silence_output() -> None:
    """Let standard output go nowhere: what a kernel prints is no text for a terminal."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
