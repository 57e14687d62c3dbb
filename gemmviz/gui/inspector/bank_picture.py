"""Where the cells of the bank view lie: banks are columns, wavefronts are rows. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.trace.model.rules import BANKS
from gemmviz.trace.model.wavefronts import SharedCost, Word

LABELS = 28.0
"""Room for the numbers of the wavefronts, left of the banks."""
TALLEST_ROW = 20.0
GROUP_GAP = 4.0
_GAP_FROM = 6.0
"""Rows at least so tall stand a pixel apart."""


@dataclass(frozen=True, slots=True)
class BankCell:
    """A word in its bank and wavefront: x, y, width and height in pixels. `is_excess`: a conflict put it there."""

    x: float
    y: float
    width: float
    height: float
    wavefront: int
    word: Word
    is_excess: bool

    @property
    def is_broadcast(self) -> bool:
        """Whether several lanes are served at once."""
        return len(self.word.lanes) > 1

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class BankRow:
    """A wavefront: its place from the top, its height, whether a conflict added it, and the lanes it serves."""

    y: float
    height: float
    is_excess: bool
    lanes: str


@dataclass(frozen=True, slots=True)
class BankPicture:
    """All of it; `column` is the distance from one bank to the next."""

    column: float
    bottom: float
    rows: tuple[BankRow, ...]
    cells: tuple[BankCell, ...]

    def cell_at(self, x: float, y: float) -> BankCell | None:
        return next((cell for cell in self.cells if cell.holds(x, y)), None)


def bank_picture(cost: SharedCost, width: float, height: float) -> BankPicture:
    """The picture in a rectangle. Columns are whole pixels, so that all cells look alike."""
    column = float(max(int((width - LABELS) / BANKS), 2))
    groups = len({wavefront.group for wavefront in cost.wavefronts})
    free = height - GROUP_GAP * max(groups - 1, 0)
    row = min(TALLEST_ROW, free / max(len(cost.wavefronts), 1))
    gap = 1.0 if row >= _GAP_FROM else 0.0
    rows: list[BankRow] = []
    cells: list[BankCell] = []
    y, group = 0.0, 0
    for number, wavefront in enumerate(cost.wavefronts):
        begins = number == 0 or wavefront.group != group
        y += GROUP_GAP if begins and number else 0.0
        group = wavefront.group
        rows.append(BankRow(y, row - gap, not begins, f"{wavefront.first_lane}–{wavefront.last_lane}"))
        cells += [
            BankCell(LABELS + word.bank * column, y, column - 1, row - gap, number, word, not begins)
            for word in wavefront.words
        ]
        y += row
    return BankPicture(column, y, tuple(rows), tuple(cells))
