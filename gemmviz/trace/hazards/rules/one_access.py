"""What the rules share whose hazard is the address of one access alone."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.access import decode
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.hazards.rules.places import Place, slots_of_site, usual_place, warp_of
from gemmviz.trace.hazards.rules.positions import Positions, accesses_in, positions_of, sites_of, slots_of
from gemmviz.trace.hazards.rules.rule import Concern, WithinBlock

if TYPE_CHECKING:
    from gemmviz.trace.frames.access import LaneAccesses
    from gemmviz.trace.hazards.searched_block import SearchedBlock


class OneAccess(WithinBlock):
    """The part of a rule that asks of each access whether its address is at fault."""

    __slots__ = ()
    kind: HazardKind

    @staticmethod
    @abstractmethod
    def at_fault(trace: BlockTrace, accesses: LaneAccesses) -> LaneAccesses:
        """Those of some accesses that are at fault."""

    def concern(self, hazard: Hazard) -> Concern:
        del hazard
        return Concern.BOUNDS

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        return [hazard for hazard in block.unsound if hazard.kind is self.kind]

    def place(self, trace: BlockTrace, hazard: Hazard) -> Place | None:
        slots, warp = slots_of_site(trace, hazard), warp_of(trace, hazard)
        at_fault = self.at_fault(trace, decode(trace, slots, (warp, warp + 1))).slot
        return (int(at_fault.min()), warp) if at_fault.size else usual_place(trace, hazard)

    def slots_to_search(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> int:
        return slots_of(trace, sites_of(hazards, self.kind)).size

    def positions(self, frames: Frames, hazards: Sequence[Hazard]) -> list[Positions]:
        trace = frames.trace
        slots, warps = slots_of(trace, sites_of(hazards, self.kind)), trace.addresses.shape[0]
        return [positions_of(self.at_fault(trace, accesses), warps) for accesses in accesses_in(trace, slots)]
