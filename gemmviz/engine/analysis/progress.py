"""What a recording does while nothing of it can be seen yet, in words."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType

from numba.core import event
from numba.core.dispatcher import Dispatcher

from gemmviz.backends.base import KernelTimeoutError
from gemmviz.domain.figures import counted
from gemmviz.engine.analysis.words import COMPILING, function_words
from gemmviz.trace.recorder import BlocksSeen

ONCE, ONCE_LONGER = "once for all kernels, up to 1 min", "once for all kernels, longer than the usual 1 min"
"""How often Numba compiles what counts and checks accesses, and how long that takes; it keeps the code on disk."""
USUAL_S = 60.0
"""The time of ONCE."""
_PACKAGE = "gemmviz."


def words_of(seen: BlocksSeen, blocks: int) -> str:
    """How far the recording of so many blocks is: "recording block 2 of 16, 12 400 events so far"."""
    which = "the block" if blocks == 1 else f"block {min(seen.blocks + 1, blocks)} of {blocks}"
    if seen.events:
        return f"recording {which}, {counted(seen.events, 'event')} so far"
    return f"counting and checking the accesses of {which}"


_BUSY = 2.0
"""So many times as long as a processor worked for it, a computer was busy with other things."""
_MOST_WAITS = 10
"""Time limits for which nothing may come of the counting, even where no processor works for it."""


class CountingLimit:
    """The longest time that accesses may be counted and checked while no block runs; what Numba takes to compile is
    none of it. Time is that in which a processor works for this process, since other programs may take them all.
    """

    def __init__(
        self,
        limit_s: float,
        blocks: int,
        clock: Callable[[], float] = time.monotonic,
        worked: Callable[[], float] = time.process_time,
    ) -> None:
        self._limit_s, self._blocks, self._clock, self._worked = limit_s, blocks, clock, worked
        self._seen, self._compiled = 0, 0
        self._began = clock(), worked()

    def check(self, seen: BlocksSeen, compiled: int, *, is_compiling: bool) -> None:
        """Hear how far the recording is, and how many functions Numba has begun to compile by now.

        Raises:
            KernelTimeoutError: nothing came of the counting for too long; the thread that counts goes on.
        """
        if seen.events or seen.blocks != self._seen or is_compiling or compiled != self._compiled:
            self._seen, self._compiled = seen.blocks, compiled
            self._began = self._clock(), self._worked()
            return
        passed, worked = self._clock() - self._began[0], self._worked() - self._began[1]
        if min(passed, worked) > self._limit_s or passed > _MOST_WAITS * self._limit_s:
            is_busy = passed > _BUSY * max(worked, self._limit_s)
            busy = f" The computer was busy with other programs: it took {passed:.0f} s." if is_busy else ""
            raise KernelTimeoutError(
                f"{words_of(seen, self._blocks)} did not end within {self._limit_s:g} s.{busy} "
                "Choose a smaller size or a longer time limit"
            )


class NumbaCompiling:
    """Sees what Numba compiles in this process while it is entered; functions that Numba has on disk are none of it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._stack, self._clock = ExitStack(), clock
        self._since: float | None = None
        self._own, self._most = 0, 1

    def __enter__(self) -> NumbaCompiling:
        self._heard = self._stack.enter_context(event.install_recorder("numba:compile"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def begun(self) -> int:
        """How many functions were begun by now."""
        return sum(one.is_start for _, one in list(self._heard.buffer))

    def words(self) -> str:
        """What is compiled, how often that happens and how long it takes, and how many functions were begun by now; ""
        while none is compiled.
        """
        heard = [one for _, one in list(self._heard.buffer)]
        begun = sum(one.is_start for one in heard)
        if begun == sum(one.is_end for one in heard):
            return ""
        now = self._clock()
        self._since = now if self._since is None else self._since
        once = ONCE if now - self._since <= USUAL_S else ONCE_LONGER
        own = max(len({one.data["dispatcher"] for one in heard if one.is_start and _is_own(one.data["dispatcher"])}), 1)
        if own != self._own:  # to look through all modules each time would slow down what is compiled
            self._own, self._most = own, max(own_functions(), own)
        return f"{COMPILING}, {once}: {function_words(own, self._most)}"


def _is_own(dispatcher: Dispatcher) -> bool:
    """Whether a function is one of gemmviz's, and not one of Numba's that it calls."""
    return str(dispatcher.py_func.__module__).startswith(_PACKAGE)


def own_functions() -> int:
    """How many functions of gemmviz's modules Numba compiles if all are called."""
    # other threads import modules meanwhile, and a copy is made at once
    modules = [one for name, one in sys.modules.copy().items() if name.startswith(_PACKAGE)]
    found = {id(one) for module in modules for one in list(vars(module).values()) if isinstance(one, Dispatcher)}
    return len(found)
