"""The programs of the PTX machine that were made last: a kernel that runs at many sizes has the same code at each."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from gemmviz.machine.log import LogPlan
from gemmviz.machine.program import Program
from gemmviz.machine.watched import WatchPlan

_MOST = 16
"""Kept at a time. A kernel under examination has about ten: as compiled, as written, and recorded in several ways."""


class RecentPrograms:
    """Programs by what they are made from; the one that was used longest ago makes room. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, Program] = OrderedDict()

    def recall(self, key: Hashable, make: Callable[[], Program]) -> Program:
        """The program of that key, or what `make` returns, which is kept; what `make` raises is raised."""
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        made = make()
        with self._lock:
            self._kept[key] = made
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)
        return made

    def forget(self) -> None:
        """Keep none of them any longer."""
        with self._lock:
            self._kept.clear()


PROGRAMS = RecentPrograms()
"""Those of this process."""


def key_of(
    ptx: str, symbol: str, source_name: str, log: LogPlan | None, level: int | None, watched: WatchPlan | None
) -> Hashable:
    """All that a program depends on."""
    logged = None if log is None else tuple(sorted(log.items(), key=lambda one: one[0]))
    values = None if watched is None else tuple((place, tuple(watched[place])) for place in sorted(watched))
    return ptx, symbol, source_name, logged, level, values
