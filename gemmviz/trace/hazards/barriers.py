"""Barriers that some threads of a block reach and others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.trace.barriers import barriers_of
from gemmviz.trace.hazards.barrier_faults import BarrierFault
from gemmviz.trace.hazards.findings import Hazard


def missed_barriers(trace: BlockTrace) -> tuple[BarrierFault, ...]:
    """The barriers that at least one thread reached and at least one did not, in their order."""
    barriers = barriers_of(trace)
    is_missed = barriers.reached & ~barriers.arrived.all(axis=1)
    found = []
    for at in np.flatnonzero(is_missed).tolist():
        place, missing = barriers.places[at], np.flatnonzero(~barriers.arrived[at])
        others = f" and {missing.size - 1} more do" if missing.size > 1 else " does"
        where = f" in line {place.line}" if place.line else ""
        waiting = trace.threads - missing.size
        detail = (
            f"thread {missing[0]}{others} not reach barrier {barriers.epochs[at] + 1}{where}, where {waiting} of the "
            f"block's {trace.threads} threads wait: every thread must reach every barrier"
        )
        found.append(BarrierFault(int(barriers.slots[at]), place, detail, tuple(missing.tolist())))
    return tuple(found)


def with_what_follows(divergent: Sequence[Hazard], unwritten: Sequence[Hazard]) -> tuple[Hazard, ...]:
    """Divergent barriers and unwritten reads of one block, what threads that were missing never wrote told with them.

    A site that reads the unwritten only after a barrier that threads missed is a consequence, and no hazard here.
    """
    if not divergent:
        return tuple(unwritten)
    first = min(divergent, key=lambda hazard: hazard.epoch)
    caused = [hazard for hazard in unwritten if hazard.epoch > first.epoch]
    if not caused:
        return (*divergent, *unwritten)
    reads = ", ".join(f"{hazard.text} (line {hazard.line})" for hazard in caused)
    told = replace(first, detail=f"{first.detail}; after it, these reads are uninitialised: {reads}")
    return (
        *(told if hazard is first else hazard for hazard in divergent),
        *(hazard for hazard in unwritten if hazard not in caused),
    )
