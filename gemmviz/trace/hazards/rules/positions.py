"""Where accesses of a trace take place: slots and warps as one number, from which a frame follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.access import LaneAccesses, decode

_AT_ONCE = 1 << 17

Positions = NDArray[np.int64]
"""Slot times warps of the block, plus the warp, shape (n,): what `Frames.frames_at` takes."""


def positions_of(accesses: LaneAccesses, warps: int) -> Positions:
    """The position of each access, shape (n,), in a block of so many warps."""
    return accesses.slot.astype(np.int64) * warps + accesses.thread // LANES


def sites_of(hazards: Sequence[Hazard], kind: HazardKind) -> set[int]:
    """The sites that the hazards of a kind name."""
    return {site for hazard in hazards if hazard.kind is kind for site in hazard.sites}


def slots_of(trace: BlockTrace, sites: Iterable[int]) -> NDArray[np.intp]:
    """The slots in which some sites are executed, ascending, shape (n,)."""
    return np.flatnonzero(np.isin(trace.slot_site, list(sites)))


def accesses_in(trace: BlockTrace, slots: NDArray[np.intp]) -> Iterator[LaneAccesses]:
    """The accesses of some slots, a few epochs at a time: two that race are in one piece."""
    warps = trace.addresses.shape[0]
    most = max(_AT_ONCE // (warps * LANES), 1)
    begins = np.flatnonzero(np.diff(trace.slot_epoch[slots], prepend=-1))
    cuts: list[int] = []
    for begin in begins.tolist():
        if not cuts or begin - cuts[-1] >= most:
            cuts.append(begin)
    for begin, end in pairwise([*cuts, slots.size]):
        yield decode(trace, slots[begin:end], (0, warps))
