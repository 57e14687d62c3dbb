"""What was compiled, remembered on disk."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import suppress
from pathlib import Path

from gemmviz.domain.files.bounded_read import read_bytes, read_text
from gemmviz.domain.files.leftovers import part_beside

_MOST_REMEMBERED = 2000
MOST_MADE_BYTES = 2**28
"""Of a file that a compiler or an assembler makes of a kernel."""

Made = tuple[bytes, str, str]
"""Cubin, PTX, and what the compiler said."""


class CodeCache:
    """What was compiled, a folder for each, which appears at once or not at all.

    Without a folder that can be written nothing is remembered.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def recall(self, key: str) -> Made | None:
        folder = self._folder / key
        try:
            facts = json.loads(read_text(folder / "facts.json", MOST_MADE_BYTES))
            cubin = read_bytes(folder / "kernel.cubin", MOST_MADE_BYTES)
            ptx = read_text(folder / "kernel.ptx", MOST_MADE_BYTES)
            if facts["digests"] != _digests(cubin, ptx):
                return None
            log = facts["log"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        with suppress(OSError):
            os.utime(folder)
        return (cubin, ptx, log) if isinstance(log, str) else None

    def remember(self, key: str, made: Made) -> None:
        cubin, ptx, log = made
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            temporary = part_beside(self._folder / key)
            temporary.mkdir()
            try:
                (temporary / "kernel.cubin").write_bytes(cubin)
                (temporary / "kernel.ptx").write_text(ptx, encoding="utf-8")
                facts = {"digests": _digests(cubin, ptx), "log": log}
                (temporary / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
                if (self._folder / key).exists():  # damaged, or somebody was faster
                    shutil.rmtree(self._folder / key, ignore_errors=True)
                temporary.rename(self._folder / key)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
            self._forget_the_oldest()

    def _forget_the_oldest(self) -> None:
        there = [path for path in self._folder.iterdir() if not path.name.startswith(".")]
        if len(there) <= _MOST_REMEMBERED:
            return
        there.sort(key=lambda path: path.stat().st_mtime)
        for path in there[: len(there) - _MOST_REMEMBERED * 3 // 4]:
            shutil.rmtree(path, ignore_errors=True)


def _digests(cubin: bytes, ptx: str) -> list[str]:
    return [hashlib.sha256(part).hexdigest()[:16] for part in (cubin, ptx.encode())]
