"""Barriers that some threads of a block reach and others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.hazards.barriers import missed_barriers
from gemmviz.trace.hazards.rules.barrier_rule import BarrierRule
from gemmviz.trace.hazards.rules.rule import BarriersAtFault, Concern

if TYPE_CHECKING:
    from gemmviz.trace.hazards.searched_block import SearchedBlock


@dataclass(frozen=True, slots=True)
class DivergentBarrierRule(BarrierRule):
    """A barrier that some threads of a block reach and others do not."""

    kind: HazardKind = HazardKind.DIVERGENT_BARRIER
    barriers: BarriersAtFault = missed_barriers

    def concern(self, hazard: Hazard) -> Concern:
        del hazard
        return Concern.ORDER

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        """Those of the block, told with the unwritten reads that they lead to."""
        return [hazard for hazard in block.barriers_and_unwritten if hazard.kind is self.kind]
