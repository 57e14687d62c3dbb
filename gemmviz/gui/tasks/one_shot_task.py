"""Work that holds on to nothing once it is done or no longer wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class OneShotTask:
    """A function to be called once at most; then, or when told to, it lets go of everything it was made of.

    WORKAROUND: PySide6 never frees a QRunnable written in Python (QThreadPool.start takes a reference for good), and
    with it would stay whole recordings.
    """

    def __init__(self, function: Callable[[], Any]) -> None:
        self._function: Callable[[], Any] | None = function

    def __call__(self) -> Any:
        function, self._function = self._function, None
        return function() if function is not None else None

    def forget(self) -> None:
        """Let go of it; called after that, it does nothing."""
        self._function = None
