"""What a rule of one kind of hazard has to say. Loads no Numba: what finds hazards is imported when it searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Protocol

from gemmviz.domain.recordings.access import BlockTrace, MappedArray
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.barrier_faults import BarrierFault
from gemmviz.trace.hazards.rules.mark import HazardMark
from gemmviz.trace.hazards.rules.places import Place, usual_place
from gemmviz.trace.hazards.rules.positions import Positions
from gemmviz.trace.recorded_code import RecordedCode

if TYPE_CHECKING:
    from gemmviz.trace.hazards.searched_block import SearchedBlock

BarriersAtFault = Callable[[BlockTrace], Sequence[BarrierFault]]
"""Finds what barriers of a block are at fault. It is asked for any block, also for one without barriers."""


class Concern(Enum):
    """Which question about a kernel a hazard answers with no."""

    BOUNDS = "bounds"
    """Does it stay within its arrays, at addresses that a GPU can access?"""
    ORDER = "order"
    """Are its accesses ordered by barriers that every thread reaches?"""
    INITIALISED = "initialised"
    """Is shared memory written before it is read?"""
    UNDECIDED_ORDER = "undecided order"
    """Whether accesses are ordered, where a recording cannot answer it."""
    INITIAL_C = "initial C"
    """Does it ignore what C held before?"""


class Precedence(IntEnum):
    """Which of several hazards in a frame is named first."""

    TWO_THREADS = 0
    ONE_THREAD = 1
    COPY = 2
    BARRIER = 3
    TWO_BLOCKS = 4
    OUTSIDE_ARRAYS = 5
    HARMLESS = 6


class GridSearch(Protocol):
    """Finds what takes two blocks. Takes in all blocks of a recording, from several threads."""

    def add(self, place: int, trace: BlockTrace) -> None:
        """Take in a block, given with its place among those that are recorded, from 0.

        Raises:
            ValueError: the block was added before, or its trace is not whole.
        """
        ...

    @property
    def is_handed_over(self) -> bool:
        """Whether blocks touch the same elements, one of them writing, in an order that is known."""
        ...

    def hazards(self) -> tuple[Hazard, ...]:
        """What was found, once all blocks are there."""
        ...


class OfAnyPart:
    """The part of a rule that finds its hazards in any part of a trace, and whose hazards are there whatever else the
    kernel does; they are announced where their site first runs.
    """

    __slots__ = ()

    @property
    def needs_whole_trace(self) -> bool:
        return False

    def is_doubtful(self, hazard: Hazard, code: RecordedCode) -> bool:
        del hazard, code
        return False

    def place(self, trace: BlockTrace, hazard: Hazard) -> Place | None:
        return usual_place(trace, hazard)


class WithinBlock(OfAnyPart):
    """The part of a rule whose hazards one block shows."""

    __slots__ = ()

    def grid_search(self, result: MappedArray, *, follows_order: bool, may_order_blocks: bool) -> None:
        """None: no other block is needed."""
        del result, follows_order, may_order_blocks


class HazardRule(Protocol):
    """All that depends on the kind of a hazard. `hazards` are always all of a recording; a rule picks its own."""

    @property
    def kind(self) -> HazardKind: ...

    @property
    def precedence(self) -> Precedence: ...

    @property
    def unknown_values(self) -> str:
        """The hazard in few words, if after it nobody can say which values threads read from shared memory; else ""."""
        ...

    @property
    def barriers(self) -> BarriersAtFault | None:
        """Finds the barriers of a block at fault, in their order; none in a block without barriers. None for a hazard
        of accesses.
        """
        ...

    @property
    def needs_whole_trace(self) -> bool:
        """Whether `find` has to see every request of the block, to any memory. Else it is also given parts of a trace:
        of a block that repeats another one only what differs, and once for all of them the rest.
        """
        ...

    def concern(self, hazard: Hazard) -> Concern | None:
        """The question that a hazard of this kind answers; None if the kernel is right in spite of it."""
        ...

    def find(self, block: SearchedBlock) -> Sequence[Hazard]:
        """The hazards of this kind in one block, or a part of its trace; none of what takes two blocks."""
        ...

    def is_doubtful(self, hazard: Hazard, code: RecordedCode) -> bool:
        """Whether a hazard may only be there because something was not recorded: `code` says what its trace does not
        hold.
        """
        ...

    def grid_search(self, result: MappedArray, *, follows_order: bool, may_order_blocks: bool) -> GridSearch | None:
        """A new search of all blocks for what they do to the result; None if other rules search for this kind.

        `follows_order`: traces have the strong accesses and fences of their blocks. `may_order_blocks`: the kernel has
        what one block can wait for another one with.
        """
        ...

    def place(self, trace: BlockTrace, hazard: Hazard) -> Place | None:
        """Slot and warp of the access at which a hazard of this kind and block is announced, and to whose frame a click
        on it leads: the first at fault, though its site may have run before. None if the trace does not have it.
        """
        ...

    def slots_to_search(self, trace: BlockTrace, hazards: Sequence[Hazard]) -> int:
        """How many slots of a trace `positions` looks through."""
        ...

    def positions(self, frames: Frames, hazards: Sequence[Hazard]) -> list[Positions]:
        """Where accesses at fault take place, by this block or with it."""
        ...

    def marks(self, frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
        """The elements at fault in a frame of a block's trace, be it that of the first example or not."""
        ...
