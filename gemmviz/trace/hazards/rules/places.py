"""Where in a block a hazard is announced: slot and warp of its first access at fault."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, BlockTrace
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.warp import LANES

Place = tuple[int, int]
"""Slot and warp."""


def usual_place(trace: BlockTrace, hazard: Hazard) -> Place | None:
    """Where the warp that a hazard is told of first runs its last site in its epoch; None if the trace lacks the
    epoch.
    """
    slots = slots_of_site(trace, hazard)
    return first_run(trace, slots, warp_of(trace, hazard)) if slots.size else None


def slots_of_site(trace: BlockTrace, hazard: Hazard) -> NDArray[np.intp]:
    """The slots of a hazard's last site in its epoch, or of the whole epoch if it has none there; shape (n,)."""
    in_epoch = trace.slot_epoch == hazard.epoch
    of_site = np.flatnonzero(in_epoch & (trace.slot_site == hazard.sites[-1])) if hazard.sites else np.zeros(0, np.intp)
    return of_site if of_site.size else np.flatnonzero(in_epoch)


def warp_of(trace: BlockTrace, hazard: Hazard) -> int:
    """The warp of the thread that a hazard is told of: of two threads the later, else the first that was found, whose
    access the sentence and the epoch are of; warp 0 where it names none.
    """
    threads = hazard.threads or (0,)
    thread = threads[-1] if hazard.kind.takes_two_threads else threads[0]
    return min(thread // LANES, len(trace.addresses) - 1)


def first_run(trace: BlockTrace, slots: NDArray[np.intp], warp: int) -> Place:
    """The first of some slots, at least one, in which a warp runs; the first of all if it runs in none."""
    ran = np.any(trace.addresses[warp, slots] != INACTIVE, axis=1)
    return int(slots[int(np.argmax(ran))]), warp
