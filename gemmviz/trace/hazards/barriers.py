"""Barriers that some threads of a block reach and others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gemmviz.domain.recordings.access import BARRIER_SITE, BarrierPlace, BlockTrace
from gemmviz.trace.hazards.findings import Hazard, HazardKind
from gemmviz.trace.hazards.sightings import NAMED

UNKNOWN = BarrierPlace(0, "barrier")
"""The barrier of a trace that does not name its barriers."""


def divergent_barriers(trace: BlockTrace) -> tuple[Hazard, ...]:
    """One hazard per barrier of the source that at least one thread reached and at least one did not.

    Its count: how many times it was passed with threads missing.
    """
    slots = np.flatnonzero(trace.slot_site == BARRIER_SITE)
    warps, _, lanes = trace.addresses.shape
    arrived = (trace.addresses[:, slots] == 0).transpose(1, 0, 2).reshape(len(slots), warps * lanes)
    arrived = arrived[:, : trace.threads]
    some = arrived.any(axis=1) & ~arrived.all(axis=1)
    found: dict[BarrierPlace, Hazard] = {}
    for i in np.flatnonzero(some).tolist():
        place = trace.ended_by[i] if trace.ended_by else UNKNOWN
        first = found.get(place)
        if first is None:
            found[place] = _hazard(trace, int(slots[i]), np.flatnonzero(~arrived[i]), int(arrived[i].sum()), place)
        else:
            found[place] = replace(first, count=first.count + 1)
    return tuple(found.values())


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


def _hazard(trace: BlockTrace, slot: int, missing: np.ndarray, waiting: int, place: BarrierPlace) -> Hazard:
    epoch = int(trace.slot_epoch[slot])
    others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    verb = "do" if others else "does"
    where = f" in line {place.line}" if place.line else ""
    return Hazard(
        kind=HazardKind.DIVERGENT_BARRIER,
        line=place.line,
        text=place.text,
        block=trace.block,
        blocks=1,
        threads=tuple(int(thread) for thread in missing[:NAMED]),
        epoch=epoch,
        count=1,
        detail=f"thread {missing[0]}{others} {verb} not reach barrier {epoch + 1}{where}, where "
        f"{waiting} of the block's {trace.threads} threads wait: every thread must reach every barrier",
    )
