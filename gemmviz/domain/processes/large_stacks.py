"""Threads with more stack than usual, for code that calls itself deeply or has very large frames."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

STACK_BYTES = 2**26
_one_at_a_time = threading.Lock()


@contextmanager
def large_stacks() -> Iterator[None]:
    """Threads that are started meanwhile have stacks of STACK_BYTES, of which the system gives what they use."""
    with _one_at_a_time:
        before = threading.stack_size(STACK_BYTES)
        try:
            yield
        finally:
            threading.stack_size(before)
