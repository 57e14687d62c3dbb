"""Machine code that LLVM made before, remembered on disk: optimising a large kernel takes seconds.

A file holds the digest of what follows it, so that a damaged one counts as none. Its name is the digest of all that the
code depends on: the IR, the processor, LLVM.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from gemmviz.domain.files.atomic import WriteError, write_atomically
from gemmviz.domain.files.bounded_read import ReadError, read_bytes

_MOST_FILES = 500
_MOST_BYTES = 2**27
_DIGEST_BYTES = 32


class ObjectCache:
    """A folder of machine code. Where it cannot be written, nothing is remembered."""

    def __init__(self, folder: Path, depends_on: Iterable[str]) -> None:
        key = hashlib.sha256("\0".join(depends_on).encode()).hexdigest()[:40]
        self._path = folder / key

    def recall(self) -> bytes | None:
        """The machine code; None if there is none, or if it was damaged."""
        with suppress(OSError, ReadError):
            whole = read_bytes(self._path, _MOST_BYTES)
            digest, code = whole[:_DIGEST_BYTES], whole[_DIGEST_BYTES:]
            if hashlib.sha256(code).digest() == digest:
                os.utime(self._path)
                return code
        return None

    def remember(self, code: bytes) -> None:
        """Keep machine code; where there are too many files, the quarter that was used longest ago makes room."""
        folder = self._path.parent
        with suppress(OSError, WriteError):
            folder.mkdir(parents=True, exist_ok=True)
            digest = hashlib.sha256(code).digest()
            write_atomically(self._path, lambda file: file.write(digest + code))
            there = [path for path in folder.iterdir() if not path.name.startswith(".")]
            if len(there) > _MOST_FILES:
                there.sort(key=lambda path: path.stat().st_mtime)
                for path in there[: len(there) - _MOST_FILES * 3 // 4]:  # not one by one: to look at all takes time
                    path.unlink(missing_ok=True)
