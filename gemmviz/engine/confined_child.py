"""How a process of `confined_process.py` begins and ends: confined before it loads a library or reads the file."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from gemmviz.engine.sandbox.attempts import DeniedAttempt
from gemmviz.engine.sandbox.confined import confine
from gemmviz.engine.sandbox.confinement import beginning_of, confinement_of, sources_of

_FAILED = 1

Work = Callable[[dict[str, Any], Path], None]
"""Given the request, whose "file" is the kernel's and "folder" the one to answer in."""


def work_confined(work: Work, need_bytes: int) -> None:
    """Do what standard input asks for, in a sandbox in which matrices may take `need_bytes`; leaves the process. With
    "uses_gpu" in the request it may open GPUs.
    """
    request = json.loads(sys.stdin.buffer.read())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    path, folder = Path(request["file"]), Path(request["folder"])

    def tell(attempt: DeniedAttempt) -> int:
        (folder / "reason.txt").write_text(attempt.words, encoding="utf-8")
        return _FAILED

    sources = sources_of(path, beginning_of(path))
    uses_gpu = bool(request.get("uses_gpu", False))
    confine(confinement_of(sources, need_bytes, folder, starts_compilers=True, uses_gpu=uses_gpu), tell)
    work(request, folder)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)  # a compiler that did not end in time may still run
