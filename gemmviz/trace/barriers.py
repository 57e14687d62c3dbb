"""Barriers that some threads of a block reach and others do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gemmviz.domain.access import BARRIER_SITE, BlockTrace, Site
from gemmviz.trace.findings import Hazard, HazardKind
from gemmviz.trace.occurrences import NAMED


def divergent_barriers(trace: BlockTrace) -> tuple[Hazard, ...]:
    """One hazard per barrier of the source that at least one thread reached and at least one did not.

    A trace does not say which barrier of the source a slot is: two slots count as one barrier if the access before
    them is at one site. Its count: how many times it was passed with threads missing.
    """
    slots = np.flatnonzero(trace.slot_site == BARRIER_SITE)
    warps, _, lanes = trace.addresses.shape
    arrived = (trace.addresses[:, slots] == 0).transpose(1, 0, 2).reshape(len(slots), warps * lanes)
    arrived = arrived[:, : trace.threads]
    some = arrived.any(axis=1) & ~arrived.all(axis=1)
    accesses = np.flatnonzero(trace.slot_site != BARRIER_SITE)
    sites = {site.index: site for site in trace.sites}
    found: dict[int, Hazard] = {}
    for i in np.flatnonzero(some):
        slot = int(slots[i])
        before = int(np.searchsorted(accesses, slot)) - 1
        site = sites[int(trace.slot_site[accesses[before]])] if before >= 0 else None
        key = BARRIER_SITE if site is None else site.index
        first = found.get(key)
        if first is None:
            found[key] = _hazard(trace, slot, np.flatnonzero(~arrived[i]), int(arrived[i].sum()), site)
        else:
            found[key] = replace(first, count=first.count + 1)
    return tuple(found.values())


def _hazard(trace: BlockTrace, slot: int, missing: np.ndarray, waiting: int, before: Site | None) -> Hazard:
    epoch = int(trace.slot_epoch[slot])
    others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    verb = "do" if others else "does"
    after = "" if before is None else f", after {before.text} (line {before.line})"
    return Hazard(
        kind=HazardKind.DIVERGENT_BARRIER,
        line=0 if before is None else before.line,
        text="barrier",
        block=trace.block,
        threads=tuple(int(thread) for thread in missing[:NAMED]),
        epoch=epoch,
        count=1,
        detail=f"thread {missing[0]}{others} {verb} not come to the barrier that ends interval {epoch}{after}, where "
        f"{waiting} of the block's {trace.threads} threads wait: every thread must come to every barrier",
    )
