"""Temporary files and folders, named so that what a process leaves that was killed is found and removed later."""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gemmviz.domain.processes.process_stamp import is_of_a_dead_process, process_stamp

_PREFIX = "gemmviz-"
_PART = f".{_PREFIX}"

_mine: set[Path] = set()
"""What this process has to remove where it ends in a hurry."""
_swept: set[Path] = set()


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A new folder for temporary files, which goes when the block is left."""
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{process_stamp()}-"))
    with removed_in_the_end(folder):
        yield folder


def folder_until_the_end() -> Path:
    """A new folder for temporary files, which goes when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{process_stamp()}-"))
    _mine.add(folder)
    return folder


@contextmanager
def removed_in_the_end(path: Path) -> Iterator[None]:
    """See that a file or folder, if there is one, goes when the block is left or the process ends in a hurry."""
    _mine.add(path)
    try:
        yield
    finally:
        _remove(path)
        _mine.discard(path)


def part_beside(path: Path) -> Path:
    """A new name in the same folder for what will become `path` once it is whole.

    What processes left there that were killed is removed, once for each folder.
    """
    folder = path.parent.absolute()
    if folder not in _swept:
        _swept.add(folder)
        remove_leftovers([folder])
    return path.parent / f"{_PART}{process_stamp()}-{secrets.token_hex(4)}.part{path.suffix}"


@atexit.register
def remove_own_leftovers() -> None:
    """Remove what this process would have removed at the end of its blocks: it ends now."""
    for path in tuple(_mine):
        _remove(path)


def remove_leftovers(folders: Iterable[Path] = ()) -> None:
    """Remove what processes left that were killed: temporary folders, and files beside targets in `folders`."""
    temporary = Path(tempfile.gettempdir())
    for folder, prefix in ((temporary, _PREFIX), *((folder, _PART) for folder in folders)):
        for entry in _entries(folder):
            if entry.name.startswith(prefix) and is_of_a_dead_process(entry.name) and _is_ours(entry):
                _remove(Path(entry.path))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _is_ours(entry: os.DirEntry[str]) -> bool:
    """Whether this user made it: in a folder that all may write to anybody may choose names."""
    try:
        return sys.platform == "win32" or entry.stat(follow_symlinks=False).st_uid == os.geteuid()
    except OSError:
        return False


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
