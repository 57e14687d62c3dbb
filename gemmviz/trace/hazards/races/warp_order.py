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

from gemmviz.domain.recordings.access import BlockTrace, Site
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.hazards.bounds import Addresses
from gemmviz.trace.hazards.happens_before import ExecutionPoint
from gemmviz.trace.hazards.missing_fences import Orders
from gemmviz.trace.hazards.races.partners import NOBODY, Partners
from gemmviz.trace.hazards.races.touches import Step, Touches, cell_shift, epochs_of


def unordered(
    trace: BlockTrace, earlier: Site, later: Site, orders: Orders | None, addresses: Addresses
) -> Unordered | None:
    """The conflicts of two sites within an epoch that neither a barrier of their warp or group of warps nor the order
    of strong accesses (`orders`, if there are any) puts in order; None if there are none. `addresses` are those in
    bounds, shape (warps, slots, 32).

    Where it is not known what barriers warps pass of their own, and there are no `orders`, no access is looked for.
    """
    shift, slots = cell_shift(trace, (earlier, later), addresses), np.arange(trace.slot_site.size)
    one, other = (Touches.of(trace, site, addresses, slots, shift) for site in (earlier, later))
    if not _meet(trace, one, other, orders):
        return None
    return _all_unordered(trace, one, other, orders, shift)


def unordered_partners(
    trace: BlockTrace, earlier: Touches, later: Touches, named: tuple[int, ...], orders: Orders | None
) -> Partners:
    """Who races with whom, as `partners_between_barriers` has it, where nothing else puts two touches in order."""
    partners = Partners(np.full(earlier.cell.size, NOBODY, np.int64), np.full(later.cell.size, NOBODY, np.int64))
    for mine, their in _racing_pairs(trace, earlier, later, orders):
        for found, here, there in ((partners.of_earlier, mine, their), (partners.of_later, their, mine)):
            place, first = np.unique(here, return_index=True)
            is_new = found[place] == NOBODY
            found[place[is_new]] = there[first[is_new]]
        if len(named) == 2:
            both = (earlier.thread[mine] == named[0]) & (later.thread[their] == named[1])
            partners.of_earlier[mine[both]], partners.of_later[their[both]] = their[both], mine[both]
    return partners


def may_be_ordered(trace: BlockTrace) -> bool:
    """Whether there is something within an epoch that may put accesses in order."""
    has_barriers = any(syncs is not None and syncs.any() for syncs in (trace.warp_syncs, trace.group_syncs))
    return has_barriers or (trace.strong is not None and bool(trace.strong.kind.size))


_AT_ONCE = 1 << 20
"""Pairs of touches that are compared at a time."""


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


def _groups(trace: BlockTrace) -> Sequence[int]:
    return trace.warp_groups if trace.group_syncs is not None else ()


def _meet(trace: BlockTrace, one: Touches, other: Touches, orders: Orders | None) -> bool:
    """Whether two threads touch the same cell in the same epoch with nothing between them that puts them in order."""
    groups = _groups(trace)
    for place in np.intersect1d(one.cell, other.cell).tolist():
        epoch = place % epochs_of(trace)
        for mine, their in _to_compare(one.at(place), other.at(place), epoch, orders):
            if mine[-1] == their[-1] or _are_ordered(mine, their, groups):
                continue
            if orders is None or not _follow(orders, point_of(mine, epoch), point_of(their, epoch)):
                return True
    return False


def _all_unordered(
    trace: BlockTrace, one: Touches, other: Touches, orders: Orders | None, shift: int
) -> Unordered | None:
    """What `unordered` returns, from all pairs of touches."""
    racing = np.zeros(0, np.int64)
    best: tuple[int, int, int] | None = None
    for mine, their in _racing_pairs(trace, one, other, orders):
        access = other.access[their]
        racing = np.union1d(racing, access)
        is_one_warp = one.thread[mine] // LANES == other.thread[their] // LANES
        rank = access | is_one_warp.astype(np.int64) << 62  # a pair of two warps comes first
        least = int(np.argmin(rank))
        if best is None or int(rank[least]) < best[0]:
            best = int(rank[least]), int(mine[least]), int(their[least])
    if best is None:
        return None
    _, first, second = best
    slot = int(other.slot[second])
    epoch = int(trace.slot_epoch[slot])
    return Unordered(
        int(racing.size),
        slot,
        int(other.cell[second]) // epochs_of(trace) << shift,
        (int(one.thread[first]), int(other.thread[second])),
        (point_of(one.step_of(first), epoch), point_of(other.step_of(second), epoch)),
    )


