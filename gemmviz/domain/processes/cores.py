"""How many cores there are to work with."""

from __future__ import annotations

import os


def core_count() -> int:
    """The cores this process may use, which may be fewer than the computer has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
