"""Where in shared memory an element of A or B lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gemmviz.domain.recordings.access import MappedArray
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.model.rules import bank_of

MATRICES = "AB"
"""The matrices a snapshot of shared memory speaks of as 0 and 1."""


@dataclass(frozen=True, slots=True)
class SharedPlace:
    """A slot of shared memory that holds an element."""

    array: MappedArray
    row: int
    column: int

    @property
    def bank(self) -> int:
        return bank_of(self.array.address_of(self.row, self.column))

    @property
    def words(self) -> str:
        """ "As[1,3], bank 19"."""
        return f"{self.name}, bank {self.bank}"

    @property
    def name(self) -> str:
        """ "As[1,3]"."""
        return self.array.name_of(self.row, self.column)


def shared_places(frame: Frame, name: str, row: int, column: int) -> tuple[SharedPlace, ...]:
    """Where in shared memory an element of A or B lies when the frame ends."""
    array = next((each for each in frame.arrays if each.name == name), None)
    if array is None or name not in MATRICES:
        return ()
    wanted, matrix = row * array.columns + column, MATRICES.index(name)
    places: list[SharedPlace] = []
    for held in frame.shared:
        found = np.nonzero((held.after.origin == wanted) & (held.after.matrix == matrix))
        places += [SharedPlace(held.array, r, c) for r, c in zip(*(axis.tolist() for axis in found), strict=True)]
    return tuple(places)
