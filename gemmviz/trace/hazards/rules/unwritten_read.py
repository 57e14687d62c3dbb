"""Reads of what nothing has been written to. Frames and marks show those of shared memory alone: of C a block's trace
does not tell what other blocks wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gemmviz.domain.recordings.access import UNWRITTEN, AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.findings import ANY
from gemmviz.trace.hazards.rules.mark import HazardMark, accesses_at, name_of, running
from gemmviz.trace.hazards.rules.positions import Positions, accesses_in, positions_of, sites_of, slots_of
from gemmviz.trace.hazards.rules.rule import Concern, Precedence, WithinBlock
from gemmviz.trace.recorded_code import RecordedCode

if TYPE_CHECKING:
    from gemmviz.trace.hazards.searched_block import SearchedBlock

_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class UnwrittenReadRule(WithinBlock):
    """A read of a location that nothing has been written to."""

    kind: HazardKind = HazardKind.UNWRITTEN_READ
    precedence: Precedence = Precedence.ONE_THREAD
    unknown_values: str = "uninitialised read"
    barriers: None = None

    def concern(self, hazard: Hazard) -> Concern:
        return Concern.INITIAL_C if "`c_begins" in hazard.detail else Concern.INITIALISED

    def is_doubtful(self, hazard: Hazard, code: RecordedCode) -> bool:
        """What is read may have been written by what was not recorded."""
        hidden, sites = code.hidden, code.sites
        return ANY in hidden or (bool(hidden) and any(sites[one].array in ("", *hidden) for one in hazard.sites))

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        return [hazard for hazard in block.barriers_and_unwritten if hazard.kind is self.kind]

    def slots_to_search(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> int:
        readers = sites_of(hazards, self.kind)
        return slots_of(trace, readers).size + slots_of(trace, _writers(trace)).size if readers else 0

    def positions(self, frames: Frames, hazards: Sequence[Hazard]) -> list[Positions]:
        """Reads of shared slots that nobody has stored to when their frame ends."""
        readers = sites_of(hazards, self.kind)
        if not readers:
            return []
        trace, warps = frames.trace, frames.trace.addresses.shape[0]
        first = {
            number: np.full(array.rows * array.columns, _NEVER)
            for number, array in enumerate(trace.arrays)
            if array.space is Space.SHARED
        }
        for accesses in accesses_in(trace, slots_of(trace, _writers(trace))):
            for number, stored in first.items():
                here = accesses.only(accesses.array == number)
                element, which = here.elements()
                np.minimum.at(stored, element, positions_of(here, warps)[which])
        found = []
        for accesses in accesses_in(trace, slots_of(trace, readers)):
            for number, stored in first.items():
                here = accesses.only(accesses.array == number)
                element, which = here.elements()
                read = positions_of(here, warps)[which]
                later = (stored[element] == _NEVER) | (frames.frames_at(stored[element]) > frames.frames_at(read))
                found.append(read[later])
        return found

    def marks(self, frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
        """The slots that each site reads in this frame and that nobody has written when it ends."""
        return [
            mark
            for place, hazard in running(frame, hazards, self.kind)
            for mark in self._marks(frame, hazard, place, trace)
        ]

    def _marks(self, frame: Frame, hazard: Hazard, place: int, trace: BlockTrace) -> list[HazardMark]:
        accesses = accesses_at(frame, trace, hazard.sites)
        found = []
        for contents in frame.shared:
            array = contents.array
            loaded = accesses.only(accesses.array == trace.arrays.index(array))
            elements, which = loaded.elements()
            bare = contents.after.origin.reshape(-1)[elements] == UNWRITTEN
            if bare.any():
                first = int(np.argmax(bare))
                thread, name = int(loaded.thread[which[first]]), name_of(array, int(elements[first]))
                words = (
                    f"Uninitialised read, line {hazard.line}: thread {thread} reads {name}, but no thread has "
                    "written it: the value is undefined"
                )
                rows, columns = np.divmod(np.unique(elements[bare]), array.columns)
                found.append(HazardMark(self.kind, array, rows, columns, (thread,), words, place))
        return found


def _writers(trace: BlockTrace) -> set[int]:
    return {site.index for site in trace.sites if site.space is Space.SHARED and site.kind is AccessKind.STORE}
