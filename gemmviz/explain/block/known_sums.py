"""The sums of a small block's threads, as far as its recording tells them: not where it leaves open what they read."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from gemmviz.domain.recordings.access import Space, result_name
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.arithmetic import Floats, Sum, makers_of, rounding_of, sums_of
from gemmviz.explain.block.rounding import Rounding
from gemmviz.trace.frames.frames import Frames

UNDECIDED = {
    HazardKind.RACE: "race",
    HazardKind.UNWRITTEN_READ: "uninitialised read",
    HazardKind.COPY_IN_FLIGHT: "copy not waited for",
}
"""The hazards in shared memory after which nobody can say which values a thread read, in few words."""


def other_sum(result: str) -> str:
    """That the result, C or D, holds something else than the products added up, in few words."""
    return f"{result} holds another sum"


def undecided_by(run: TraceRun, block: tuple[int, int, int]) -> str:
    """The hazard that leaves open what the threads of a block read from shared memory; "" where there is none."""
    shared = {site.index for site in run.sites if site.space is Space.SHARED}
    found = {
        hazard.kind
        for hazard in run.hazards
        if (hazard.block == block or hazard.blocks != 1) and not shared.isdisjoint(hazard.sites)
    }
    return next((words for kind, words in UNDECIDED.items() if kind in found), "")


class KnownSums:
    """The sums of one block with its values; A and B may be unknown, and so may C."""

    def __init__(self, run: TraceRun, frames: Frames, a: Floats | None, b: Floats | None, c: Floats | None) -> None:
        self._frames, self._a, self._b, self._c = frames, a, b, c
        self._hazard = undecided_by(run, frames.trace.block)

    @cached_property
    def rounding(self) -> Rounding | None:
        """How the threads rounded; None where it is not known."""
        if self._a is None or self._b is None:
            return None
        return rounding_of(self._frames, self._a, self._b, self._c)

    @cached_property
    def unknown(self) -> str:
        """Why it is not known which products the threads added, in few words; "" where it is known."""
        return self._hazard or (other_sum(result_name(self._frames.trace.arrays)) if self._c_differs() else "")

    def of_thread(self, thread: int, index: int) -> tuple[Sum, ...]:
        """The sums of a thread up to and with frame `index`; without terms where these are not known.

        Raises:
            IndexError: there is no such thread.
        """
        if not self.unknown:
            return sums_of(self._frames, thread, index, self._a, self._b, self.rounding, self._c)
        found = sums_of(self._frames, thread, index, self._a, self._b, None, self._c)
        return tuple(replace(each, terms=(), unknown=self.unknown) for each in found)

    def of_all(self, index: int) -> list[Sum]:
        """The sums of all threads that store to C."""
        return [found for thread in makers_of(self._frames) for found in self.of_thread(thread, index)]

    def _c_differs(self) -> bool:
        """Whether C holds something else than a sum of all its products, further off than rounding explains."""
        a, b, c = self._a, self._b, self._c
        if a is None or b is None or c is None or self.rounding is not None:
            return False
        last, depth = len(self._frames) - 1, a.shape[1]
        for thread in makers_of(self._frames):
            for found in sums_of(self._frames, thread, last, a, b, Rounding.SEPARATE):
                left, right = a[found.row].astype(np.float64), b[:, found.column].astype(np.float64)
                bound = depth * float(np.finfo(np.float32).eps) * float(np.abs(left) @ np.abs(right))
                if len(found.terms) == depth and abs(float(left @ right) - float(c[found.row, found.column])) > bound:
                    return True
        return False
