"""Races within a block: two threads at one location between the same two barriers, one of them writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.access import LaneAccesses
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.races import RacedElements, race_pairs_in
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.race_words import race_words
from gemmviz.trace.hazards.rules.mark import HazardMark, name_of, running
from gemmviz.trace.hazards.rules.positions import Positions, accesses_in, positions_of, slots_of
from gemmviz.trace.hazards.rules.rule import Concern, Precedence, WithinBlock

if TYPE_CHECKING:
    from gemmviz.trace.hazards.searched_block import SearchedBlock


@dataclass(frozen=True, slots=True)
class RaceRule(WithinBlock):
    """Two threads of a block touch one location in one epoch, and one of them writes."""

    kind: HazardKind = HazardKind.RACE
    precedence: Precedence = Precedence.TWO_THREADS
    unknown_values: str = "race"
    barriers: None = None

    def concern(self, hazard: Hazard) -> Concern:
        del hazard
        return Concern.ORDER

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        from gemmviz.trace.hazards.races import races

        return races(block.trace, block.shadow, block.sound)

    def slots_to_search(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> int:
        return sum(slots_of(trace, pair).size for pair in self._pairs(hazards))

    def positions(self, frames: Frames, hazards: Sequence[Hazard]) -> list[Positions]:
        trace = frames.trace
        return [
            _racing(trace, accesses, pair)
            for pair in self._pairs(hazards)
            for accesses in accesses_in(trace, slots_of(trace, pair))
        ]

    def marks(self, frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
        """The elements of this frame that one thread stores and another touches before the next barrier."""
        races = [hazard for _, hazard in running(frame, hazards, self.kind)]
        race_pairs = race_pairs_in(
            frame, trace, [hazard.sites for hazard in races], [hazard.threads for hazard in races]
        )
        return [
            self._mark(hazard, race_pair, trace)
            for hazard, met in zip(races, race_pairs, strict=True)
            for race_pair in met
        ]

    def _pairs(self, hazards: Sequence[Hazard]) -> set[tuple[int, ...]]:
        return {hazard.sites for hazard in hazards if hazard.kind is self.kind}

    def _mark(self, hazard: Hazard, race_pair: RacedElements, trace: BlockTrace) -> HazardMark:
        sites = {site.index: site for site in trace.sites}
        earlier, later = sites[hazard.sites[0]], sites[hazard.sites[-1]]
        said = race_words(earlier, later, race_pair.threads, name_of(race_pair.array, race_pair.element))
        rows, columns = np.divmod(race_pair.elements, race_pair.array.columns)
        words = f"Race, line {hazard.line}: {said}"
        return HazardMark(self.kind, race_pair.array, rows, columns, race_pair.threads, words)


def _racing(trace: BlockTrace, accesses: LaneAccesses, pair: tuple[int, ...]) -> Positions:
    """Positions of accesses at either site that meet another thread at the other one, between the same barriers."""
    accesses = accesses.only(accesses.array >= 0)
    element, which = accesses.elements()
    if not element.size:
        return np.zeros(0, np.int64)
    epoch, extent = trace.slot_epoch[accesses.slot[which]].astype(np.int64), int(element.max()) + 1
    place = (epoch * len(trace.arrays) + accesses.array[which]) * extent + element
    thread, site = accesses.thread[which], accesses.site[which]
    is_at = [site == pair[0], site == pair[-1]]
    racing = np.zeros(element.size, np.bool_)
    for here, there in (is_at, is_at[::-1]):
        known, least, most = _ends(place[there], thread[there])
        if known.size:
            at = np.minimum(np.searchsorted(known, place[here]), known.size - 1)
            meets = (known[at] == place[here]) & ((least[at] != thread[here]) | (most[at] != thread[here]))
            racing[np.flatnonzero(here)[meets]] = True
    return positions_of(accesses, trace.addresses.shape[0])[which[racing]]


def _ends(
    place: NDArray[np.int64], thread: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Each place once, ascending, with the lowest and the highest thread at it, shape (n,) each."""
    order = np.lexsort((thread, place))
    place, thread = place[order], thread[order]
    is_first = np.diff(place, prepend=-1) > 0
    is_last = np.roll(is_first, -1)
    return place[is_first], thread[is_first], thread[is_last]
