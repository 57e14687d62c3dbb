"""Variables of the source and what they held: of each thread of a block, at each access, barrier and at its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import prod
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.session.column_ranges import LaneColumn, OrdinalColumn
from gemmviz.domain.session.field_ranges import Count, Dimension, ElementBytes, Line, Range

AS_WRITTEN_ONLY = "Variables are recorded as written only, because compiled code no longer has them."
NOT_ASKED_FOR = "The values of variables were not recorded. The PTX machine records them, as written."
MOST_CELLS = 1024
"""Scalars of all variables of a kernel; variables beyond are named, without values."""
_SIZES, _MOST_DIMENSIONS = (1, 2, 4, 8), 16
BitsColumn = Annotated[NDArray[np.int64], Range("value", -(2**63), 2**63)]


class Scalar(StrEnum):
    """What the bits of a value mean. Those of a POINTER are a virtual address, -1 where it points to no array."""

    FLOAT = "float"
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    BOOLEAN = "boolean"
    POINTER = "pointer"
    HALF = "half"
    BFLOAT16 = "bfloat16"


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, or a member of one ("pair.first"): scalars of one kind with `shape`, () for one alone.

    Its scalars have the numbers from `first` on, in row-major order. `function` is the function of the source that
    declares it, "" for the kernel. `why_not` says why its values are not known; it has no numbers then.
    """

    name: str
    type: str
    scalar: Scalar
    nbytes: ElementBytes
    shape: tuple[Dimension, ...]
    first: Count
    line: Line
    function: str = ""
    why_not: str = ""

    @property
    def count(self) -> int:
        """How many scalars are known of it."""
        return 0 if self.why_not else prod(self.shape)


def _nothing() -> NDArray[np.int32]:
    return np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class VariableValues:
    """What the variables of the threads of a block's first `warps` warps held.

    Set number n of variables that are known together are `members[first_members[n]:first_members[n + 1]]`, indices of
    `variables`. `known`, shape (warps · slots,), row-major: 1 + the set that a warp's request in a slot knows, 0 where
    nothing was recorded; `known_at_end`, shape (threads,): the same for each thread when it ends.

    The other columns have shape (n,), in the order in which a warp ran: before the request in `slot` (the number of
    slots: before the end) the scalar `cell` of the `lanes` of a warp, a mask, had changed to `bits`, shape (n · 32,).
    `note` says in a sentence what is not there, "" where nothing is missing.

    Raises:
        ValueError: the columns do not fit together.
    """

    variables: tuple[Variable, ...] = ()
    warps: Count = 0
    first_members: OrdinalColumn = field(default_factory=_nothing)
    members: OrdinalColumn = field(default_factory=_nothing)
    known: OrdinalColumn = field(default_factory=_nothing)
    known_at_end: OrdinalColumn = field(default_factory=_nothing)
    warp: OrdinalColumn = field(default_factory=_nothing)
    slot: OrdinalColumn = field(default_factory=_nothing)
    cell: OrdinalColumn = field(default_factory=_nothing)
    lanes: LaneColumn = field(default_factory=lambda: np.zeros(0, np.int64))
    bits: BitsColumn = field(default_factory=lambda: np.zeros(0, np.int64))
    note: str = NOT_ASKED_FOR

    def __post_init__(self) -> None:
        count, sets = self.slot.size, max(self.first_members.size - 1, 0)
        cells = sum(one.count for one in self.variables)
        fits = _are_in_order(self.variables) and cells <= MOST_CELLS
        fits &= all(column.size == count for column in (self.warp, self.cell, self.lanes))
        fits &= self.bits.size == LANES * count
        fits &= _is_below(self.cell, cells) and _is_below(self.warp, self.warps)
        fits &= _is_below(self.members, len(self.variables)) and _is_below(self.known, sets + 1)
        fits &= _is_below(self.known_at_end, sets + 1) and _is_below(self.first_members, self.members.size + 1)
        if not fits or np.any(np.diff(self.first_members) < 0):
            raise ValueError("the values of variables are damaged: their columns do not fit together")

    @property
    def nbytes(self) -> int:
        """The size of all columns."""
        columns = (self.known, self.known_at_end, self.warp, self.slot, self.cell, self.lanes, self.bits)
        return sum(column.nbytes for column in columns)

    @property
    def are_known(self) -> bool:
        """Whether there are any."""
        return self.warps > 0

    def fit(self, slots: int, threads: int) -> bool:
        """Whether they can be those of a block of so many slots and threads."""
        if not self.are_known:
            return True
        return (
            self.known.size == self.warps * slots
            and self.known_at_end.size == threads
            and self.warps <= -(-threads // LANES)
            and _is_below(self.slot, slots + 1)
        )

    def known_in(self, number: int) -> tuple[Variable, ...]:
        """The variables of set `number` - 1; () for 0."""
        if not number:
            return ()
        begin, end = self.first_members[number - 1 : number + 1].tolist()
        return tuple(self.variables[one] for one in self.members[begin:end].tolist())


def _are_in_order(variables: tuple[Variable, ...]) -> bool:
    """Whether the numbers of each variable's scalars follow those of the ones before, and its sizes can be."""
    following = 0
    for one in variables:
        if one.nbytes not in _SIZES or len(one.shape) > _MOST_DIMENSIONS or (one.count and one.first != following):
            return False
        following += one.count
    return True


def _is_below(column: NDArray[np.int32], limit: int) -> bool:
    return not column.size or int(column.max()) < limit
