"""Elements of the result that two blocks touch, one of them writing. One search finds the first three
kinds; `equal_writes` makes the fourth of a race.

Frames and marks show the elements that the block in view touches. A finding names all elements of its array that race,
whichever site touches them, so of several kinds the most serious one marks them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, MappedArray, Site, Space
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.access import LaneAccesses, decode
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.rules.mark import HazardMark, name_of
from gemmviz.trace.hazards.rules.positions import Positions, accesses_in, positions_of, slots_of
from gemmviz.trace.hazards.rules.rule import Concern, GridSearch, OfAnyPart, Precedence

if TYPE_CHECKING:
    from gemmviz.trace.hazards.searched_block import SearchedBlock

_KINDS = (HazardKind.BLOCK_RACE, HazardKind.POSSIBLE_RACE, HazardKind.PLAIN_READ, HazardKind.EQUAL_BLOCK_WRITES)
"""The most serious first."""
_Stretches = dict[int, NDArray[np.int64]]
"""By index of an array in the trace: begin and end of each stretch of elements, shape (n, 2), ascending."""


@dataclass(frozen=True, slots=True)
class BetweenBlocksRule(OfAnyPart):
    """A rule for each of the kinds; `concern_of_kind` is what a hazard of its kind answers, and in a mark `heading`
    begins and `ending` ends the words.
    """

    kind: HazardKind
    concern_of_kind: Concern | None
    heading: str
    ending: str
    precedence: Precedence = Precedence.TWO_BLOCKS
    unknown_values: str = ""
    barriers: None = None

    def concern(self, hazard: Hazard) -> Concern | None:
        del hazard
        return self.concern_of_kind

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        del block
        return ()

    def grid_search(self, result: MappedArray, *, follows_order: bool, may_order_blocks: bool) -> GridSearch | None:
        if self.kind is not _KINDS[0]:
            return None
        from gemmviz.trace.hazards.ordered_writes import OrderedWrites
        from gemmviz.trace.hazards.writes_in_order import WritesInOrder

        search = OrderedWrites if follows_order else WritesInOrder
        return search(result, may_order_blocks=may_order_blocks)

    def slots_to_search(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> int:
        return slots_of(trace, _touching(trace)).size if self._raced(trace, hazards) else 0

    def positions(self, frames: Frames, hazards: Sequence[Hazard]) -> list[Positions]:
        trace = frames.trace
        raced, warps = self._raced(trace, hazards), trace.addresses.shape[0]
        if not raced:
            return []
        return [
            positions_of(accesses.only(_touch_any(accesses, raced)), warps)
            for accesses in accesses_in(trace, slots_of(trace, _touching(trace)))
        ]

    def marks(self, frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
        """The elements that this block touches in this frame and that another block writes or, if this one does,
        touches. The other blocks are not shown; that they touch them the search of the whole grid has found.
        """
        raced = self._raced(trace, hazards)
        if not raced:
            return []
        accesses = decode(trace, np.arange(*frame.slots), frame.warps)
        accesses = accesses.only(_touch_any(accesses, raced))
        sites = {site.index: site for site in trace.sites}
        return [
            self._mark(trace.arrays[number], accesses.only(accesses.array == number), raced[number], sites)
            for number in np.unique(accesses.array).tolist()
        ]

    def _mark(
        self, array: MappedArray, here: LaneAccesses, bounds: NDArray[np.int64], sites: dict[int, Site]
    ) -> HazardMark:
        touched, which = here.elements()
        racing = _are_within(touched, bounds)
        touched, first = touched[racing], int(which[racing][0])
        site, thread = sites[int(here.site[first])], int(here.thread[first])
        words = (
            f"{self.heading}, line {site.line}: thread {thread} {site.verb} {name_of(array, int(touched[0]))}, and "
            f"another block touches it too{self.ending}"
        )
        rows, columns = np.divmod(np.unique(touched), array.columns)
        return HazardMark(self.kind, array, rows, columns, (thread,), words)

    def _raced(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> _Stretches:
        """The elements that several blocks touch and one writes, as far as the hazards of all kinds name them;
        none where another kind is the most serious one.
        """
        kinds = {hazard.kind for hazard in hazards}
        if next((kind for kind in _KINDS if kind in kinds), None) is not self.kind:
            return {}
        names = {array.name: number for number, array in enumerate(trace.arrays)}
        return {
            names[hazard.array]: np.array(hazard.elements, np.int64).reshape(-1, 2)
            for hazard in hazards
            if hazard.kind in _KINDS and hazard.elements and hazard.array in names
        }


BLOCK_RACE = BetweenBlocksRule(
    HazardKind.BLOCK_RACE, Concern.ORDER, "Block race", ", one of them writing: the order is undefined"
)
POSSIBLE_RACE = BetweenBlocksRule(
    HazardKind.POSSIBLE_RACE,
    Concern.UNDECIDED_ORDER,
    "Possible block race",
    "; atomic operations and fences may put them in order",
)
PLAIN_READ = BetweenBlocksRule(
    HazardKind.PLAIN_READ, Concern.ORDER, "Plain read", ", one of them atomically and the other by a plain read"
)
EQUAL_BLOCK_WRITES = BetweenBlocksRule(
    HazardKind.EQUAL_BLOCK_WRITES, None, "Equal values", ", both writing the same value", Precedence.HARMLESS
)


def _touching(trace: BlockTrace) -> set[int]:
    return {site.index for site in trace.sites if site.space is Space.GLOBAL}


def _touch_any(accesses: LaneAccesses, raced: _Stretches) -> NDArray[np.bool_]:
    """Which accesses, shape (n,), touch an element that races."""
    found = np.zeros(accesses.address.size, np.bool_)
    for number, bounds in raced.items():
        here = accesses.array == number
        touched, which = accesses.only(here).elements()
        found[np.flatnonzero(here)[which[_are_within(touched, bounds)]]] = True
    return found


def _are_within(elements: NDArray[np.int64], bounds: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which elements, shape (n,), lie in one of the stretches."""
    begun = np.searchsorted(bounds[:, 0], elements, side="right")
    return np.asarray(begun > np.searchsorted(bounds[:, 1], elements, side="right"), np.bool_)
