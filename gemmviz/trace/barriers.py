"""The barriers of a recorded block: where each stands, and which threads came to it. Loads no Numba."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BarrierPlace, BlockTrace

UNKNOWN = BarrierPlace(0, "barrier")
"""The barrier of a trace that does not name its barriers."""


class Barriers:
    """The barriers of one block in the order in which they were passed, none where it has none: `barriers_of` makes it.

    Attributes:
        slots: their slots, ascending, shape (n,).
        epochs: the barriers passed before each, shape (n,).
        places: where each stands in the source, UNKNOWN where the trace does not say.
    """

    def __init__(self, trace: BlockTrace) -> None:
        self._trace = trace
        self.slots: NDArray[np.int64] = np.flatnonzero(trace.slot_site == BARRIER_SITE)
        self.epochs: NDArray[np.int32] = trace.slot_epoch[self.slots]
        self.places: tuple[BarrierPlace, ...] = tuple(trace.ended_by) or (UNKNOWN,) * self.slots.size

    @cached_property
    def arrived(self) -> NDArray[np.bool_]:
        """Which threads of the block came to each barrier, shape (n, threads)."""
        warps, _, lanes = self._trace.addresses.shape
        came = (self._trace.addresses[:, self.slots] != INACTIVE).transpose(1, 0, 2)
        of_threads: NDArray[np.bool_] = came.reshape(self.slots.size, warps * lanes)[:, : self._trace.threads]
        return of_threads

    @property
    def reached(self) -> NDArray[np.bool_]:
        """Which barriers some thread came to, shape (n,)."""
        return np.asarray(self.arrived.any(axis=1), np.bool_)

    def place_at(self, slot: int) -> BarrierPlace:
        """The barrier at a slot of the trace."""
        return self.places[int(np.searchsorted(self.slots, slot))]


def barriers_of(trace: BlockTrace) -> Barriers:
    """The barriers of a block."""
    return Barriers(trace)
