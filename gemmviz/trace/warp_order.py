"""Conflicts that barriers of a warp (`__syncwarp`) or of a group of warps put in order, so that they are no races."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import INACTIVE, LANES, BlockTrace, Site

Columns = NDArray[np.int64]


def is_put_in_order(trace: BlockTrace, earlier: Site, later: Site) -> bool:
    """Whether every conflict between two sites within an epoch is of one warp, or of one group of warps, on both sides
    of a barrier of it.

    Never so where it is not known what barriers warps pass of their own.
    """
    if all(syncs is None or not syncs.any() for syncs in (trace.warp_syncs, trace.group_syncs)):
        return False
    groups = trace.warp_groups if trace.group_syncs is not None else ()
    return not _meet(_touches(trace, earlier), _touches(trace, later), groups)


_Step = tuple[int, int, int]
"""Barriers of its own that the warp has passed, barriers of its group, and the thread."""


@dataclass(frozen=True, slots=True, eq=False)
class _Touches:
    """Each byte that a site touches, columns of shape (n,) sorted by `cell`: byte and epoch as one number, the barriers
    of its own and of its group that the warp has passed, the thread.
    """

    cell: Columns
    step: Columns
    group_step: Columns
    thread: Columns

    def at(self, cell: int) -> set[_Step]:
        """Steps and threads that touch a cell."""
        here = slice(*np.searchsorted(self.cell, (cell, cell + 1)))
        columns = (self.step[here].tolist(), self.group_step[here].tolist(), self.thread[here].tolist())
        return set(zip(*columns, strict=True))


def _touches(trace: BlockTrace, site: Site) -> _Touches:
    slots = np.flatnonzero(trace.slot_site == site.index)
    warp, slot, lane = np.nonzero(trace.addresses[:, slots] != INACTIVE)
    at, width = slots[slot], site.width_bytes
    byte = trace.addresses[warp, at, lane][:, None] + np.arange(width)
    cell = (byte * (int(trace.slot_epoch.max(initial=0)) + 1) + trace.slot_epoch[at][:, None]).reshape(-1)
    order = np.argsort(cell, kind="stable")
    step, group_step = (
        np.repeat(np.zeros_like(at) if syncs is None else syncs[warp, at], width)[order].astype(np.int64)
        for syncs in (trace.warp_syncs, trace.group_syncs)
    )
    thread = np.repeat(warp * LANES + lane, width)
    return _Touches(cell[order], step, group_step, thread[order].astype(np.int64))


def _meet(one: _Touches, other: _Touches, groups: Sequence[int]) -> bool:
    """Whether two threads touch the same cell in the same epoch with nothing between them that puts them in order."""
    return any(
        mine[-1] != theirs[-1] and not _are_ordered(mine, theirs, groups)
        for place in np.intersect1d(one.cell, other.cell).tolist()
        for mine in one.at(place)
        for theirs in other.at(place)
    )


def _are_ordered(mine: _Step, theirs: _Step, groups: Sequence[int]) -> bool:
    warp, other = mine[-1] // LANES, theirs[-1] // LANES
    same_group = bool(groups) and groups[warp] == groups[other] != 0
    return (warp == other and mine[0] != theirs[0]) or (same_group and mine[1] != theirs[1])
