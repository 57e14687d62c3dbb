"""Races in which all writes of a place have the same value, so that their order does not matter.

PTX's memory consistency model holds for races of accesses that overlap wholly: what lies there in the end is one of the
values written (NVIDIA, PTX ISA, "Uniform-size data races"). compute-sanitizer's racecheck tells them as information.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Site, Space
from gemmviz.domain.recordings.hazard import Gravity, Hazard, HazardKind, Mend
from gemmviz.trace.hazards.race_words import equal_words
from gemmviz.trace.stored_values import StoredValues

GetValues = Callable[[frozenset[int]], StoredValues | None]
"""What the stores of some sites wrote, in all blocks that were recorded; None where nobody can say."""


def with_equal_writes(hazards: Sequence[Hazard], sites: Sequence[Site], values_of: GetValues) -> tuple[Hazard, ...]:
    """The hazards, those of writes alone as writes of equal values where every two writes that may race have the same
    value. The values are only asked for where nothing worse is found.
    """
    asked = {hazard: _writers(hazard, sites) for hazard in hazards if _is_grave(hazard)}
    if not asked or not all(asked.values()):
        return tuple(hazards)
    stored = values_of(frozenset(site for writers in asked.values() for site in writers))
    if stored is None:
        return tuple(hazards)
    return tuple(
        _as_equal(hazard) if hazard in asked and _are_equal(hazard, asked[hazard], stored) else hazard
        for hazard in hazards
    )


def _is_grave(hazard: Hazard) -> bool:
    return hazard.kind.is_of_threads or hazard.kind.gravity < Gravity.MAY_BE_RIGHT


def _writers(hazard: Hazard, sites: Sequence[Site]) -> frozenset[int]:
    """The sites whose plain stores race; none where something else takes part, or where it is no race."""
    if hazard.kind is HazardKind.RACE:
        found = [sites[one] for one in hazard.sites]
    elif hazard.kind is HazardKind.BLOCK_RACE:
        found = [one for one in sites if one.space is Space.GLOBAL and one.array in (hazard.array, "")]
    else:
        return frozenset()
    are_plain = all(one.kind is AccessKind.STORE and one.path is AccessPath.LOAD_STORE for one in found)
    return frozenset(one.index for one in found) if are_plain else frozenset()


def _are_equal(hazard: Hazard, writers: frozenset[int], stored: StoredValues) -> bool:
    """Whether of each byte that several threads write between the same barriers or, between blocks, that several blocks
    write, all values are the same.
    """
    rows = np.flatnonzero(np.isin(stored.site, list(writers)))
    is_of_blocks = hazard.kind is HazardKind.BLOCK_RACE
    keys = (stored.address,) if is_of_blocks else (stored.address, stored.epoch, stored.block)
    rows = rows[np.lexsort([key[rows] for key in keys])]
    if not rows.size:
        return False
    is_new = np.ones(rows.size, np.bool_)
    is_new[1:] = np.any([np.diff(key[rows]) != 0 for key in keys], axis=0)
    begins = np.flatnonzero(is_new)
    is_shared = _differ((stored.block if is_of_blocks else stored.thread)[rows], begins)
    return bool(is_shared.any()) and not bool((is_shared & _differ(stored.value[rows], begins)).any())


def _differ(column: NDArray[np.int64], begins: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Of each stretch of a column whether its numbers differ."""
    differ: NDArray[np.bool_] = np.minimum.reduceat(column, begins) != np.maximum.reduceat(column, begins)
    return differ


def _as_equal(hazard: Hazard) -> Hazard:
    is_of_blocks = hazard.kind is HazardKind.BLOCK_RACE
    kind = HazardKind.EQUAL_BLOCK_WRITES if is_of_blocks else HazardKind.EQUAL_WRITES
    return replace(hazard, kind=kind, detail=equal_words(hazard.detail), mend=Mend.UNKNOWN)
