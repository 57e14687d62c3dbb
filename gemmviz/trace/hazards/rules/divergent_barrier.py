"""Barriers that some threads of a block reach and others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.hazards.rules.barrier_rule import BarrierRule
from gemmviz.trace.hazards.rules.rule import BarrierFaults, Concern

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
class DivergentBarrierRule(BarrierRule):
    """A barrier that some threads of a block reach and others do not."""

    kind: HazardKind = HazardKind.DIVERGENT_BARRIER
    barriers: BarrierFaults = MissedBarriers()

    def concern(self, hazard: Hazard) -> Concern:
        del hazard
        return Concern.ORDER

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        return [hazard for hazard in block.barriers_and_unwritten if hazard.kind is self.kind]
