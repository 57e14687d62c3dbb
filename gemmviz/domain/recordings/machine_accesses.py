"""Which accesses to memory each source line has in PTX, which was recorded, and in the machine code (SASS) that a GPU
runs: instructions as they stand in the code, by their width.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from gemmviz.domain.session.field_ranges import Bytes, Count, Line


class AccessSort(StrEnum):
    """Accesses that are compared with each other."""

    SHARED_LOADS = "shared loads"
    SHARED_STORES = "shared stores"
    GLOBAL_LOADS = "global loads"
    GLOBAL_STORES = "global stores"
    LOCAL_LOADS = "local loads"
    LOCAL_STORES = "local stores"
    ASYNC_COPIES = "asynchronous copies"

    @property
    def is_local(self) -> bool:
        """Whether they are spills, or accesses to an array of a thread's own."""
        return self in (AccessSort.LOCAL_LOADS, AccessSort.LOCAL_STORES)

    @property
    def is_shared(self) -> bool:
        """Whether they make wavefronts in shared memory."""
        return self in (AccessSort.SHARED_LOADS, AccessSort.SHARED_STORES, AccessSort.ASYNC_COPIES)


class MachineChange(StrEnum):
    """What became of a line's accesses in machine code.

    NONE: their widths are the same, and nothing says that any went. WIDENED: all are wider. PARTLY: some are wider.
    NARROWED: some are narrower, none wider. FEWER: as wide, but fewer. GONE: the line has none. ADDED: the line
    has none in PTX.
    """

    NONE = "none"
    WIDENED = "widened"
    PARTLY = "partly widened"
    NARROWED = "narrowed"
    FEWER = "fewer"
    GONE = "gone"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class WidthCount:
    """So many instructions that access `nbytes` bytes for each thread."""

    nbytes: Bytes
    count: Count


@dataclass(frozen=True, slots=True)
class LineAccesses:
    """The accesses of one sort of a source line, narrow ones first: in PTX and in SASS; of several lines together where
    these call the same inlined code and SASS does not say which of its instructions belong to which: of `line` and the
    `others`.
    """

    line: Line
    sort: AccessSort
    ptx: tuple[WidthCount, ...] = ()
    sass: tuple[WidthCount, ...] = ()
    others: tuple[Line, ...] = ()

    @property
    def lines(self) -> tuple[int, ...]:
        """All lines that they belong to, ascending."""
        return (self.line, *self.others)

    @property
    def change(self) -> MachineChange:
        """What became of them. Counts tell only that some went: where the assembler unrolls a loop there are more."""
        if not self.ptx or not self.sass:
            return MachineChange.GONE if self.ptx else MachineChange.ADDED
        before, after = {one.nbytes for one in self.ptx}, {one.nbytes for one in self.sass}
        if max(after) != max(before):
            if max(after) < max(before):
                return MachineChange.NARROWED
            return MachineChange.WIDENED if min(after) > max(before) else MachineChange.PARTLY
        if after != before:
            return MachineChange.PARTLY if min(after) > min(before) else MachineChange.NARROWED
        if instructions(self.sass) >= instructions(self.ptx):
            return MachineChange.NONE
        return MachineChange.PARTLY if self.has_same_bytes else MachineChange.FEWER

    @property
    def has_same_bytes(self) -> bool:
        """Whether the instructions of both access as many bytes for each thread, so that none went or came."""
        return accessed_bytes(self.ptx) == accessed_bytes(self.sass)


@dataclass(frozen=True, slots=True)
class MergedRequests:
    """What accesses of some lines to shared memory, which were merged with each other, cost as SASS has them, derived
    from the recorded ones and summed over the recorded blocks; and what they cost as recorded (`requests_before`,
    `wavefronts_before`, `ideal_before`).
    """

    lines: tuple[Line, ...]
    sort: AccessSort
    requests: Count
    wavefronts: Count
    ideal: Count
    requests_before: Count
    wavefronts_before: Count
    ideal_before: Count

    @property
    def excess(self) -> int:
        """Wavefronts that bank conflicts add."""
        return self.wavefronts - self.ideal

    @property
    def excess_before(self) -> int:
        """The same as recorded."""
        return self.wavefronts_before - self.ideal_before


@dataclass(frozen=True, slots=True)
class SharedMemoryCost:
    """All requests to shared memory of a recording, their wavefronts, and those of them that bank conflicts add."""

    requests: int
    wavefronts: int
    excess: int


@dataclass(frozen=True, slots=True)
class MachineAccesses:
    """The accesses of a kernel as `maker` ("NVRTC 13.5") compiled it for an architecture ("sm_90a"). `merged` is what
    merged ones cost, where it follows from the recording.
    """

    target: str
    maker: str
    lines: tuple[LineAccesses, ...]
    merged: tuple[MergedRequests, ...] = ()

    @property
    def differing(self) -> tuple[LineAccesses, ...]:
        """Those that PTX and SASS have otherwise, so that figures of the PTX are not the GPU's."""
        return tuple(one for one in self.attributable if one.change is not MachineChange.NONE)

    @property
    def attributable(self) -> tuple[LineAccesses, ...]:
        """Those that can be attributed to a line. What SASS adds can where it is a spill, or where another line has
        lost some: else it may be part of another instruction.
        """
        lost = {one.sort for one in self.lines if one.change in (MachineChange.GONE, MachineChange.FEWER)}
        return tuple(
            one for one in self.lines if one.change is not MachineChange.ADDED or one.sort.is_local or one.sort in lost
        )

    def of_line(self, line: int) -> tuple[LineAccesses, ...]:
        """Those that can be attributed to one line, alone or with others."""
        return tuple(one for one in self.attributable if line in one.lines)

    def merged_with(self, line: int) -> tuple[MergedRequests, ...]:
        """What merged accesses cost that a line has a part in."""
        return tuple(one for one in self.merged if line in one.lines)

    @property
    def underived(self) -> tuple[LineAccesses, ...]:
        """Accesses to shared memory that SASS has otherwise, of which it is not known what they cost."""
        told = {(line, one.sort) for one in self.merged for line in one.lines}
        return tuple(one for one in self.differing if one.sort.is_shared and (one.line, one.sort) not in told)

    def shared_cost(self, recorded: SharedMemoryCost) -> SharedMemoryCost | None:
        """What all accesses to shared memory cost as SASS has them; None where that is not known of some."""
        if self.underived:
            return None
        return SharedMemoryCost(
            recorded.requests + sum(one.requests - one.requests_before for one in self.merged),
            recorded.wavefronts + sum(one.wavefronts - one.wavefronts_before for one in self.merged),
            recorded.excess + sum(one.excess - one.excess_before for one in self.merged),
        )


def instructions(widths: Iterable[WidthCount]) -> int:
    """How many instructions these are together."""
    return sum(one.count for one in widths)


def accessed_bytes(widths: Iterable[WidthCount]) -> int:
    """How many bytes they access together for each thread, each executed once."""
    return sum(one.nbytes * one.count for one in widths)
