"""What can be wrong with a kernel's accesses, and a finding of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Self

from gemmviz.domain import figures
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.session.field_ranges import Count, Index, Line


class Gravity(IntEnum):
    """How grave a hazard is; the gravest are told first."""

    FAULT = 0
    CONSEQUENCE = 1
    """Often what another hazard leads to."""
    MAY_BE_RIGHT = 2


class HazardKind(StrEnum):
    """What can be wrong with the accesses of a kernel: its name in files, `words`, its name for a reader, and how grave
    it is.

    Each has a rule: `trace/hazards/rules/table.py`.
    """

    words: str
    gravity: Gravity

    def __new__(cls, value: str, words: str, gravity: Gravity = Gravity.FAULT) -> Self:
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.words, kind.gravity = words, gravity
        return kind

    OUT_OF_BOUNDS = "out_of_bounds", "out of bounds"
    """An access that lies, wholly or in part, outside its array."""
    RACE = "race", "race"
    """Two threads of a block touch one location in one epoch, and one of them writes."""
    UNWRITTEN_READ = "unwritten_read", "uninitialised read", Gravity.CONSEQUENCE
    """A read of a location that nothing has been written to: of shared memory, or of C where it begins undefined."""
    DIVERGENT_BARRIER = "divergent_barrier", "divergent barrier"
    """A barrier that some threads of a block reach and others do not."""
    BLOCK_RACE = "block_race", "race between blocks"
    """Two blocks touch one element of an array that the kernel writes, and one of them writes it."""
    POSSIBLE_RACE = "possible_race", "possible race between blocks", Gravity.MAY_BE_RIGHT
    """The same in a kernel with atomic operations and fences by which one block may wait for the other."""
    PLAIN_READ = "plain_read", "plain read of a value that blocks change atomically", Gravity.MAY_BE_RIGHT
    """A block reads an element without an atomic operation, and another one changes it by one."""
    EQUAL_WRITES = "equal_writes", "writes of equal values", Gravity.MAY_BE_RIGHT
    """Two threads of a block write one location in one epoch, and in this recording always the same value."""
    EQUAL_BLOCK_WRITES = "equal_block_writes", "writes of equal values by several blocks", Gravity.MAY_BE_RIGHT
    """Two blocks write one element, which none reads, and in this recording always the same value."""
    COPY_IN_FLIGHT = "copy_in_flight", "asynchronous copy not waited for"
    """An access to shared memory that an asynchronous copy may still write."""
    MISALIGNED = "misaligned", "misaligned"
    """An access whose address is not a multiple of what its type needs: an error on NVIDIA GPUs."""

    @property
    def takes_two_threads(self) -> bool:
        """Whether it takes two threads of a block, of which it names the earlier and the later."""
        return self.is_of_threads or self is HazardKind.COPY_IN_FLIGHT

    @property
    def is_of_threads(self) -> bool:
        """Whether two threads of a block touch one location, and one of them writes: a race or writes of equal
        values.
        """
        return self in (HazardKind.RACE, HazardKind.EQUAL_WRITES)

    @property
    def is_of_equal_values(self) -> bool:
        """Whether only that all write the same value keeps it from being a race."""
        return self in (HazardKind.EQUAL_WRITES, HazardKind.EQUAL_BLOCK_WRITES)

    @property
    def is_race_of_blocks(self) -> bool:
        """Whether two blocks touch one element, one of them by a plain write, in an order that is not known."""
        return self in (HazardKind.BLOCK_RACE, HazardKind.POSSIBLE_RACE)

    @property
    def is_between_blocks(self) -> bool:
        """Whether it takes two blocks."""
        return self.is_race_of_blocks or self in (HazardKind.PLAIN_READ, HazardKind.EQUAL_BLOCK_WRITES)


class Mend(StrEnum):
    """What mends a race besides a barrier between its accesses: its name in files."""

    UNKNOWN = ""
    """Nothing is known to, or it is no race."""
    FENCE = "fence"
    """Fences that are missing: they would put the two accesses in order."""
    ATOMIC = "atomic"
    """Atomic operations: each of the two threads reads the element and writes it back in one line."""
    ONE_WRITER = "one_writer"
    """That one thread alone writes: both write the element by one line."""


@dataclass(frozen=True, slots=True)
class Hazard:
    """All findings of one kind at one site, or at one pair of sites, of one block or of several; the first one is told.

    Attributes:
        kind: what is wrong.
        line: the line of the access that completes the fault, or of the barrier, from 1; 0 of a barrier that the trace
            does not name.
        text: the source text of that access or barrier.
        block: x, y, z of the first block that has it; of what takes two blocks, of the later one.
        threads: linear indices, at most `findings.NAMED`. Of a race the earlier thread, then the later, of two warps
            if any two warps race; of a copy that is not waited for the thread that copies, then the one that comes
            too early; else the first that were found, in the order of the program (of a barrier, those that did not
            come to it).
        epoch: the barriers passed before the first of the findings, of a race before that of its threads.
        count: how many accesses are at fault so; of a barrier, how many times some thread was missing there. An access
            is counted once however many bytes or elements of it are at fault. All blocks are counted.
        detail: one sentence about the first.
        sites: indices of the sites. Of a race the earlier in the order of the program, then the later; of a copy its
            own, then that of the access; of a barrier none.
        array: of what takes two blocks, the name of the array whose elements race; else "".
        elements: of what takes two blocks, all that race in that array, whichever site touches them: begin and end
            (exclusive) of each stretch of row-major indices in turn, ascending; where they are very many, the first.
        blocks: how many blocks have it; 0 in a recording of an older version, which did not count them.
        mend: of a race what mends it; UNKNOWN also in a recording of an older version, which did not keep it.
    """

    kind: HazardKind
    line: Line
    text: str
    block: tuple[Index, Index, Index]
    threads: tuple[Index, ...]
    epoch: Count
    count: Count
    detail: str
    sites: tuple[Index, ...] = ()
    array: str = ""
    elements: tuple[Index, ...] = ()
    blocks: Count = 0
    mend: Mend = Mend.UNKNOWN

    @property
    def times_words(self) -> str:
        """How often it was found: "576 times in 3 blocks"; "" for once."""
        if self.count < 2:
            return ""
        where = f" in {figures.count(self.blocks)} blocks" if self.blocks > 1 else ""
        return f"{figures.count(self.count)} times{where}"

    @property
    def block_words(self) -> str:
        """The block as `--block` takes it, and whether others may have it too: "first in block 1,0"."""
        place = ",".join(map(str, self.block if self.block[2] else self.block[:2]))
        return f"block {place}" if self.blocks == 1 or self.count < 2 else f"first in block {place}"

    @property
    def warp_words(self) -> str:
        """The warps of the two threads of a race: "both in warp 0"; "" of anything else."""
        if not self.kind.is_of_threads or len(self.threads) != 2:
            return ""
        one, other = (thread // LANES for thread in self.threads)
        return f"both in warp {one}" if one == other else f"warps {one} and {other}"

    @property
    def is_within_warp(self) -> bool:
        """Whether it is a race of two threads of one warp, and no two warps race so."""
        return self.kind is HazardKind.RACE and len({thread // LANES for thread in self.threads}) == 1


def by_gravity(hazards: Sequence[Hazard]) -> tuple[Hazard, ...]:
    """The gravest first, else in their order."""
    return tuple(sorted(hazards, key=gravity_of))


def gravity_of(hazard: Hazard) -> Gravity:
    """How grave a hazard is; a race within a warp may be right."""
    return Gravity.MAY_BE_RIGHT if hazard.is_within_warp else hazard.kind.gravity


def gravest_fault(hazards: Sequence[Hazard]) -> str:
    """The gravest kind of hazard that no order of threads makes right, in words: "race"; "" for none."""
    faults = (hazard for hazard in by_gravity(hazards) if gravity_of(hazard) < Gravity.MAY_BE_RIGHT)
    return next((hazard.kind.words for hazard in faults), "")
