"""Writing a file so that a reader finds the old content or the new one, and never half of either."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

_REASONS = {
    errno.ENOENT: ("the folder {folder} does not exist", "create it or choose another"),
    errno.ENOTDIR: ("{folder} is not a folder", "choose another"),
    errno.EACCES: ("the folder {folder} may not be written to", "choose another or change its permissions"),
    errno.EPERM: ("the folder {folder} may not be written to", "choose another or change its permissions"),
    errno.EROFS: ("the folder {folder} is read-only", "choose another"),
    errno.ENOSPC: ("the disk of {folder} is full", "free some space or choose another folder"),
    errno.EDQUOT: ("the disk quota of {folder} is used up", "free some space or choose another folder"),
    errno.ENAMETOOLONG: ("the name is too long", "choose a shorter one"),
    errno.EISDIR: ("it is not an ordinary file", "choose another name"),
}


class WriteError(OSError):
    """A file could not be written; the message names it, its folder, the fault and the remedy in one line."""


def write_atomically(path: Path, write: Callable[[BinaryIO], None], *, sync: bool = True) -> None:
    """Let `write` fill a temporary file beside `path`, bring it to the disk and put it in `path`'s place.

    Without `sync` the system brings it to the disk when it likes: that outlives this process, but not a loss of power.

    Where anything goes wrong, a KeyboardInterrupt included, the temporary file is removed and what was at
    `path` stays as it was. A link is followed: the file it points to is replaced.

    Raises:
        WriteError: the folder or the file cannot be written.
        Exception: whatever `write` raises besides an OSError, unchanged.
    """
    try:
        _write(Path(os.path.realpath(path)), write, sync)
    except OSError as error:
        raise WriteError(describe_write_fault(path, error)) from error


def describe_write_fault(path: Path, error: OSError) -> str:
    """One line on why `path` could not be written, and what to do about it."""
    folder = path.absolute().parent
    fault, remedy = _REASONS.get(error.errno or 0, (error.strerror or str(error), "choose another folder or file name"))
    return f"cannot write {path}: {fault.format(folder=folder)}: {remedy}"


def _write(target: Path, write: Callable[[BinaryIO], None], sync: bool) -> None:
    # A folder, a pipe or /dev/null must not be replaced by a file.
    if target.exists() and not target.is_file():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    # tempfile would make the file private to its owner; open() leaves that to the umask.
    temporary = target.parent / f".gemmviz-{secrets.token_hex(8)}.part"
    try:
        with temporary.open("xb") as file:
            write(file)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
