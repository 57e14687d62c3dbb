"""Races of a block: one location, two threads, one epoch, at least one of them writes, not both atomically.

That lanes of a warp run in step guarantees nothing, so accesses of one warp in different slots race like any others,
unless a barrier of the warp stands between them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import BlockTrace, Site
from gemmviz.trace.findings import Hazard, HazardKind
from gemmviz.trace.naming import element_name
from gemmviz.trace.race_words import race_words
from gemmviz.trace.shadow import Shadow
from gemmviz.trace.shadow_pass import ADDRESS, COUNT, EARLIER, EARLIER_THREAD, LATER, LATER_THREAD, SLOT
from gemmviz.trace.warp_order import is_put_in_order


def races(trace: BlockTrace, shadow: Shadow) -> tuple[Hazard, ...]:
    """One hazard per pair of sites, the earlier in the order of the program first; in the order of their first race.

    Its count: the accesses at the later site that conflict with one before them at the earlier site.
    """
    sites = {site.index: site for site in trace.sites}
    return tuple(
        _hazard(trace, sites, conflict)
        for conflict in shadow.conflicts
        if not is_put_in_order(trace, sites[int(conflict[EARLIER])], sites[int(conflict[LATER])])
    )


def _hazard(trace: BlockTrace, sites: dict[int, Site], conflict: NDArray[np.int64]) -> Hazard:
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
        detail=says,
        sites=(earlier.index, later.index),
    )