def _racing_pairs(
    trace: BlockTrace, one: Touches, other: Touches, orders: Orders | None
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Places of touches of one cell, shape (n,) each, by two threads that nothing puts in order, that of `one` before
    that of `other` in the program; some at a time.
    """
    groups = _groups(trace)
    warps_of = np.array(groups, np.int64) if groups else np.zeros(len(trace.addresses), np.int64)
    access, its_access = one.access, other.access
    warp, its_warp = one.thread // LANES, other.thread // LANES
    group, its_group = warps_of[warp], warps_of[its_warp]
    for mine, their in pairs(one, other):
        is_racing = (access[mine] < its_access[their]) & (one.thread[mine] != other.thread[their])
        is_racing &= (warp[mine] != its_warp[their]) | (one.step[mine] == other.step[their])
        if groups:
            is_one_group = (group[mine] == its_group[their]) & (group[mine] != 0)
            is_racing &= ~is_one_group | (one.group_step[mine] == other.group_step[their])
        kept = np.flatnonzero(is_racing)
        if orders is not None and kept.size:
            mine, their = mine[kept], their[kept]
            ordered = happen_before(trace, orders, one, other, mine, their)
            ordered |= happen_before(trace, orders, other, one, their, mine)
            kept = np.flatnonzero(~ordered)
        if kept.size:
            yield mine[kept], their[kept]


def happen_before(
    trace: BlockTrace,
    orders: Orders,
    one: Touches,
    other: Touches,
    mine: NDArray[np.intp],
    their: NDArray[np.intp],
) -> NDArray[np.bool_]:
    """Of which pairs of places within an epoch the touch of `one` happens before that of `other`, by strong accesses,
    fences and the barriers of a warp.
    """
    threads = len(trace.addresses) * LANES
    found = np.zeros(mine.size, np.bool_)
    in_turn = np.argsort(their, kind="stable")
    places, first = np.unique(their[in_turn], return_index=True)
    for place, those in zip(places.tolist(), np.split(in_turn, first[1:]) if mine.size else (), strict=True):
        point = point_of(other.step_of(place), int(trace.slot_epoch[other.slot[place]]))
        events, syncs = orders.strict.known_to(point, threads)
        at = mine[those]
        thread = one.thread[at]
        found[those] = (one.event[at] < events[thread]) | (one.step[at] < syncs[thread // LANES])
    return found


def pairs(one: Touches, other: Touches) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
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


def _to_compare(one: set[Step], other: set[Step], epoch: int, orders: Orders | None) -> Iterator[tuple[Step, Step]]:
    """Pairs of touches of one cell: all, but of those that strong accesses may put in order only neighbours in that
    order. If all of these are in order, so are the others, or a conflict of other sites is between them.
    """
    if orders is None:
        yield from product(one, other)
        return
    turns: dict[int, tuple[list[Step], list[Step]]] = defaultdict(lambda: ([], []))
    for side, steps in enumerate((one, other)):
        for step in steps:
            turns[orders.strict.turn(point_of(step, epoch))][side].append(step)
    before: tuple[list[Step], list[Step]] = ([], [])
    for turn in sorted(turns):
        here = turns[turn]
        yield from product(*here)
        yield from product(before[0], here[1])
        yield from product(here[0], before[1])
        before = here[0] or before[0], here[1] or before[1]


def point_of(step: Step, epoch: int) -> ExecutionPoint:
    sync, _, event, thread = step
    return ExecutionPoint(0, epoch, thread // LANES, sync, thread % LANES, event)


def _follow(orders: Orders, one: ExecutionPoint, other: ExecutionPoint) -> bool:
    return orders.strict.is_before(one, other) or orders.strict.is_before(other, one)


def _are_ordered(mine: Step, theirs: Step, groups: Sequence[int]) -> bool:
    warp, other = mine[-1] // LANES, theirs[-1] // LANES
    same_group = bool(groups) and groups[warp] == groups[other] != 0
    return (warp == other and mine[0] != theirs[0]) or (same_group and mine[1] != theirs[1])
