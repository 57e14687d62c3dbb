"""Races of a block: one location, two threads, one epoch, at least one of them writes, not both by strong accesses.

That lanes of a warp run in step guarantees nothing, so accesses of one warp in different slots race like any others,
unless a barrier of the warp stands between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, Site
from gemmviz.domain.recordings.hazard import Mend
from gemmviz.domain.recordings.racing_requests import RacingRequests
from gemmviz.trace.counts.site_table import site_table
from gemmviz.trace.hazards.bounds import Addresses, check_bounds
from gemmviz.trace.hazards.findings import Hazard, HazardKind
from gemmviz.trace.hazards.happens_before import ExecutionPoint, TooManyStepsError
from gemmviz.trace.hazards.missing_fences import Orders, missing_fence
from gemmviz.trace.hazards.naming import name_at
from gemmviz.trace.hazards.race_words import race_words
from gemmviz.trace.hazards.races.partners import Partners, partners_between_barriers
from gemmviz.trace.hazards.races.racing_requests import racing_requests
from gemmviz.trace.hazards.races.touches import Touches
from gemmviz.trace.hazards.races.updates import update_it
from gemmviz.trace.hazards.races.warp_order import may_be_ordered, unordered, unordered_partners
from gemmviz.trace.hazards.shadow import Shadow
from gemmviz.trace.hazards.shadow_pass import ADDRESS, COUNT, EARLIER, EARLIER_THREAD, LATER, LATER_THREAD, SLOT


def races(trace: BlockTrace, shadow: Shadow, addresses: Addresses) -> tuple[Hazard, ...]:
    """One hazard per pair of sites, the earlier in the order of the program first; in the order of their first race.

    Its count: the accesses at the later site that conflict with one before them at the earlier site and that nothing
    puts in order with it. `addresses` are those that `shadow` was made from.
    """
    sites = {site.index: site for site in trace.sites}
    found = []
    orders = _orders(trace) if len(shadow.conflicts) else None
    for conflict in shadow.conflicts:
        earlier, later = sites[int(conflict[EARLIER])], sites[int(conflict[LATER])]
        if not may_be_ordered(trace):
            found.append(_hazard(trace, earlier, later, _conflict(conflict)))
            continue
        left = unordered(trace, earlier, later, orders, addresses)
        if left is not None:
            race = _Race(left.count, left.slot, left.address, left.threads)
            found.append(_hazard(trace, earlier, later, race, "" if orders is None else _missing(orders, *left.points)))
    return tuple(found)


def racing_accesses(trace: BlockTrace, hazards: Sequence[Hazard]) -> RacingRequests:
    """Which accesses of a block race, at the pairs of sites that the races among `hazards` name, be they of this block
    or of another one. Nothing is searched where there are no races.

    Raises:
        ValueError: the trace is not whole: see `site_table`.
    """
    if not any(hazard.kind.is_of_threads for hazard in hazards):
        return RacingRequests()
    addresses, _ = check_bounds(trace, site_table(trace))
    if not may_be_ordered(trace):
        return racing_requests(trace, hazards, addresses, partners_between_barriers)
    orders = _orders(trace)

    def find(earlier: Touches, later: Touches, named: tuple[int, ...]) -> Partners:
        return unordered_partners(trace, earlier, later, named, orders)

    return racing_requests(trace, hazards, addresses, find)


def _orders(trace: BlockTrace) -> Orders | None:
    """The order of a block's strong accesses; None where there are none, or too many to follow."""
    if trace.strong is None or not trace.strong.kind.size:
        return None
    orders = Orders([trace.strong])
    try:
        _ = orders.strict
    except TooManyStepsError:
        return None
    return orders


def _missing(orders: Orders, one: ExecutionPoint, other: ExecutionPoint) -> str:
    missing = missing_fence(orders, one, other) or missing_fence(orders, other, one)
    return "" if missing is None else f"; or {missing.words}"


@dataclass(frozen=True, slots=True)
class _Race:
    """How many accesses race, and the slot, the address and the two threads of an example."""

    count: int
    slot: int
    address: int
    threads: tuple[int, int]


def _conflict(row: NDArray[np.int64]) -> _Race:
    threads = int(row[EARLIER_THREAD]), int(row[LATER_THREAD])
    return _Race(int(row[COUNT]), int(row[SLOT]), int(row[ADDRESS]), threads)


def _hazard(trace: BlockTrace, earlier: Site, later: Site, race: _Race, why: str = "") -> Hazard:
    epoch = int(trace.slot_epoch[race.slot])
    element = name_at(trace.arrays, race.address)
    interval = f"between barriers {epoch} and {epoch + 1}"
    is_update = update_it(trace, (earlier, later), race.threads, race.address)
    says = race_words(earlier, later, race.threads, element, interval, is_update=is_update)
    return Hazard(
        kind=HazardKind.RACE,
        line=later.line,
        text=later.text,
        block=trace.block,
        blocks=1,
        threads=race.threads,
        epoch=epoch,
        count=race.count,
        detail=says + why,
        sites=(earlier.index, later.index),
        mend=_mend(earlier, later, is_update=is_update, lacks_fence=bool(why)),
    )


def _mend(earlier: Site, later: Site, *, is_update: bool, lacks_fence: bool) -> Mend:
    if is_update:
        return Mend.ATOMIC
    return Mend.ONE_WRITER if earlier is later else Mend.FENCE if lacks_fence else Mend.UNKNOWN
