"""Races of a block: one location, two threads, one epoch, at least one of them writes, not both by strong accesses.

That lanes of a warp run in step guarantees nothing, so accesses of one warp in different slots race like any others,
unless a barrier of the warp stands between them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, Site
from gemmviz.trace.hazards.findings import Hazard, HazardKind
from gemmviz.trace.hazards.happens_before import TooManyStepsError
from gemmviz.trace.hazards.missing_fences import Orders, missing_fence
from gemmviz.trace.hazards.naming import element_name
from gemmviz.trace.hazards.race_words import race_words
from gemmviz.trace.hazards.shadow import Shadow
from gemmviz.trace.hazards.shadow_pass import ADDRESS, COUNT, EARLIER, EARLIER_THREAD, LATER, LATER_THREAD, SLOT
from gemmviz.trace.hazards.warp_order import Meeting, may_be_ordered, unordered


def races(trace: BlockTrace, shadow: Shadow) -> tuple[Hazard, ...]:
    """One hazard per pair of sites, the earlier in the order of the program first; in the order of their first race.

    Its count: the accesses at the later site that conflict with one before them at the earlier site.
    """
    sites = {site.index: site for site in trace.sites}
    found = []
    orders = _orders(trace) if len(shadow.conflicts) else None
    for conflict in shadow.conflicts:
        why = ""
        if may_be_ordered(trace):
            meeting = unordered(trace, sites[int(conflict[EARLIER])], sites[int(conflict[LATER])], orders)
            if meeting is None:
                continue
            why = "" if orders is None else _missing(orders, meeting)
        found.append(_hazard(trace, sites, conflict, why))
    return tuple(found)


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


def _missing(orders: Orders, meeting: Meeting) -> str:
    missing = missing_fence(orders, meeting.one, meeting.other) or missing_fence(orders, meeting.other, meeting.one)
    return "" if missing is None else f"; or {missing.words}"


def _hazard(trace: BlockTrace, sites: dict[int, Site], conflict: NDArray[np.int64], why: str) -> Hazard:
    earlier, later = sites[int(conflict[EARLIER])], sites[int(conflict[LATER])]
    threads = int(conflict[EARLIER_THREAD]), int(conflict[LATER_THREAD])
    epoch = int(trace.slot_epoch[conflict[SLOT]])
    element = element_name(trace.arrays, int(conflict[ADDRESS]))
    says = race_words(earlier, later, threads, element, f"between barriers {epoch} and {epoch + 1}")
    return Hazard(
        kind=HazardKind.RACE,
        line=later.line,
        text=later.text,
        block=trace.block,
        blocks=1,
        threads=threads,
        epoch=epoch,
        count=int(conflict[COUNT]),
        detail=says + why,
        sites=(earlier.index, later.index),
    )
