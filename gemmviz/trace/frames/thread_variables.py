"""What the variables of one thread hold at a frame of the animation, from what was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace
from gemmviz.domain.recordings.variables import Scalar, Variable, VariableValues
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.plan import FrameMode, FrameSpan

Numbers = NDArray[np.float32] | NDArray[np.float64] | NDArray[np.int64] | NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class HeldValue:
    """What a variable holds: the bits of its scalars, shape (n,), and which of them were ever assigned. A variable
    whose values are not known has none.
    """

    variable: Variable
    bits: NDArray[np.int64]
    is_assigned: NDArray[np.bool_]

    @property
    def numbers(self) -> Numbers:
        """The scalars as numbers, shape (n,)."""
        return numbers_of(self.variable, self.bits)

    def equals(self, other: HeldValue) -> bool:
        """Whether the same scalars are assigned and have the same bits."""
        return np.array_equal(self.is_assigned, other.is_assigned) and np.array_equal(
            self.bits[self.is_assigned], other.bits[other.is_assigned]
        )


def numbers_of(variable: Variable, bits: NDArray[np.int64]) -> Numbers:
    """The numbers that bits of a variable stand for."""
    match variable.scalar, variable.nbytes:
        case Scalar.FLOAT, 8:
            return bits.view(np.float64)
        case Scalar.FLOAT, _:
            return bits.astype(np.uint32).view(np.float32)
        case Scalar.HALF, _:
            return bits.astype(np.uint16).view(np.float16).astype(np.float32)
        case Scalar.BFLOAT16, _:
            return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)
        case Scalar.SIGNED, nbytes if nbytes < 8:
            half = 1 << 8 * nbytes - 1
            return (bits ^ half) - half
        case Scalar.UNSIGNED, 8:
            return bits.view(np.uint64)
    return bits


class ThreadVariables:
    """The variables of one thread of a block.

    Raises:
        IndexError: the block has no such thread.
    """

    def __init__(self, trace: BlockTrace, values: VariableValues, thread: int) -> None:
        if not 0 <= thread < trace.threads:
            raise IndexError(f"thread {thread}: the block has threads 0 to {trace.threads - 1}")
        self.trace, self.values, self.thread = trace, values, thread
        self._warp, lane = divmod(thread, LANES)
        self.are_known = self._warp < values.warps
        self._slots = trace.slot_site.size
        mine = (values.warp == self._warp) & (values.lanes >> lane & 1 != 0)
        cell, slot, bits = values.cell[mine], values.slot[mine], values.bits.reshape(-1, LANES)[mine, lane]
        order = np.lexsort((slot, cell))  # stable: of several in one slot the last stays last
        self._cell, self._slot, self._bits = cell[order], slot[order], bits[order]
        cells = sum(one.count for one in values.variables)
        self._first = np.searchsorted(self._cell, np.arange(cells + 1))
        known = np.zeros(self._slots, np.int32)
        if self.are_known:
            known = values.known.reshape(values.warps, self._slots)[self._warp].copy()
            known[trace.addresses[self._warp, :, lane] == INACTIVE] = 0
        self._known = known
        self.points: NDArray[np.int64] = np.flatnonzero(known)
        """The slots before which something is known of the thread, ascending."""

    @property
    def end(self) -> int:
        """What stands for a slot where the thread ends."""
        return self._slots

    @property
    def barriers(self) -> NDArray[np.int64]:
        """The slots of the barriers that the thread comes to."""
        found: NDArray[np.int64] = self.points[self.trace.slot_site[self.points] == BARRIER_SITE]
        return found

    def point_of(self, span: FrameSpan) -> int | None:
        """The slot before which the values of a frame are those of the thread: of a frame of one request the last
        access of the thread up to it; of a frame that ends at a barrier the barrier; of another the next access behind
        it, or the end. None before the thread's first access.
        """
        first, last = span.slots
        if span.mode is FrameMode.REQUEST:
            behind = last if span.warps[0] >= self._warp else first
            before = self.points[self.points < behind]
            return int(before[-1]) if before.size else None
        if self.trace.slot_site[last - 1] == BARRIER_SITE and self._known[last - 1]:
            return last - 1
        after = self.points[self.points >= last]
        return int(after[0]) if after.size else self.end

    def at(self, slot: int) -> tuple[HeldValue, ...]:
        """What is known before the thread's request in one of its `points`, or at its `end`; outer functions first.

        A variable that nothing was ever assigned to is left out, one whose values are not known is not.
        """
        return tuple(self._at(slot))

    def _at(self, slot: int) -> Iterator[HeldValue]:
        if not self.are_known:
            return
        at_end = slot == self.end
        number = self.values.known_at_end[self.thread] if at_end else self._known[slot]
        for variable in self.values.known_in(int(number)):
            held = self._held(variable, slot)
            if variable.why_not or held.is_assigned.any():
                yield held

    def float_at(self, number: int, slot: int) -> float | None:
        """What the float32 scalar of that number holds before a slot; None where nothing was assigned to it yet."""
        row = self._row(number, slot)
        return None if row is None else float(self._bits[row : row + 1].astype(np.uint32).view(np.float32)[0])

    def _row(self, number: int, slot: int) -> int | None:
        """The last change of a scalar up to a slot."""
        begin, end = self._first[number : number + 2].tolist()
        row = begin + int(np.searchsorted(self._slot[begin:end], slot, side="right")) - 1
        return row if row >= begin else None

    def _held(self, variable: Variable, slot: int) -> HeldValue:
        bits, is_assigned = np.zeros(variable.count, np.int64), np.zeros(variable.count, np.bool_)
        for number in range(variable.count):
            row = self._row(variable.first + number, slot)
            if row is not None:
                bits[number], is_assigned[number] = self._bits[row], True
        return HeldValue(variable, bits, is_assigned)


class BlockVariables:
    """The variables of the threads of one block, whose shape is `block`; keeps the last thread that was asked for.

    For one thread of this process at a time.
    """

    def __init__(self, trace: BlockTrace, values: VariableValues, block: tuple[int, int, int]) -> None:
        self.trace, self.values, self.block = trace, values, block
        self._last: ThreadVariables | None = None

    def of(self, thread: int) -> ThreadVariables:
        """Those of one thread.

        Raises:
            IndexError: the block has no such thread.
        """
        if self._last is None or self._last.thread != thread:
            self._last = ThreadVariables(self.trace, self.values, thread)
        return self._last

    def place_words(self, thread: int) -> str:
        """A thread's place in its block: "(3, 1)", or "3" where a block has one row."""
        x, y, z = self.block
        places = (thread % x, thread // x % y, thread // (x * y))
        if y == z == 1:
            return str(places[0])
        return f"({', '.join(map(str, places if z > 1 else places[:2]))})"
