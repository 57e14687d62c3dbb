"""A name for one process on one machine, which tells later whether that process still lives."""

from __future__ import annotations

import hashlib
import os
import platform
import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

_FORM = re.compile(r"([0-9a-f]{8})-(\d{1,10})-(\d{1,12})")
_CLOCK_S = 30
"""How far the system may set its clock without a process seeming to be another."""


def process_stamp() -> str:
    """The stamp of this process, for names of files: machine, process id, start in s: "5b1f0c3a-4711-1767225600"."""
    return _stamp_of(os.getpid())


@lru_cache(1)
def _stamp_of(pid: int) -> str:
    import psutil

    return f"{_machine()}-{pid}-{int(psutil.Process(pid).create_time())}"


def is_of_a_dead_process(name: str) -> bool:
    """Whether a name has the stamp of a process of this machine that has ended; False where nobody can tell."""
    match = _FORM.search(name)
    if match is None or match[1] != _machine():
        return False
    import psutil

    try:
        process = psutil.Process(int(match[2]))
        is_another = abs(process.create_time() - int(match[3])) > _CLOCK_S
        return is_another or bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
    except (psutil.Error, OSError, OverflowError):
        return False


@lru_cache(1)
def _machine() -> str:
    """Who counts process ids: a folder may be shared between machines, and between containers."""
    namespace = 0
    with suppress(OSError):
        namespace = Path("/proc/self/ns/pid").stat().st_ino
    return hashlib.sha256(f"{platform.node()} {namespace}".encode()).hexdigest()[:8]
