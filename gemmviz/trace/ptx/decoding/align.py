"""Common slots for the warps of a block: each warp's requests keep their order, and the same request of several warps
shares a slot.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.int64]
"""Shape (n,)."""

_FEW = 400
"""Requests of an epoch up to which the longest common parts are searched for."""


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """The key and the epoch of each slot, and the slot of each of a warp's requests, ascending."""

    key: Column
    epoch: Column
    places: list[Column]


def align(keys: Sequence[Column], epochs: Sequence[Column]) -> Slots:
    """Slots for requests with a key each (what is alike has the same), their epochs ascending within a warp.

    Slots are in the order of their epochs. Within an epoch a warp's requests are laid beside those of the warps before
    it where these have the same keys in the same order, and get slots of their own where not.
    """
    first = max(range(len(keys)), key=lambda warp: keys[warp].size)
    if all(
        np.array_equal(keys[first], key) and np.array_equal(epochs[first], epoch)
        for key, epoch in zip(keys, epochs, strict=True)
    ):
        every = np.arange(keys[first].size, dtype=np.int64)
        return Slots(keys[first], epochs[first], [every] * len(keys))
    slots: list[Column] = []
    slot_epochs: list[Column] = []
    places: list[list[Column]] = [[] for _ in keys]
    at = 0
    for number in np.unique(np.concatenate(list(epochs))).tolist():
        here = [
            key[slice(*np.searchsorted(epoch, (number, number + 1)))] for key, epoch in zip(keys, epochs, strict=True)
        ]
        common, found = _align_epoch(here)
        slots.append(common)
        slot_epochs.append(np.full(common.size, number, np.int64))
        for warp, place in enumerate(found):
            places[warp].append(at + place)
        at += common.size
    nothing = np.zeros(0, np.int64)
    return Slots(
        np.concatenate([nothing, *slots]),
        np.concatenate([nothing, *slot_epochs]),
        [np.concatenate([nothing, *place]) for place in places],
    )


def _align_epoch(keys: Sequence[Column]) -> tuple[Column, list[Column]]:
    common = max(keys, key=lambda key: key.size)
    common = next(key for key in keys if key.size == common.size)
    places: list[Column] = []
    for key in keys:
        if np.array_equal(key, common):
            places.append(np.arange(key.size, dtype=np.int64))
            continue
        place, moved, common = _beside(key, common)
        places = [moved[earlier] for earlier in places]
        places.append(place)
    return common, places


def _beside(key: Column, common: Column) -> tuple[Column, Column, Column]:
    """A warp's places, where each slot so far has moved to, and the slots with those that the warp adds."""
    matched = _matches(key, common)
    place, moved = np.zeros(key.size, np.int64), np.zeros(common.size, np.int64)
    slots: list[int] = []
    mine = theirs = 0
    for i, j in [*matched, (key.size, common.size)]:
        for other in range(theirs, j):
            moved[other] = len(slots)
            slots.append(int(common[other]))
        for own in range(mine, i):
            place[own] = len(slots)
            slots.append(int(key[own]))
        if i < key.size:
            place[i] = moved[j] = len(slots)
            slots.append(int(key[i]))
        mine, theirs = i + 1, j + 1
    return place, moved, np.array(slots, np.int64)


def _matches(key: Column, common: Column) -> list[tuple[int, int]]:
    """Pairs of equal keys, ascending in both."""
    if not np.isin(key, common).any():
        return []
    if max(key.size, common.size) <= _FEW:
        blocks = SequenceMatcher(None, key.tolist(), common.tolist(), autojunk=False).get_matching_blocks()
        return [(block.a + i, block.b + i) for block in blocks for i in range(block.size)]
    where: dict[int, list[int]] = {}
    for j, value in enumerate(common.tolist()):
        where.setdefault(value, []).append(j)
    found, last = [], -1
    for i, value in enumerate(key.tolist()):
        there = where.get(value, [])
        at = bisect_right(there, last)
        if at < len(there):
            last = there[at]
            found.append((i, last))
    return found
