"""Conflicts that barriers of a warp (`__syncwarp`) or of a group of warps, or fences and strong accesses, put in order,
so that they are no races.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, LANES, BlockTrace, Site
from gemmviz.trace.hazards.happens_before import Point
from gemmviz.trace.hazards.missing_fences import Orders

Columns = NDArray[np.int64]


def unordered(trace: BlockTrace, earlier: Site, later: Site, orders: Orders | None) -> Meeting | None:
    """Two accesses of two sites within an epoch that conflict, and that neither a barrier of their warp or group of
    warps nor the order of strong accesses (`orders`, if there are any) puts in order; None if there are none.

    Where it is not known what barriers warps pass of their own, and there are no `orders`, no access is looked for.
    """
    groups = trace.warp_groups if trace.group_syncs is not None else ()
    return _meet(trace, _touches(trace, earlier), _touches(trace, later), groups, orders)


def may_be_ordered(trace: BlockTrace) -> bool:
    """Whether there is something within an epoch that may put accesses in order."""
    has_barriers = any(syncs is not None and syncs.any() for syncs in (trace.warp_syncs, trace.group_syncs))
    return has_barriers or (trace.strong is not None and bool(trace.strong.kind.size))


_Step = tuple[int, int, int, int]
"""Barriers of its own that the warp has passed, barriers of its group, the place in its log, and the thread."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two points at which two threads touch the same bytes."""

    one: Point
    other: Point


@dataclass(frozen=True, slots=True, eq=False)
class _Touches:
    """Each byte that a site touches, columns of shape (n,) sorted by `cell`: byte and epoch as one number, the barriers
    of its own and of its group that the warp has passed, the place in the warp's log, the thread.
    """

    cell: Columns
    step: Columns
    group_step: Columns
    event: Columns
    thread: Columns

    def at(self, cell: int) -> set[_Step]:
        """Steps and threads that touch a cell."""
        here = slice(*np.searchsorted(self.cell, (cell, cell + 1)))
        columns = (self.step, self.group_step, self.event, self.thread)
        return set(zip(*(column[here].tolist() for column in columns), strict=True))


def _touches(trace: BlockTrace, site: Site) -> _Touches:
    slots = np.flatnonzero(trace.slot_site == site.index)
    warp, slot, lane = np.nonzero(trace.addresses[:, slots] != INACTIVE)
    at, width = slots[slot], site.width_bytes
    byte = trace.addresses[warp, at, lane][:, None] + np.arange(width)
    cell = (byte * _epochs(trace) + trace.slot_epoch[at][:, None]).reshape(-1)
    order = np.argsort(cell, kind="stable")
    step, group_step = (
        np.repeat(np.zeros_like(at) if syncs is None else syncs[warp, at], width)[order].astype(np.int64)
        for syncs in (trace.warp_syncs, trace.group_syncs)
    )
    thread = np.repeat(warp * LANES + lane, width)
    event = at * 0 if trace.strong is None else trace.strong.slot_event[warp, at]
    return _Touches(cell[order], step, group_step, np.repeat(event, width)[order], thread[order].astype(np.int64))


def _epochs(trace: BlockTrace) -> int:
    return int(trace.slot_epoch.max(initial=0)) + 1


def _meet(
    trace: BlockTrace, one: _Touches, other: _Touches, groups: Sequence[int], orders: Orders | None
) -> Meeting | None:
    """Two threads that touch the same cell in the same epoch with nothing between them that puts them in order."""
    for place in np.intersect1d(one.cell, other.cell).tolist():
        epoch = place % _epochs(trace)
        for mine, their in _to_compare(one.at(place), other.at(place), epoch, orders):
            if mine[-1] == their[-1] or _are_ordered(mine, their, groups):
                continue
            points = _point(mine, epoch), _point(their, epoch)
            if orders is None or not _follow(orders, *points):
                return Meeting(*points)
    return None


def _to_compare(one: set[_Step], other: set[_Step], epoch: int, orders: Orders | None) -> Iterator[tuple[_Step, _Step]]:
    """Pairs of touches of one cell: all, but of those that strong accesses may put in order only neighbours in that
    order. If all of these are in order, so are the others, or a conflict of other sites is between them.
    """
    if orders is None:
        yield from product(one, other)
        return
    turns: dict[int, tuple[list[_Step], list[_Step]]] = defaultdict(lambda: ([], []))
    for side, steps in enumerate((one, other)):
        for step in steps:
            turns[orders.strict.turn(_point(step, epoch))][side].append(step)
    before: tuple[list[_Step], list[_Step]] = ([], [])
    for turn in sorted(turns):
        here = turns[turn]
        yield from product(*here)
        yield from product(before[0], here[1])
        yield from product(here[0], before[1])
        before = here[0] or before[0], here[1] or before[1]


def _point(step: _Step, epoch: int) -> Point:
    sync, _, event, thread = step
    return Point(0, epoch, thread // LANES, sync, thread % LANES, event)


def _follow(orders: Orders, one: Point, other: Point) -> bool:
    return orders.strict.is_before(one, other) or orders.strict.is_before(other, one)


def _are_ordered(mine: _Step, theirs: _Step, groups: Sequence[int]) -> bool:
    warp, other = mine[-1] // LANES, theirs[-1] // LANES
    same_group = bool(groups) and groups[warp] == groups[other] != 0
    return (warp == other and mine[0] != theirs[0]) or (same_group and mine[1] != theirs[1])
