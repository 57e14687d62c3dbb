"""A tree of sums in shared memory, read off its recording: which slots are added into which, level by level."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gemmviz.domain.recordings.access import BlockTrace, MappedArray, Space
from gemmviz.trace.frames.access import LaneAccesses, decode

LEAST_LEVELS = 1


@dataclass(frozen=True, slots=True)
class Addition:
    """A thread adds the slots `read` (two of them) into the slot `into`."""

    thread: int
    into: int
    read: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """All additions of one epoch, by ascending slot."""

    epoch: int
    additions: tuple[Addition, ...]


@dataclass(frozen=True, slots=True)
class ReductionTree:
    """The slots of `array` that are filled at first, and the levels that bring them down to the sum."""

    array: MappedArray
    leaves: tuple[int, ...]
    levels: tuple[Level, ...]

    def done(self, epoch: int) -> int:
        """How many levels lie in earlier epochs."""
        return sum(level.epoch < epoch for level in self.levels)


def reduction_tree(trace: BlockTrace) -> ReductionTree | None:
    """The tree of a block with one shared array of one dimension, in which every epoch halves the adding threads.

    None where the recording shows anything else: a serial sum, or tiles.
    """
    shared = [i for i, array in enumerate(trace.arrays) if array.space is Space.SHARED]
    if len(shared) != 1 or trace.arrays[shared[0]].rows != 1:
        return None
    sites = [site.index for site in trace.sites if site.space is Space.SHARED]
    slots = np.flatnonzero(np.isin(trace.slot_site, sites))
    accesses = decode(trace, slots, (0, trace.addresses.shape[0]))
    accesses = accesses.only(accesses.array == shared[0])
    epochs = trace.slot_epoch[accesses.slot]
    leaves: tuple[int, ...] = ()
    levels = []
    for epoch in np.unique(epochs).tolist():
        of_epoch = accesses.only(epochs == epoch)
        stores, loads = of_epoch.only(of_epoch.is_store), of_epoch.only(~of_epoch.is_store)
        if stores.element.size and not loads.element.size:
            leaves = tuple(np.unique(stores.element).tolist())
        elif stores.element.size:
            additions = _additions(stores, loads)
            if additions is None:
                return None
            levels.append(Level(int(epoch), additions))
    if len(levels) < LEAST_LEVELS or not leaves or not _halves(len(leaves), levels):
        return None
    return ReductionTree(trace.arrays[shared[0]], leaves, tuple(levels))


def _additions(stores: LaneAccesses, loads: LaneAccesses) -> tuple[Addition, ...] | None:
    """One addition of two slots by each thread that stores; None if a thread does something else."""
    read: dict[int, list[int]] = {}
    for thread, slot in zip(loads.thread.tolist(), loads.element.tolist(), strict=True):
        if slot not in read.setdefault(thread, []):
            read[thread].append(slot)
    found = [
        Addition(thread, slot, tuple(sorted(read.get(thread, ()))))
        for thread, slot in zip(stores.thread.tolist(), stores.element.tolist(), strict=True)
    ]
    if len({a.thread for a in found}) < len(found) or any(len(a.read) != 2 or a.into not in a.read for a in found):
        return None
    return tuple(sorted(found, key=lambda addition: addition.into))


def _halves(leaves: int, levels: list[Level]) -> bool:
    counts = [leaves, *(len(level.additions) for level in levels)]
    return all(2 * after == before for before, after in pairwise(counts)) and counts[-1] == 1
