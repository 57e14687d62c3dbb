"""The folders of recovery data on the disk: their names, their sizes, and which of them no window has any more."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from gemmviz.domain.recovery.lock import FileLock, LockedError

DAMAGED = "damaged"
"""Files that could not be read."""
DISCARDED = "discarded"
"""Folders that a person gave up; they go for good with the next window that ends, or that looks for lost data."""

_ID = re.compile(r"\d{8}T\d{6}-\d+-[0-9a-f]{8}")


def recovery_root(state: Path) -> Path:
    """Where recovery data lie in a state folder."""
    return state / "recovery"


def new_folder(root: Path, now: datetime) -> tuple[Path, FileLock]:
    """A new folder for one window, and its lock.

    Raises:
        OSError: it cannot be made.
    """
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    for _ in range(3):  # somebody who looks for stale locks may have this one for a moment
        folder = root / f"{now:%Y%m%dT%H%M%S}-{os.getpid()}-{secrets.token_hex(4)}"
        with contextlib.suppress(LockedError):
            lock = FileLock(lock_path(folder))
            try:
                folder.mkdir(mode=0o700)
            except BaseException:
                lock.release(remove=True)
                raise
            return folder, lock
    raise LockedError(errno.EAGAIN, os.strerror(errno.EAGAIN), str(root))


def lock_path(folder: Path) -> Path:
    """The lock file of a window's folder, beside it, so that it is there before the folder and after it."""
    return folder.with_name(f"{folder.name}.lock")


def folders_in(root: Path) -> list[Path]:
    """The folders of all windows, the oldest first."""
    try:
        return sorted(path for path in root.iterdir() if _ID.fullmatch(path.name) and _is_folder(path))
    except OSError:
        return []


@contextmanager
def claimed(folder: Path) -> Iterator[bool]:
    """Whether no window has a folder; none gets it within the block."""
    try:
        lock = FileLock(lock_path(folder))
    except OSError:
        yield False
        return
    try:
        yield folder.is_dir()
    finally:
        lock.release(remove=not folder.exists())


def remove_folder(folder: Path) -> None:
    """Remove a folder that the caller has claimed, its table of contents first: half of it is never offered."""
    with contextlib.suppress(OSError):
        gone = folder.parent / DISCARDED / folder.name
        gone.parent.mkdir(exist_ok=True)
        folder.replace(gone)
        folder = gone
    shutil.rmtree(folder, ignore_errors=True)


def sweep(root: Path) -> None:
    """Remove what was discarded, and lock files without a folder."""
    shutil.rmtree(root / DISCARDED, ignore_errors=True)
    with contextlib.suppress(OSError):
        for lock in root.glob("*.lock"):
            folder = lock.with_suffix("")
            if not folder.exists():
                with claimed(folder):
                    pass


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files of a folder."""
    try:
        facts = path.lstat()
        if stat.S_ISDIR(facts.st_mode):
            return sum(size_of(each) for each in path.iterdir())
    except OSError:
        return 0
    return facts.st_size


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
