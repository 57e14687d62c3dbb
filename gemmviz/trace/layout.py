"""Slots: where each recorded access of a block goes, once it is known how often each loop runs at most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import BARRIER_SITE, INACTIVE
from gemmviz.trace.regions import BarrierEntry, CallEntry, Entry, LoopEntry, SiteEntry


@dataclass(frozen=True, eq=False)
class Layout:
    """`slots` of one thread in all; for each offset and loop number the kernel's table; the site of each slot.

    An access's slot is its function's base + offsets[its number] + the sum over its enclosing loops of
    iteration · strides[loop]. `site_of_slot`, shape (slots,), has BARRIER_SITE at barriers; `barriers`, shape (barrier
    slots,), has their numbers among the offsets.
    """

    slots: int
    offsets: NDArray[np.int64]
    strides: NDArray[np.int64]
    site_of_slot: NDArray[np.int32]
    barriers: NDArray[np.int32]

    @cached_property
    def barrier_slots(self) -> NDArray[np.intp]:
        """The slots that are barriers, shape (barrier slots,)."""
        return np.flatnonzero(self.site_of_slot == BARRIER_SITE)

    def reached(self, addresses: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which barrier slots some thread of a block came to, shape (barrier slots,)."""
        reached: NDArray[np.bool_] = addresses[0, self.barrier_slots, 0] != INACTIVE
        if not reached.all():  # most of the time thread 0 comes to all of them
            reached = (addresses[:, self.barrier_slots] != INACTIVE).any(axis=(0, 2))
        return reached

    def epochs(self, addresses: NDArray[np.int64]) -> NDArray[np.int32]:
        """Barriers that the block passed before each slot, shape (slots,); one that no thread came to ends nothing.

        `addresses` are the block's, shape (warps, slots, 32).
        """
        reached = self.reached(addresses)
        if reached.all():
            return self._all_epochs
        return self._counted(reached)

    @cached_property
    def _all_epochs(self) -> NDArray[np.int32]:
        return self._counted(np.ones(self.barrier_slots.size, np.bool_))

    def _counted(self, reached: NDArray[np.bool_]) -> NDArray[np.int32]:
        barriers = np.zeros(self.slots, np.int32)
        barriers[self.barrier_slots] = reached
        return (np.cumsum(barriers) - barriers).astype(np.int32)


class _Layouter:
    def __init__(
        self, functions: dict[str, list[Entry]], trips: NDArray[np.int64], offsets: int, sites: dict[int, int]
    ) -> None:
        self._functions = functions
        self._trips = trips
        self._sites = sites
        self.offsets = np.zeros(max(offsets, 1), np.int64)
        self.strides = np.zeros(max(trips.size, 1), np.int64)

    def place(self, entries: list[Entry], start: int) -> NDArray[np.int32]:
        """Give every entry its offset from its function's base; the sites of the slots in order, or -1 - barrier."""
        pieces: list[NDArray[np.int32]] = []
        at = start
        for entry in entries:
            piece = self._piece(entry, at)
            pieces.append(piece)
            at += piece.size
        return np.concatenate(pieces) if pieces else np.empty(0, np.int32)

    def _piece(self, entry: Entry, at: int) -> NDArray[np.int32]:
        if isinstance(entry, LoopEntry):
            condition = self.place(entry.condition, at)
            body = self.place(entry.body, at + condition.size)
            stride, trips = condition.size + body.size, int(self._trips[entry.index])
            self.strides[entry.index] = stride
            return np.concatenate([np.tile(np.concatenate([condition, body]), trips), condition])
        self.offsets[entry.index] = at
        if isinstance(entry, CallEntry):
            return self.place(self._functions[entry.function], 0)
        if isinstance(entry, BarrierEntry):
            return np.array([-1 - entry.index], np.int32)
        assert isinstance(entry, SiteEntry)
        return np.array([self._sites[entry.index]], np.int32)


def slots_needed(functions: dict[str, list[Entry]], entry: str, trips: NDArray[np.int64]) -> int:
    """How many slots a block has, computed without laying them out; a Python int, which cannot overflow."""

    def size(entries: list[Entry]) -> int:
        total = 0
        for item in entries:
            if isinstance(item, LoopEntry):
                total += (size(item.condition) + size(item.body)) * int(trips[item.index]) + size(item.condition)
            elif isinstance(item, CallEntry):
                total += size(functions[item.function])
            else:
                total += 1
        return total

    return size(functions[entry])


def lay_out(
    functions: dict[str, list[Entry]],
    entry: str,
    trips: NDArray[np.int64],
    offsets: int,
    sites: dict[int, int],
) -> Layout:
    """The layout of a kernel whose loop l runs at most trips[l] times; `sites` maps site offsets to site numbers."""
    layouter = _Layouter(functions, trips, offsets, sites)
    placed = layouter.place(functions[entry], 0)
    is_barrier = placed < 0
    sites_of = np.where(is_barrier, np.int32(BARRIER_SITE), placed)
    return Layout(placed.size, layouter.offsets, layouter.strides, sites_of, -1 - placed[is_barrier])
