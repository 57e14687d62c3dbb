"""Accesses outside their array: they are marked just beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.access import LaneAccesses
from gemmviz.trace.frames.values import Frame, OutOfBounds
from gemmviz.trace.hazards.rules.mark import HazardMark
from gemmviz.trace.hazards.rules.one_access import OneAccess
from gemmviz.trace.hazards.rules.rule import Precedence


@dataclass(frozen=True, slots=True)
class OutOfBoundsRule(OneAccess):
    """An access that lies, wholly or in part, outside its array."""

    kind: HazardKind = HazardKind.OUT_OF_BOUNDS
    precedence: Precedence = Precedence.OUTSIDE_ARRAYS
    unknown_values: str = ""
    barriers: None = None

    @staticmethod
    def at_fault(trace: BlockTrace, accesses: LaneAccesses) -> LaneAccesses:
        del trace
        return accesses.outside()

    def marks(self, frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
        """Accesses outside every array, each at the array it lies nearest to."""
        del hazards, trace
        outside: OutOfBounds = frame.out_of_bounds
        if outside.address.size == 0 or not frame.arrays:
            return []
        ends = np.array([(a.base, a.base + a.nbytes) for a in frame.arrays], np.int64)
        away = np.maximum(ends[:, 0] - outside.address[:, None], outside.address[:, None] - ends[:, 1] + 1)
        nearest = away.argmin(axis=1)
        return [self._mark(frame, outside, nearest == index, int(index)) for index in np.unique(nearest).tolist()]

    def _mark(self, frame: Frame, outside: OutOfBounds, here: np.ndarray, index: int) -> HazardMark:
        array = frame.arrays[index]
        lines = {site.index: site.line for site in frame.sites}
        element = array.numbers_at((outside.address[here] - array.base) // array.element_bytes)
        rows, columns = np.divmod(np.unique(element), array.columns)
        threads = tuple(np.unique(outside.thread[here]).tolist())
        line = min(lines.get(int(site), 0) for site in outside.site[here])
        count = int(here.sum())
        said = (
            f"{count} accesses, the first by thread {threads[0]}" if count > 1 else f"an access by thread {threads[0]}"
        )
        return HazardMark(self.kind, array, rows, columns, threads[:2], f"Outside {array.name}, line {line}: {said}")
