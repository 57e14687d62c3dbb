"""Conflicts of one warp with itself that its own barriers (`__syncwarp`) put in order, so that they are no races."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import INACTIVE, LANES, BlockTrace, Site

Columns = NDArray[np.int64]


def is_put_in_order(trace: BlockTrace, earlier: Site, later: Site) -> bool:
    """Whether every conflict between two sites within an epoch is of one warp, on both sides of a barrier of it.

    Never so where it is not known what barriers warps pass of their own.
    """
    if trace.warp_syncs is None or not trace.warp_syncs.any():
        return False
    return not _meet(_touches(trace, earlier), _touches(trace, later))


@dataclass(frozen=True, slots=True, eq=False)
class _Touches:
    """Each byte that a site touches, columns of shape (n,) sorted by `cell`: byte and epoch as one number, the barriers
    of its own that the warp has passed, the thread.
    """

    cell: Columns
    step: Columns
    thread: Columns

    def at(self, cell: int) -> set[tuple[int, int]]:
        """Steps and threads that touch a cell."""
        first, behind = np.searchsorted(self.cell, (cell, cell + 1))
        return set(zip(self.step[first:behind].tolist(), self.thread[first:behind].tolist(), strict=True))


def _touches(trace: BlockTrace, site: Site) -> _Touches:
    assert trace.warp_syncs is not None
    slots = np.flatnonzero(trace.slot_site == site.index)
    warp, slot, lane = np.nonzero(trace.addresses[:, slots] != INACTIVE)
    at, width = slots[slot], site.width_bytes
    byte = trace.addresses[warp, at, lane][:, None] + np.arange(width)
    cell = (byte * (int(trace.slot_epoch.max(initial=0)) + 1) + trace.slot_epoch[at][:, None]).reshape(-1)
    order = np.argsort(cell, kind="stable")
    step, thread = np.repeat(trace.warp_syncs[warp, at], width), np.repeat(warp * LANES + lane, width)
    return _Touches(cell[order], step[order].astype(np.int64), thread[order].astype(np.int64))


def _meet(one: _Touches, other: _Touches) -> bool:
    """Whether two threads touch the same cell in the same epoch with nothing between them that puts them in order."""
    for place in np.intersect1d(one.cell, other.cell).tolist():
        mine, theirs = one.at(place), other.at(place)
        for step, thread in mine:
            for their_step, their_thread in theirs:
                same_warp = thread // LANES == their_thread // LANES
                if thread != their_thread and (not same_warp or step == their_step):
                    return True
    return False
