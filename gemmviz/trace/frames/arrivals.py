"""What the other blocks of a cluster bring into a block's shared memory: a multicast of the TMA.

A block's trace has it as stores of the TMA without the loads, which the other block made.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, AccessPath, BlockTrace
from gemmviz.trace.frames.access import LaneAccesses


def arriving_slots(trace: BlockTrace) -> NDArray[np.bool_]:
    """Which slots store what another block of the cluster has copied, shape (slots,).

    A copy of the block's own has as many slots that load as slots that store, and loads first, also where it reaches
    beyond its matrix and lanes load nothing. What is stored without a load before it, another block has loaded.
    """
    steps = np.zeros(len(trace.sites) + 1, np.int64)  # the last one is a barrier's
    for site in trace.sites:
        if site.path is AccessPath.COPY_ENGINE:
            steps[site.index] = 1 if site.kind is AccessKind.LOAD else -1
    loaded = np.concatenate(([0], np.cumsum(steps[trace.slot_site])))
    least = np.minimum.accumulate(loaded)
    return least[1:] < least[:-1]


def slots_filled(accesses: LaneAccesses, arriving: NDArray[np.bool_]) -> int:
    """How many elements of shared arrays lie where `arriving` slots of the trace, shape (slots,), store."""
    brought = accesses.only(arriving[accesses.slot] & (accesses.array >= 0))
    elements, which = brought.elements()
    return int(np.unique(np.stack((brought.array[which].astype(np.int64), elements)), axis=1).shape[1])
