"""Barriers that some threads of a block reach and others do not: no element is marked, the frame is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.rules.mark import HazardMark
from gemmviz.trace.hazards.rules.positions import Positions
from gemmviz.trace.hazards.rules.rule import Concern, Precedence, WithinBlock

if TYPE_CHECKING:
    from gemmviz.trace.hazards.searched_block import SearchedBlock


@dataclass(frozen=True, slots=True)
class MissedBarriers:
    """Barriers that some threads of the block reach and others do not."""

    def slots(self, trace: BlockTrace) -> NDArray[np.int64]:
        slots = np.flatnonzero(trace.slot_site == BARRIER_SITE)
        arrived = (trace.addresses[:, slots] != INACTIVE).transpose(1, 0, 2).reshape(slots.size, -1)[:, : trace.threads]
        return np.asarray(slots[arrived.any(axis=1) & ~arrived.all(axis=1)], np.int64)

    def words(self, trace: BlockTrace, slot: int) -> str:
        missing = np.flatnonzero((trace.addresses[:, slot] == INACTIVE).reshape(-1)[: trace.threads])
        others = f" and {missing.size - 1} more do" if missing.size > 1 else " does"
        barriers = np.flatnonzero(trace.slot_site == BARRIER_SITE).tolist()
        place = next((place for at, place in zip(barriers, trace.ended_by, strict=False) if at == slot), None)
        line = f", line {place.line}" if place is not None and place.line else ""
        return f"Divergent barrier{line}: thread {missing[0]}{others} not reach it, but every thread must"


@dataclass(frozen=True, slots=True)
class DivergentBarrierRule(WithinBlock):
    """A barrier that some threads of a block reach and others do not."""

    kind: HazardKind = HazardKind.DIVERGENT_BARRIER
    precedence: Precedence = Precedence.BARRIER
    unknown_values: str = ""
    barriers: MissedBarriers = MissedBarriers()

    def concern(self, hazard: Hazard) -> Concern:
        del hazard
        return Concern.ORDER

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        return [hazard for hazard in block.barriers_and_unwritten if hazard.kind is self.kind]

    def slots_to_search(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> int:
        del trace, hazards
        return 0

    def positions(self, frames: Frames, hazards: Sequence[Hazard]) -> list[Positions]:
        """Frames end at a barrier with their last warp."""
        if all(hazard.kind is not self.kind for hazard in hazards):
            return []
        warps = frames.trace.addresses.shape[0]
        return [self.barriers.slots(frames.trace) * warps + warps - 1]

    def marks(self, frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
        del frame, hazards, trace
        return []
