"""Elements at fault in a frame, as values, and what rules need to make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, MappedArray
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.access import LaneAccesses, decode
from gemmviz.trace.frames.values import Frame


@dataclass(frozen=True, slots=True, eq=False)
class HazardMark:
    """Elements at fault: rows and columns, shape (n,), of `array`; an access beside an array has row or column outside.

    `threads` are two that meet at the first of them, or those at fault; `words` say what is wrong,
    with the line and the threads. `place` is that of the hazard among those of the recording, 0 where all of a kind
    are marked together.
    """

    kind: HazardKind
    array: MappedArray
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    threads: tuple[int, ...]
    words: str
    place: int = 0

    def about(self, name: str, row: int, column: int) -> bool:
        """Whether an element is one of those at fault."""
        return name == self.array.name and bool(np.any((self.rows == row) & (self.columns == column)))


def running(frame: Frame, hazards: Sequence[Hazard], kind: HazardKind) -> list[tuple[int, Hazard]]:
    """The hazards of a kind whose sites a frame executes, each with its place among all hazards."""
    sites = {site.index for site in frame.sites}
    return [(place, one) for place, one in enumerate(hazards) if one.kind is kind and sites & set(one.sites)]


def accesses_at(frame: Frame, trace: BlockTrace, sites: Sequence[int]) -> LaneAccesses:
    """The accesses of a frame at some sites."""
    accesses = decode(trace, np.arange(*frame.slots), frame.warps)
    return accesses.only(np.isin(accesses.site, sites))


def name_of(array: MappedArray, element: int) -> str:
    """An element, given by its row-major index: As[1,2]."""
    return array.name_of(*divmod(element, array.columns))
