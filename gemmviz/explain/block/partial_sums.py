"""Where the threads of a block store the sums that they made by themselves, when these lie in shared memory."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.trace.frames.access import decode

NO_SLOT = -1


@dataclass(frozen=True, slots=True, eq=False)
class PartialSums:
    """The shared array `name`, which has `columns`, and the first slot that each thread stores there, shape (threads,);
    NO_SLOT for a thread that stores none.
    """

    name: str
    columns: int
    slot_of: NDArray[np.int64]


def partial_sums_of(trace: BlockTrace, kept: Collection[str]) -> PartialSums | None:
    """The sums of a block with one shared array; None where elements of the `kept` matrices lie in it, or nothing."""
    shared = [number for number, array in enumerate(trace.arrays) if array.space is Space.SHARED]
    if kept or len(shared) != 1:
        return None
    stores = decode(trace, np.arange(trace.slot_site.size), (0, trace.addresses.shape[0]))
    stores = stores.only((stores.array == shared[0]) & stores.is_store)
    threads, firsts = np.unique(stores.thread, return_index=True)
    slot_of = np.full(trace.threads, NO_SLOT, np.int64)
    slot_of[threads] = stores.element[firsts]
    array = trace.arrays[shared[0]]
    return PartialSums(array.name, array.columns, slot_of) if threads.size else None
