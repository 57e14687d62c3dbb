"""The host's clock, as a parameter, so that a test can bring its own."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """A monotonic clock of the host."""

    def now_ns(self) -> int:
        """Nanoseconds since a fixed but unknown moment; never smaller than before."""
        ...


class SystemClock:
    """`time.perf_counter_ns`: the finest monotonic clock Python offers."""

    def now_ns(self) -> int:
        return time.perf_counter_ns()


def elapsed_ms(start_ns: int, end_ns: int) -> float:
    """Milliseconds between two readings of one clock."""
    return (end_ns - start_ns) / 1e6


def elapsed_s(start_ns: int, end_ns: int) -> float:
    """Seconds between two readings of one clock."""
    return (end_ns - start_ns) / 1e9
