"""Which accesses of a block race, request by request, as the search for races found them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.session.column_ranges import LaneColumn, OrdinalColumn
from gemmviz.domain.session.field_ranges import Count, Index


def _nothing() -> NDArray[np.int32]:
    return np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True)
class RacingSites:
    """Two sites whose accesses race, the earlier in the order of the program first, and how many accesses of the block
    do so at either; `kept` rows of the columns are theirs, and if it `is_cut`, these are only the first.
    """

    earlier: Index
    later: Index
    accesses: Count
    kept: Count
    is_cut: bool = False

    @property
    def sites(self) -> tuple[int, int]:
        """Both, as a hazard names them."""
        return self.earlier, self.later


@dataclass(frozen=True, slots=True, eq=False)
class RacingRequests:
    """The racing accesses of a block.

    Columns of shape (n,), pair by pair of `pairs` in turn and by slot, then warp, within each: the `lanes` (a mask) of
    a warp's request in a slot whose access, from its byte number `byte` on, races. Of one of them, `lane`, the thread
    `partner` is the other one, with its access in `partner_slot`.

    Raises:
        ValueError: the columns do not fit together.
    """

    pairs: tuple[RacingSites, ...] = ()
    slot: OrdinalColumn = field(default_factory=_nothing)
    warp: OrdinalColumn = field(default_factory=_nothing)
    byte: OrdinalColumn = field(default_factory=_nothing)
    lanes: LaneColumn = field(default_factory=lambda: np.zeros(0, np.int64))
    lane: OrdinalColumn = field(default_factory=_nothing)
    partner: OrdinalColumn = field(default_factory=_nothing)
    partner_slot: OrdinalColumn = field(default_factory=_nothing)

    def __post_init__(self) -> None:
        columns = (self.warp, self.byte, self.lanes, self.lane, self.partner, self.partner_slot)
        fits = all(column.size == self.slot.size for column in columns)
        fits = fits and sum(pair.kept for pair in self.pairs) == self.slot.size
        fits = fits and bool(np.all(self.lane < LANES) and np.all(self.lanes >> self.lane & 1))
        ends = np.cumsum([pair.kept for pair in self.pairs])
        if not fits or any(np.any(np.diff(part) < 0) for part in np.split(self.slot, ends)):
            raise ValueError("the racing accesses of a block are damaged: their columns do not fit together")

    def fit(self, slots: int, warps: int) -> bool:
        """Whether they can be those of a block of so many slots and warps."""
        limits = (
            (self.slot, slots),
            (self.partner_slot, slots),
            (self.warp, warps),
            (self.partner, warps * LANES),
        )
        return all(not column.size or int(column.max()) < limit for column, limit in limits)

    def rows_of(self, sites: tuple[int, ...]) -> slice:
        """Which rows are those of two sites; none where they are not among the pairs."""
        begin = 0
        for pair in self.pairs:
            if pair.sites == sites:
                return slice(begin, begin + pair.kept)
            begin += pair.kept
        return slice(0, 0)
