"""Races of a block: one location, two threads, one epoch, and at least one of them writes.

That lanes of a warp run in step guarantees nothing, so accesses of one warp in different slots race like any others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import AccessKind, BlockTrace, Site
from gemmviz.trace.findings import Hazard, HazardKind
from gemmviz.trace.naming import element_name
from gemmviz.trace.shadow import Shadow
from gemmviz.trace.shadow_pass import ADDRESS, COUNT, EARLIER, EARLIER_THREAD, LATER, LATER_THREAD, SLOT


def races(trace: BlockTrace, shadow: Shadow) -> tuple[Hazard, ...]:
    """One hazard per pair of sites, the earlier in the order of the program first; in the order of their first race.

    Its count: the accesses at the later site that conflict with one before them at the earlier site.
    """
    sites = {site.index: site for site in trace.sites}
    return tuple(_hazard(trace, sites, conflict) for conflict in shadow.conflicts)


def _hazard(trace: BlockTrace, sites: dict[int, Site], conflict: NDArray[np.int64]) -> Hazard:
    earlier, later = sites[int(conflict[EARLIER])], sites[int(conflict[LATER])]
    threads = int(conflict[EARLIER_THREAD]), int(conflict[LATER_THREAD])
    epoch = int(trace.slot_epoch[conflict[SLOT]])
    says = _detail(earlier, later, threads, element_name(trace.arrays, int(conflict[ADDRESS])), epoch)
    return Hazard(
        kind=HazardKind.RACE,
        line=later.line,
        text=later.text,
        block=trace.block,
        threads=threads,
        epoch=epoch,
        count=int(conflict[COUNT]),
        detail=says,
        sites=(earlier.index, later.index),
    )


def _detail(earlier: Site, later: Site, threads: tuple[int, int], element: str, epoch: int) -> str:
    first, second = threads
    interval = f"in the same barrier interval {epoch}"
    if earlier is later:
        return (
            f"threads {first} and {second} both write {element} (line {later.line}) {interval}; "
            f"which of them comes last is chance"
        )
    missing = "a barrier between them is missing"
    match earlier.kind, later.kind:
        case AccessKind.STORE, AccessKind.LOAD:
            return (
                f"thread {second} reads {element} (line {later.line}) while thread {first} writes it "
                f"(line {earlier.line}) {interval}; {missing}"
            )
        case AccessKind.LOAD, _:
            return (
                f"thread {second} writes {element} (line {later.line}) while thread {first} still reads it "
                f"(line {earlier.line}) {interval}; {missing}"
            )
    return (
        f"thread {first} writes {element} (line {earlier.line}) and thread {second} writes it too "
        f"(line {later.line}) {interval}; which of them comes last is chance, and {missing}"
    )
