"""Ctrl+C at a moment of our own: inside Qt's painters an exception would end as a complaint of Qt's."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def heard_between_steps() -> Iterator[Callable[[], None]]:
    """While the block runs Ctrl+C is only noted; the function that is handed out raises KeyboardInterrupt then.

    To be called often. For the main thread.
    """
    is_asked = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal is_asked
        is_asked = True

    def check() -> None:
        if is_asked:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)
