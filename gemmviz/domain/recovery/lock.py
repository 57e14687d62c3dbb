"""A file that one process has locked until it ends, however it ends."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path


class LockedError(OSError):
    """Another process has the lock, or this one has it already."""


class FileLock:
    """Holds a lock on `path`, which is made if it is not there; the system releases it when the process ends.

    Raises:
        LockedError: somebody has it.
        OSError: the file cannot be made, or its file system knows no locks.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        self._descriptor = os.open(path, flags, 0o600)
        try:
            _lock(self._descriptor)
        except BaseException:
            os.close(self._descriptor)
            raise

    def release(self, *, remove: bool = False) -> None:
        """Give the lock back, and with `remove` the file too. Safe more than once."""
        if self._descriptor < 0:
            return
        if remove and sys.platform != "win32":  # while it is locked, so that nobody locks a file without a name
            with contextlib.suppress(OSError):
                self.path.unlink()
        os.close(self._descriptor)
        self._descriptor = -1
        if remove and sys.platform == "win32":
            with contextlib.suppress(OSError):
                self.path.unlink()


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise LockedError(str(error)) from error

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LockedError(str(error)) from error
