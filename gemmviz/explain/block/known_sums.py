"""The sums of a small block's threads, as far as its recording tells them: not where it leaves open what they read."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from gemmviz.domain.recordings.access import AccessKind, Space, result_name
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.warp import LANES
from gemmviz.explain.block.arithmetic import Floats, Sum, makers_of, rounding_of, sums_of
from gemmviz.explain.block.rounding import Rounding
from gemmviz.explain.block.turns import Turns
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.hazards.rules.table import RULES


def other_sum(result: str) -> str:
    """That the result, C or D, holds something else than the products added up, in few words."""
    return f"{result} holds another sum"


def undecided_by(run: TraceRun, block: tuple[int, int, int]) -> str:
    """The hazard that leaves open what the threads of a block read from shared memory, in few words; "" where there is
    none.
    """
    shared = {site.index for site in run.sites if site.space is Space.SHARED}
    kinds = {
        hazard.kind
        for hazard in run.hazards
        if (hazard.block == block or hazard.blocks != 1) and not shared.isdisjoint(hazard.sites)
    }
    found = [rule for kind, rule in RULES.items() if kind in kinds and rule.unknown_values]
    return min(found, key=lambda rule: rule.precedence).unknown_values if found else ""


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
    def turns(self) -> Turns | None:
        """The turns that the threads took, where they raced and what they stored shows it; None where it does not."""
        a, b, c = self._a, self._b, self._c
        if a is None or b is None or c is None or not (self._hazard or self._c_differs()):
            return None
        taken = (Turns(self._frames, a, b, c, together) for together in (1, LANES))
        return next((turns for turns in taken if turns.rounding is not None), None)

    @cached_property
    def unknown(self) -> str:
        """Why it is not known which products the threads added, in few words; "" where it is known."""
        if self.turns is not None:
            return ""
        return self._hazard or (other_sum(result_name(self._frames.trace.arrays)) if self._c_differs() else "")

    def unknown_at(self, index: int) -> str:
        """As `unknown`, up to and with frame `index`: "" as long as no thread has read what it adds up."""
        return self.unknown if index >= self.first_read else ""

    @cached_property
    def first_read(self) -> int:
        """The first frame with a read from shared memory; of a block that reads none, from global memory."""
        trace = self._frames.trace
        reads = [site for site in trace.sites if site.kind is not AccessKind.STORE]
        from_shared = [site for site in reads if site.space is Space.SHARED]
        warps = trace.addresses.shape[0]
        slots = np.flatnonzero(np.isin(trace.slot_site, [site.index for site in from_shared or reads]))
        frames = self._frames.frames_at((slots[:, None] * warps + np.arange(warps)).ravel())
        return int(frames.min(initial=len(self._frames)))

    def of_thread(self, thread: int, index: int) -> tuple[Sum, ...]:
        """The sums of a thread up to and with frame `index`; without terms where these are not known.

        Raises:
            IndexError: there is no such thread.
        """
        if self.turns is not None and self.turns.rounding is not None:
            return self.turns.sums_of(thread, index, self.turns.rounding)
        if not self.unknown_at(index):
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
