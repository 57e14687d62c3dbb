"""Which variables of a block's threads became the elements of C, and what these held before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, AccessKind, BlockTrace, Space, result_of
from gemmviz.domain.recordings.variables import Scalar, VariableValues
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.plan import FrameSpan
from gemmviz.trace.frames.thread_variables import ThreadVariables

_MOST_KEPT = 256
"""Threads whose variables are kept at a time."""


@dataclass(frozen=True, slots=True)
class Accumulator:
    """A scalar of a thread: `number` counts the scalars of all variables of its block."""

    thread: int
    number: int


class Accumulators:
    """The sums that a block's threads keep in variables.

    The accumulator of an element of C is the one float32 variable of the thread that stores it last that holds, before
    that store, the very bits that lie in C in the end; where none does, or several do, the element has none. `c` are
    the values of C when the block has ended, shape (rows, columns). For one thread of this process at a time.
    """

    def __init__(self, trace: BlockTrace, values: VariableValues, c: NDArray[np.float32]) -> None:
        self._trace, self._values, self._c = trace, values, c
        self._array = result_of(trace.arrays)
        self._stores: dict[int, tuple[int, int]] | None = None
        self._threads: dict[int, ThreadVariables] = {}
        self._found: dict[tuple[int, int], Accumulator | None] = {}

    def value_after(self, row: int, column: int, span: FrameSpan) -> float | None:
        """What the accumulator of C[row, column] holds when a frame has ended; None where that was not recorded."""
        accumulator = self.of(row, column)
        if accumulator is None:
            return None
        thread = self._thread(accumulator.thread)
        point = thread.point_of(span)
        return None if point is None else thread.float_at(accumulator.number, point)

    def value_from(self, row: int, column: int, slot: int) -> float | None:
        """What the accumulator of C[row, column] holds when its thread comes to the next access behind a slot."""
        accumulator, point = self.of(row, column), self.point_behind(row, column, slot)
        if accumulator is None or point is None:
            return None
        return self._thread(accumulator.thread).float_at(accumulator.number, point)

    def point_behind(self, row: int, column: int, slot: int) -> int | None:
        """The slot of the next access of the thread of C[row, column] behind another slot, or its end."""
        accumulator = self.of(row, column)
        if accumulator is None:
            return None
        thread = self._thread(accumulator.thread)
        after = thread.points[thread.points > slot]
        return int(after[0]) if after.size else thread.end

    def of(self, row: int, column: int) -> Accumulator | None:
        """The accumulator of C[row, column]; None where none is known."""
        if not self._values.are_known or self._array is None:
            return None
        if (row, column) not in self._found:
            self._found[row, column] = self._find(row, column)
        return self._found[row, column]

    def _find(self, row: int, column: int) -> Accumulator | None:
        assert self._array is not None
        store = self._last_stores().get(row * self._array.columns + column)
        if store is None or not (row < self._c.shape[0] and column < self._c.shape[1]):
            return None
        thread, slot = store
        wanted = int(np.float32(self._c[row, column]).view(np.uint32))
        numbers = [
            held.variable.first + place
            for held in self._thread(thread).at(slot)
            if held.variable.scalar is Scalar.FLOAT and held.variable.nbytes == 4
            for place in np.flatnonzero(held.is_assigned & (held.bits == wanted)).tolist()
        ]
        return Accumulator(thread, numbers[0]) if len(numbers) == 1 else None

    def _thread(self, number: int) -> ThreadVariables:
        if number not in self._threads:
            if len(self._threads) >= _MOST_KEPT:
                self._threads.clear()
            self._threads[number] = ThreadVariables(self._trace, self._values, number)
        return self._threads[number]

    def _last_stores(self) -> dict[int, tuple[int, int]]:
        """By the index of each element of C, the thread and the slot of the last single store to it."""
        if self._stores is None:
            self._stores = {}
            trace, array = self._trace, self._array
            assert array is not None
            stores = [
                one.index
                for one in trace.sites
                if one.space is Space.GLOBAL and one.kind is AccessKind.STORE and one.width_bytes == 4
                if array.element_bytes == 4
            ]
            for slot in np.flatnonzero(np.isin(trace.slot_site, stores)).tolist():
                lanes = trace.addresses[:, slot]
                inside = (lanes != INACTIVE) & (lanes >= array.base) & (lanes < array.base + array.nbytes)
                for warp, lane in zip(*(each.tolist() for each in np.nonzero(inside)), strict=True):
                    place = int(lanes[warp, lane] - array.base) // 4
                    self._stores[array.number_at(place)] = (LANES * warp + lane, slot)
        return self._stores
