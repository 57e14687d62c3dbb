"""Shared memory touched while an asynchronous copy may still write there.

A frame does not show which copies are still under way: nothing is marked, the first example alone is placed and told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.rules.mark import HazardMark
from gemmviz.trace.hazards.rules.positions import Positions
from gemmviz.trace.hazards.rules.rule import Concern, Precedence, WithinBlock

if TYPE_CHECKING:
    from gemmviz.trace.hazards.searched_block import SearchedBlock


@dataclass(frozen=True, slots=True)
class CopyInFlightRule(WithinBlock):
    """An access to shared memory that an asynchronous copy may still write."""

    kind: HazardKind = HazardKind.COPY_IN_FLIGHT
    precedence: Precedence = Precedence.COPY
    unknown_values: str = "copy not waited for"
    barriers: None = None

    def concern(self, hazard: Hazard) -> Concern:
        del hazard
        return Concern.ORDER

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        from gemmviz.trace.hazards.copies_in_flight import touched_in_flight

        return touched_in_flight(block.trace, block.sound, block.table)

    def slots_to_search(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> int:
        del trace, hazards
        return 0

    def positions(self, frames: Frames, hazards: Sequence[Hazard]) -> list[Positions]:
        del frames, hazards
        return []

    def marks(self, frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
        del frame, hazards, trace
        return []
