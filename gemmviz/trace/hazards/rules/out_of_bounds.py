"""Accesses outside their array: they are marked just beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame, OutOfBounds
from gemmviz.trace.hazards.rules.mark import HazardMark
from gemmviz.trace.hazards.rules.positions import Positions, accesses_in, positions_of, sites_of, slots_of
from gemmviz.trace.hazards.rules.rule import Concern, Precedence, WithinBlock

if TYPE_CHECKING:
    from gemmviz.trace.hazards.searched_block import SearchedBlock


@dataclass(frozen=True, slots=True)
class OutOfBoundsRule(WithinBlock):
    """An access that lies, wholly or in part, outside its array."""

    kind: HazardKind = HazardKind.OUT_OF_BOUNDS
    precedence: Precedence = Precedence.OUTSIDE_ARRAYS
    unknown_values: str = ""
    barriers: None = None

    def concern(self, hazard: Hazard) -> Concern:
        del hazard
        return Concern.BOUNDS

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        return [hazard for hazard in block.unsound if hazard.kind is self.kind]

    def slots_to_search(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> int:
        return slots_of(trace, sites_of(hazards, self.kind)).size

    def positions(self, frames: Frames, hazards: Sequence[Hazard]) -> list[Positions]:
        trace = frames.trace
        slots, warps = slots_of(trace, sites_of(hazards, self.kind)), trace.addresses.shape[0]
        return [positions_of(accesses.outside(), warps) for accesses in accesses_in(trace, slots)]

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
