"""Conflicts that barriers of a warp (`__syncwarp`) or of a group of warps, or fences and strong accesses, put in order,
so that they are no races.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, LANES, BlockTrace, Site
from gemmviz.trace.hazards.bounds import Addresses
from gemmviz.trace.hazards.happens_before import ExecutionPoint
from gemmviz.trace.hazards.missing_fences import Orders

Columns = NDArray[np.int64]


def unordered(
    trace: BlockTrace, earlier: Site, later: Site, orders: Orders | None, addresses: Addresses
) -> Unordered | None:
    """The conflicts of two sites within an epoch that neither a barrier of their warp or group of warps nor the order
    of strong accesses (`orders`, if there are any) puts in order; None if there are none. `addresses` are those in
    bounds, shape (warps, slots, 32).

    Where it is not known what barriers warps pass of their own, and there are no `orders`, no access is looked for.
    """
    groups = trace.warp_groups if trace.group_syncs is not None else ()
    one, other = (_touches(trace, site, addresses) for site in (earlier, later))
    if not _meet(trace, one, other, groups, orders):
        return None
    return _all_unordered(trace, one, other, groups, orders)


def may_be_ordered(trace: BlockTrace) -> bool:
    """Whether there is something within an epoch that may put accesses in order."""
    has_barriers = any(syncs is not None and syncs.any() for syncs in (trace.warp_syncs, trace.group_syncs))
    return has_barriers or (trace.strong is not None and bool(trace.strong.kind.size))


_AT_ONCE = 1 << 20
"""Pairs of touches that are compared at a time."""
_Step = tuple[int, int, int, int]
"""Barriers of its own that the warp has passed, barriers of its group, the place in its log, and the thread."""


@dataclass(frozen=True, slots=True)
class Unordered:
    """Conflicts that nothing puts in order: how many accesses of the later site have one with an access before them,
    and an example, between two warps if there is such a one: slot and address of the later access, the two threads and
    where they are. The first of two is that of the earlier site.
    """

    count: int
    slot: int
    address: int
    threads: tuple[int, int]
    points: tuple[ExecutionPoint, ExecutionPoint]


@dataclass(frozen=True, slots=True, eq=False)
class _Touches:
    """Each byte that a site touches, columns of shape (n,) sorted by `cell`: byte and epoch as one number, the barriers
    of its own and of its group that the warp has passed, the place in the warp's log, the thread, the slot.
    """

    cell: Columns
    step: Columns
    group_step: Columns
    event: Columns
    thread: Columns
    slot: Columns

    def at(self, cell: int) -> set[_Step]:
        """Steps and threads that touch a cell."""
        here = slice(*np.searchsorted(self.cell, (cell, cell + 1)))
        columns = (self.step, self.group_step, self.event, self.thread)
        return set(zip(*(column[here].tolist() for column in columns), strict=True))

    def only(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> _Touches:
        """Some of them, in the same order."""
        columns = (self.cell, self.step, self.group_step, self.event, self.thread, self.slot)
        return _Touches(*(column[chosen] for column in columns))

    def step_of(self, place: int) -> _Step:
        """Step and thread of one of them."""
        columns = (self.step, self.group_step, self.event, self.thread)
        first, second, third, fourth = (int(column[place]) for column in columns)
        return first, second, third, fourth


def _touches(trace: BlockTrace, site: Site, addresses: Addresses) -> _Touches:
    slots = np.flatnonzero(trace.slot_site == site.index)
    warp, slot, lane = np.nonzero(addresses[:, slots] != INACTIVE)
    at, width = slots[slot], site.width_bytes
    byte = addresses[warp, at, lane][:, None] + np.arange(width)
    cell = (byte * _epochs(trace) + trace.slot_epoch[at][:, None]).reshape(-1)
    order = np.argsort(cell, kind="stable")
    event = at * 0 if trace.strong is None else trace.strong.slot_event[warp, at]
    step, group_step = (
        np.zeros_like(at) if syncs is None else syncs[warp, at] for syncs in (trace.warp_syncs, trace.group_syncs)
    )
    columns = (step, group_step, event, warp * LANES + lane, at)
    return _Touches(cell[order], *(np.repeat(one, width)[order].astype(np.int64) for one in columns))


def _epochs(trace: BlockTrace) -> int:
    return int(trace.slot_epoch.max(initial=0)) + 1


def _meet(trace: BlockTrace, one: _Touches, other: _Touches, groups: Sequence[int], orders: Orders | None) -> bool:
    """Whether two threads touch the same cell in the same epoch with nothing between them that puts them in order."""
    for place in np.intersect1d(one.cell, other.cell).tolist():
        epoch = place % _epochs(trace)
        for mine, their in _to_compare(one.at(place), other.at(place), epoch, orders):
            if mine[-1] == their[-1] or _are_ordered(mine, their, groups):
                continue
            if orders is None or not _follow(orders, _point(mine, epoch), _point(their, epoch)):
                return True
    return False


def _all_unordered(
    trace: BlockTrace, one: _Touches, other: _Touches, groups: Sequence[int], orders: Orders | None
) -> Unordered | None:
    """What `unordered` returns, from all pairs of touches."""
    warps_of = np.array(groups, np.int64) if groups else np.zeros(len(trace.addresses), np.int64)
    follow = None if orders is None else cache(lambda mine, their: _follow(orders, mine, their))
    racing = np.zeros(0, np.int64)
    best: tuple[int, int, int] | None = None
    for mine, their in _pairs(one, other):
        left, right = one.only(mine), other.only(their)
        is_first = (left.slot < right.slot) | ((left.slot == right.slot) & (left.thread < right.thread))
        warp, its = left.thread // LANES, right.thread // LANES
        same_group = (warps_of[warp] == warps_of[its]) & (warps_of[warp] != 0)
        ordered = ((warp == its) & (left.step != right.step)) | (same_group & (left.group_step != right.group_step))
        kept = np.flatnonzero(is_first & (left.thread != right.thread) & ~ordered)
        if follow is not None:
            epochs = trace.slot_epoch[right.slot].tolist()
            races = [
                not follow(_point(left.step_of(at), epochs[at]), _point(right.step_of(at), epochs[at]))
                for at in kept.tolist()
            ]
            kept = kept[np.array(races, np.bool_)]
        if not kept.size:
            continue
        access = right.slot[kept] << 32 | right.thread[kept]
        racing = np.union1d(racing, access)
        rank = access | (warp[kept] == its[kept]).astype(np.int64) << 62  # a pair of two warps comes first
        least = int(np.argmin(rank))
        if best is None or int(rank[least]) < best[0]:
            best = int(rank[least]), int(mine[kept[least]]), int(their[kept[least]])
    if best is None:
        return None
    _, first, second = best
    slot = int(other.slot[second])
    epoch = int(trace.slot_epoch[slot])
    return Unordered(
        int(racing.size),
        slot,
        int(other.cell[second]) // _epochs(trace),
        (int(one.thread[first]), int(other.thread[second])),
        (_point(one.step_of(first), epoch), _point(other.step_of(second), epoch)),
    )


def _pairs(one: _Touches, other: _Touches) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Places of touches of one cell by either side, shape (n,) each, some at a time."""
    begins, ends = (np.searchsorted(one.cell, other.cell, side=side) for side in ("left", "right"))
    count = ends - begins
    done = np.cumsum(count)
    start = 0
    while start < count.size:
        taken = done[start - 1] if start else 0
        stop = max(int(np.searchsorted(done, taken + _AT_ONCE, side="right")), start + 1)
        times = count[start:stop]
        their = np.repeat(np.arange(start, stop), times)
        away = np.arange(their.size) - np.repeat(np.cumsum(times) - times, times)
        yield begins[their] + away, their
        start = stop


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


def _point(step: _Step, epoch: int) -> ExecutionPoint:
    sync, _, event, thread = step
    return ExecutionPoint(0, epoch, thread // LANES, sync, thread % LANES, event)


def _follow(orders: Orders, one: ExecutionPoint, other: ExecutionPoint) -> bool:
    return orders.strict.is_before(one, other) or orders.strict.is_before(other, one)


def _are_ordered(mine: _Step, theirs: _Step, groups: Sequence[int]) -> bool:
    warp, other = mine[-1] // LANES, theirs[-1] // LANES
    same_group = bool(groups) and groups[warp] == groups[other] != 0
    return (warp == other and mine[0] != theirs[0]) or (same_group and mine[1] != theirs[1])
