"""How long Numba has compiled in this process, so that it does not count as the time of the kernel that it compiles."""

from __future__ import annotations

import time
from functools import cache

from numba.core import event


class CompileClock(event.Listener):
    """Runs while Numba compiles; what it takes from its cache takes no time."""

    def __init__(self) -> None:
        self._began_s: list[float] = []
        """When each compilation under way began: one function compiles those that it calls."""
        self._ended_s = 0.0

    def on_start(self, event: event.Event) -> None:
        del event
        self._began_s.append(time.monotonic())

    def on_end(self, event: event.Event) -> None:
        del event
        began = self._began_s.pop()
        if not self._began_s:
            self._ended_s += time.monotonic() - began

    @property
    def seconds(self) -> float:
        """All seconds until now."""
        began = self._began_s[:1]
        return self._ended_s + (time.monotonic() - began[0] if began else 0.0)


@cache
def compile_clock() -> CompileClock:
    """The clock of this process, which runs from the first call on."""
    made = CompileClock()
    event.register("numba:compile", made)  # type: ignore[no-untyped-call]
    return made
