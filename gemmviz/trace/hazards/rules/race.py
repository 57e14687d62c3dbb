"""Races within a block: two threads at one location between the same two barriers, one of them writing."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemmviz.compiler.ptx.arrivals import uses_arrivals
from gemmviz.domain.recordings.access import BlockTrace, MappedArray
from gemmviz.domain.recordings.hazard import Hazard, HazardKind, by_gravity
from gemmviz.domain.recordings.racing_requests import RacingRequests
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.access import locate
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.race_words import equal_words, race_words
from gemmviz.trace.hazards.races.racing_requests import between_barriers
from gemmviz.trace.hazards.races.updates import update_it
from gemmviz.trace.hazards.rules.mark import HazardMark, name_of, running
from gemmviz.trace.hazards.rules.places import Place, usual_place
from gemmviz.trace.hazards.rules.positions import Positions, slots_of
from gemmviz.trace.hazards.rules.rule import Concern, Precedence, WithinBlock
from gemmviz.trace.recorded_code import RecordedCode

if TYPE_CHECKING:
    from gemmviz.trace.hazards.searched_block import SearchedBlock

Rows = NDArray[np.intp]
"""Rows of the columns of RacingRequests, shape (n,)."""

_made: dict[int, tuple[frozenset[tuple[int, ...]], RacingRequests]] = {}
"""Of recordings of older versions: the pairs of sites and their racing requests, by the identity of a trace's
addresses, for as long as these live. One frame after the other asks for them.
"""


@dataclass(frozen=True, slots=True)
class RaceRule(WithinBlock):
    """Two threads of a block touch one location in one epoch, one of them writes, and nothing puts that in order.

    Frames and marks show the accesses that the search found (`BlockTrace.racing`).
    """

    kind: HazardKind = HazardKind.RACE
    precedence: Precedence = Precedence.TWO_THREADS
    unknown_values: str = "race"
    heading: str = "Race"
    barriers: None = None

    def concern(self, hazard: Hazard) -> Concern | None:
        del hazard
        return Concern.ORDER

    def is_doubtful(self, hazard: Hazard, code: RecordedCode) -> bool:
        """What arrives at a barrier and does not wait may put in order what seems to race."""
        del hazard
        return uses_arrivals(code.text)

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        from gemmviz.trace.hazards.races.races import races

        return races(block.trace, block.shadow, block.sound)

    def place(self, trace: BlockTrace, hazard: Hazard) -> Place | None:
        """The first request in the hazard's epoch, at its later site, in which its second thread races."""
        if trace.racing is None or not (hazard.threads and hazard.sites):
            return usual_place(trace, hazard)
        thread = hazard.threads[-1]
        rows = trace.racing.rows_of(hazard.sites)
        slot, warp = trace.racing.slot[rows], trace.racing.warp[rows]
        found = (trace.slot_epoch[slot] == hazard.epoch) & (trace.slot_site[slot] == hazard.sites[-1])
        found &= (warp == thread // LANES) & (trace.racing.lanes[rows] >> thread % LANES & 1).astype(np.bool_)
        return (int(slot[np.argmax(found)]), thread // LANES) if found.any() else usual_place(trace, hazard)

    def slots_to_search(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> int:
        if trace.racing is not None:
            return 0
        return sum(slots_of(trace, pair).size for pair in self._pairs(hazards))

    def positions(self, frames: Frames, hazards: Sequence[Hazard]) -> list[Positions]:
        trace, racing = frames.trace, requests_of(frames.trace, hazards)
        rows = [racing.rows_of(pair) for pair in self._pairs(hazards)]
        return [racing.slot[at].astype(np.int64) * len(trace.addresses) + racing.warp[at] for at in rows]

    def marks(self, frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
        """The elements of this frame at which an access races, one mark for each race and array, the gravest first."""
        racing = requests_of(trace, hazards)
        found = [
            (hazard, _rows_in(frame, racing, hazard.sites))
            for _, hazard in running(frame, by_gravity(hazards), self.kind)
        ]
        return [mark for hazard, rows in found for mark in self._marks(hazard, racing, rows, trace)]

    def _marks(self, hazard: Hazard, racing: RacingRequests, rows: Rows, trace: BlockTrace) -> list[HazardMark]:
        which, lane = np.nonzero(racing.lanes[rows][:, None] >> np.arange(LANES) & 1)
        array, element = _elements(trace, racing, rows[which], lane)
        named_array, named_element = _elements(trace, racing, rows, racing.lane[rows])
        marks = []
        for number in np.unique(array).tolist():
            is_here = named_array == number
            here = rows[is_here]
            threads = _threads(racing, here)
            example = _example(hazard, threads, trace.slot_site[racing.slot[here]])
            first, (one, other) = int(named_element[is_here][example]), threads[example].tolist()
            marks.append(self._mark(hazard, trace, trace.arrays[number], element[array == number], first, (one, other)))
        return marks

    def _mark(
        self,
        hazard: Hazard,
        trace: BlockTrace,
        array: MappedArray,
        elements: NDArray[np.int64],
        element: int,
        threads: tuple[int, int],
    ) -> HazardMark:
        sites = {site.index: site for site in trace.sites}
        pair, address = (sites[hazard.sites[0]], sites[hazard.sites[-1]]), array.base + element * array.element_bytes
        is_update = update_it(trace, pair, threads, address)
        said = race_words(*pair, threads, name_of(array, element), is_update=is_update)
        said = equal_words(said) if self.kind is HazardKind.EQUAL_WRITES else said
        rows, columns = np.divmod(np.unique(elements), array.columns)
        return HazardMark(self.kind, array, rows, columns, threads, f"{self.heading}, line {hazard.line}: {said}")

    def _pairs(self, hazards: Sequence[Hazard]) -> set[tuple[int, ...]]:
        return {hazard.sites for hazard in hazards if hazard.kind is self.kind}


@dataclass(frozen=True, slots=True)
class EqualWritesRule(RaceRule):
    """Two threads write one location in one epoch, both the same value: `equal_writes` makes it of a race."""

    kind: HazardKind = HazardKind.EQUAL_WRITES
    precedence: Precedence = Precedence.HARMLESS
    unknown_values: str = ""
    heading: str = "Equal values"

    def concern(self, hazard: Hazard) -> None:
        del hazard

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        del block
        return ()


def requests_of(trace: BlockTrace, hazards: Sequence[Hazard]) -> RacingRequests:
    """The racing accesses of a block as its recording has them; of one of an older version, which has none, all
    accesses of two sites with a race that meet between the same two barriers of the block.
    """
    if trace.racing is not None:
        return trace.racing
    key = id(trace.addresses)
    pairs = frozenset(hazard.sites for hazard in hazards if hazard.kind.is_of_threads)
    known = _made.get(key)
    if known is None:
        weakref.finalize(trace.addresses, _made.pop, key, None)
    if known is None or known[0] != pairs:
        known = _made[key] = pairs, between_barriers(trace, hazards)
    return known[1]


def _rows_in(frame: Frame, racing: RacingRequests, sites: tuple[int, ...]) -> Rows:
    """The requests of two sites that a frame shows."""
    of_pair = racing.rows_of(sites)
    first, last = (of_pair.start + np.searchsorted(racing.slot[of_pair], frame.slots)).tolist()
    warp = racing.warp[first:last]
    rows: Rows = np.flatnonzero((warp >= frame.warps[0]) & (warp < frame.warps[1])) + first
    return rows


def _elements(
    trace: BlockTrace, racing: RacingRequests, rows: Rows, lane: NDArray[np.integer]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Array and element that a lane of each request races at, shape (n,)."""
    address = trace.addresses[racing.warp[rows], racing.slot[rows], lane] + racing.byte[rows]
    array, element, _ = locate(trace, address, np.ones_like(address))
    return array, element


def _threads(racing: RacingRequests, rows: Rows) -> NDArray[np.int64]:
    """The two threads that meet in each request, the one whose access is earlier in the program first, shape (n, 2)."""
    own, other = racing.warp[rows].astype(np.int64) * LANES + racing.lane[rows], racing.partner[rows].astype(np.int64)
    own_slot, other_slot = racing.slot[rows], racing.partner_slot[rows]
    is_first = (own_slot < other_slot) | ((own_slot == other_slot) & (own < other))
    return np.stack([np.where(is_first, own, other), np.where(is_first, other, own)], axis=1)


def _example(hazard: Hazard, threads: NDArray[np.int64], site: NDArray[np.int32]) -> int:
    """The place of the request to tell of: of the two threads of the hazard, else at its later site, else the first."""
    if len(hazard.threads) == 2:
        is_named = np.all(threads == hazard.threads, axis=1)
        if is_named.any():
            return int(np.argmax(is_named))
    return int(np.argmax(site == hazard.sites[-1]))
