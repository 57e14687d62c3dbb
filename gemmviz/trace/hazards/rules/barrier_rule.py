"""What the rules share whose hazards are barriers: no element is marked, the frame that ends at the barrier is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.barriers import barriers_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.barrier_faults import as_hazards
from gemmviz.trace.hazards.rules.mark import HazardMark
from gemmviz.trace.hazards.rules.places import Place, first_run, usual_place, warp_of
from gemmviz.trace.hazards.rules.positions import Positions
from gemmviz.trace.hazards.rules.rule import BarriersAtFault, Precedence, WithinBlock

if TYPE_CHECKING:
    from gemmviz.trace.hazards.searched_block import SearchedBlock


class BarrierRule(WithinBlock):
    """The part of a rule whose hazards are `barriers`; what is left is `concern`."""

    __slots__ = ()
    kind: HazardKind
    barriers: BarriersAtFault
    precedence = Precedence.BARRIER
    unknown_values = ""

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        return as_hazards(self.kind, block.trace, self.barriers(block.trace))

    def place(self, trace: BlockTrace, hazard: Hazard) -> Place | None:
        barriers = barriers_of(trace)
        slots = barriers.slots[barriers.epochs == hazard.epoch]
        return first_run(trace, slots, warp_of(trace, hazard)) if slots.size else usual_place(trace, hazard)

    def slots_to_search(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> int:
        del trace, hazards
        return 0

    def positions(self, frames: Frames, hazards: Sequence[Hazard]) -> list[Positions]:
        """Frames end at a barrier with their last warp."""
        if all(hazard.kind is not self.kind for hazard in hazards):
            return []
        warps = frames.trace.addresses.shape[0]
        slots = np.array([fault.slot for fault in self.barriers(frames.trace)], np.int64)
        return [slots * warps + warps - 1]

    def marks(self, frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
        del frame, hazards, trace
        return []
