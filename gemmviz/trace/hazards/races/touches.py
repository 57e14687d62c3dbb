"""What a site of a block touches: each cell of memory with the thread, its place in the program and its barriers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, BlockTrace, Site
from gemmviz.domain.recordings.warp import LANES

_SLOTS_AT_ONCE = 1 << 12
Columns = NDArray[np.int64]
Step = tuple[int, int, int, int]
"""Barriers of its own that the warp has passed, barriers of its group, the place in its log, and the thread."""


@dataclass(frozen=True, slots=True, eq=False)
class Touches:
    """Each cell that a site touches, columns of shape (n,), sorted by `cell`, then in the order of the program: cell
    and epoch as one number, the barriers of its own and of its group that the warp has passed, the place in the warp's
    log, the thread, the slot, and which byte of the access the cell begins at.
    """

    cell: Columns
    step: Columns
    group_step: Columns
    event: Columns
    thread: Columns
    slot: Columns
    byte: Columns

    @classmethod
    def of(
        cls, trace: BlockTrace, site: Site, addresses: NDArray[np.int64], slots: NDArray[np.intp], shift: int
    ) -> Self:
        """What a site touches in some slots; cells have 2^shift bytes, and `addresses`, shape (warps, slots, 32), are
        those of the block that count.
        """
        slots = slots[trace.slot_site[slots] == site.index]
        at, warp, lane = np.nonzero(addresses[:, slots].transpose(1, 0, 2) != INACTIVE)
        at = slots[at]
        size = 1 << shift
        byte = np.arange(0, site.width_bytes, size)
        cell = ((addresses[warp, at, lane][:, None] + byte) >> shift) * epochs_of(trace) + trace.slot_epoch[at][:, None]
        cell = cell.reshape(-1)
        order = np.argsort(cell, kind="stable")
        event = at * 0 if trace.strong is None else trace.strong.slot_event[warp, at]
        step, group_step = (
            np.zeros_like(at) if syncs is None else syncs[warp, at] for syncs in (trace.warp_syncs, trace.group_syncs)
        )
        width = byte.size

        def spread(column: NDArray[np.integer]) -> Columns:
            return np.repeat(column, width)[order].astype(np.int64)

        return cls(
            cell=cell[order],
            step=spread(step),
            group_step=spread(group_step),
            event=spread(event),
            thread=spread(warp * LANES + lane),
            slot=spread(at),
            byte=np.tile(byte, at.size)[order],
        )

    def at(self, cell: int) -> set[Step]:
        """Steps and threads that touch a cell."""
        here = slice(*np.searchsorted(self.cell, (cell, cell + 1)))
        columns = (self.step, self.group_step, self.event, self.thread)
        return set(zip(*(column[here].tolist() for column in columns), strict=True))

    def only(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        """Some of them, in the same order."""
        columns = (self.cell, self.step, self.group_step, self.event, self.thread, self.slot, self.byte)
        return type(self)(*(column[chosen] for column in columns))

    def step_of(self, place: int) -> Step:
        """Step and thread of one of them."""
        columns = (self.step, self.group_step, self.event, self.thread)
        first, second, third, fourth = (int(column[place]) for column in columns)
        return first, second, third, fourth

    @property
    def access(self) -> Columns:
        """Slot and thread of each as one number, which is larger the later it stands in the program."""
        access: Columns = self.slot << 32 | self.thread
        return access


def epochs_of(trace: BlockTrace) -> int:
    """How many epochs a block has; a cell's number is a multiple of it, plus the epoch."""
    return int(trace.slot_epoch.max(initial=0)) + 1


def cell_shift(trace: BlockTrace, sites: tuple[Site, ...], addresses: NDArray[np.int64]) -> int:
    """The shift of the largest cells, of 4 bytes at most, within which no access of these sites begins or ends."""
    slots = np.flatnonzero(np.isin(trace.slot_site, [site.index for site in sites]))
    bits = reduce(lambda known, site: known | site.width_bytes, sites, 0)
    for begin in range(0, slots.size, _SLOTS_AT_ONCE):
        here = addresses[:, slots[begin : begin + _SLOTS_AT_ONCE]]
        bits |= int(np.bitwise_or.reduce(here[here != INACTIVE], initial=0))
    return 2 if bits & 3 == 0 else 1 if bits & 1 == 0 else 0
