"""Numba's cache of compiled functions, looked through once per process: Numba takes a damaged file for an error.

It lies in `__pycache__` beside the files with the functions, or where NUMBA_CACHE_DIR says, or in the user's folder.
"""

from __future__ import annotations

import hashlib
import os
import pickletools
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

import gemmviz
from gemmviz.domain.files.bounded_read import Cause, ReadError, read_bytes
from gemmviz.domain.files.last_look import changed_ns, look
from gemmviz.resources import cache_folder, resource_folder

_PICKLES = {".nbi": 2, ".nbc": 1}
"""How many pickles a file holds, one behind the other: an index its version and its table, a function its code."""

_MOST_BYTES = 2**28

_NO_PICKLE = (ValueError, ArithmeticError, LookupError, EOFError, MemoryError, TypeError, struct.error)
"""What bytes that are no pickle lead to."""


@cache
def look_through_once() -> int:
    """Remove damaged files where this process will look for compiled functions; how many there were."""
    folders = list(dict.fromkeys(_folders()))  # a confined process has NUMBA_CACHE_DIR in its user's folder
    names = hashlib.sha256("\n".join(map(str, folders)).encode()).hexdigest()
    mark = cache_folder("analysis") / f"looked-through-{names[:16]}"
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
    with look(mark) as since_ns:
        return remove_damaged(folders, since_ns)


def remove_damaged(folders: Iterable[Path], since_ns: int = 0) -> int:
    """Remove files that are empty, cut off or no pickles; Numba then compiles those functions anew. How many, of those
    that changed since a time.
    """
    removed = 0
    for folder in folders:
        for suffix, pickles in _PICKLES.items():
            for path in folder.glob(f"*{suffix}"):
                with suppress(OSError):
                    if changed_ns(path.stat()) >= since_ns and not _is_whole(path, pickles):
                        path.unlink(missing_ok=True)
                        removed += 1
    return removed


def _is_whole(path: Path, pickles: int) -> bool:
    try:
        return _holds(read_bytes(path, _MOST_BYTES), pickles)
    except ReadError as error:
        return error.cause is not Cause.UNFIT


def _folders() -> Iterator[Path]:
    package = Path(gemmviz.__file__).parent
    yield from package.glob("*/__pycache__")
    yield from resource_folder("kernels").glob("*/__pycache__")
    chosen = os.environ.get("NUMBA_CACHE_DIR", "")
    for folder in (Path(chosen) if chosen else None, user_cache_path("numba", appauthor=False)):
        if folder is not None and folder.is_dir():
            yield from (inner for inner in folder.iterdir() if inner.is_dir())


def _holds(data: bytes, pickles: int) -> bool:
    """Whether data are so many pickles and nothing else."""
    position = 0
    for _ in range(pickles):
        try:
            *_, (_, _, last) = pickletools.genops(data[position:])
        except _NO_PICKLE:
            return False
        position += (last or 0) + 1
    return position == len(data)
