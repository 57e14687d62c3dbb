"""Writing a file so that a reader finds the old content or the new one, and never half of either.

Every file that the program writes for a person comes from here: never through a link, and never in the place of a file
that was not to be replaced.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gemmviz.domain.files.leftovers import part_beside, removed_in_the_end

_REASONS = {
    errno.ENOENT: ("the folder {folder} does not exist", "Create it or choose another"),
    errno.ENOTDIR: ("{folder} is not a folder", "Choose another"),
    errno.EACCES: ("you may not write to the folder {folder}", "Choose another or change its permissions"),
    errno.EPERM: ("you may not write to the folder {folder}", "Choose another or change its permissions"),
    errno.EROFS: ("the folder {folder} is read-only", "Choose another"),
    errno.ENOSPC: ("the disk of {folder} is full", "Free some space or choose another folder"),
    errno.EDQUOT: ("the disk quota of {folder} is used up", "Free some space or choose another folder"),
    errno.ENAMETOOLONG: ("the name is too long", "Choose a shorter one"),
    errno.EISDIR: ("it is not an ordinary file", "Choose another name"),
}


class WriteError(OSError):
    """A file could not be written; the message names it, its folder, the fault and the remedy in one line."""


class ExistsError(WriteError):
    """A file that was not to be replaced is there."""


def write_atomically(
    path: Path,
    write: Callable[[BinaryIO], object],
    *,
    may_replace: bool = True,
    follows_link: bool = False,
    sync: bool = True,
) -> None:
    """Let `write` fill a temporary file beside `path`, bring it to the disk and put it in `path`'s place.

    Without `sync` the system brings it to the disk when it likes: that outlives this process, but not a loss of power.

    Where anything goes wrong, a KeyboardInterrupt included, the temporary file is removed and what was at
    `path` stays as it was. With `follows_link` the file that a link points to is replaced.

    Raises:
        ExistsError: it is there, and `may_replace` is False.
        WriteError: the folder or the file cannot be written, or is a link.
        Exception: whatever `write` raises besides an OSError, unchanged.
    """
    try:
        target = Path(os.path.realpath(path)) if follows_link else path
        with (
            replacement_of(target, may_replace=may_replace, sync=sync) as temporary,
            temporary.open("xb") as file,
        ):
            write(file)
            file.flush()
            if sync:
                os.fsync(file.fileno())
    except WriteError:
        raise
    except OSError as error:
        raise WriteError(describe_write_fault(path, error)) from error


@contextmanager
def replacement_of(path: Path, *, may_replace: bool = True, sync: bool = True) -> Iterator[Path]:
    """A name beside `path` to write a file to; it gets its own name at the end, or goes if anything goes wrong.

    Raises:
        WriteError: as `check_target`, before and again at the end.
        OSError: the folder cannot be written to.
    """
    check_target(path, may_replace=may_replace)
    temporary = part_beside(path)
    with removed_in_the_end(temporary):
        yield temporary
        _put_in_place(temporary, path, may_replace)
        if sync:
            _sync_folder(path.parent)


def check_target(path: Path, *, may_replace: bool) -> None:
    """See that a file can get this name.

    Raises:
        ExistsError: it is there, and `may_replace` is False.
        WriteError: it is a link, a folder or a device, or a file that may not be written to.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise WriteError(describe_write_fault(path, error)) from error
    if stat.S_ISLNK(mode):
        raise WriteError(
            f"cannot write {path}: it is a link to {path.readlink()}. Name the file itself or choose another name"
        )
    if not stat.S_ISREG(mode):
        raise WriteError(describe_write_fault(path, OSError(errno.EISDIR, os.strerror(errno.EISDIR))))
    if not may_replace:
        raise ExistsError(f"cannot write {path}: it already exists. Move it or choose another name")
    if not os.access(path, os.W_OK):
        raise WriteError(f"cannot write {path}: you may not change it. Change its permissions or choose another name")


def describe_write_fault(path: Path, error: OSError) -> str:
    """One line on why `path` could not be written, and what to do about it."""
    folder = path.absolute().parent
    fault, remedy = _REASONS.get(error.errno or 0, (error.strerror or str(error), "Choose another folder or file name"))
    if error.errno == errno.ENOENT and folder.is_dir():  # as in /proc
        fault, remedy = "nothing can be created in the folder {folder}", "Choose another"
    return f"cannot write {path}: {fault.format(folder=folder)}. {remedy}"


def _put_in_place(temporary: Path, path: Path, may_replace: bool) -> None:
    check_target(path, may_replace=may_replace)
    if may_replace:
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        temporary.replace(path)
        return
    try:
        if sys.platform == "win32":
            temporary.rename(path)
        else:
            path.hardlink_to(temporary)  # fails where the name is taken; the temporary one goes afterwards
    except FileExistsError:
        check_target(path, may_replace=False)
        raise
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        with path.open("xb"):  # a file system without links: the name is taken first
            pass
        temporary.replace(path)


def _sync_folder(folder: Path) -> None:
    """Bring the new name to the disk, where the system can."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
