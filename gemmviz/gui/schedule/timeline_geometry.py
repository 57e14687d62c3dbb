"""Where on a timeline an SM's row, a slot's lane and a moment lie, in pixels. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.explain.runs.block_schedule import Indices

LEFT, TOP, RIGHT, BOTTOM = 42.0, 20.0, 14.0, 36.0
"""Room for the numbers of SMs, the words of the tail, the last tick, and the axis."""
LEAST_ROW, MOST_LEAST_ROW = 4.0, 9.0
"""Pixels of an SM's row with one slot, and with many: below this rows scroll."""
_GAP_FROM = 4.0
"""Rows of so many pixels have a line of the ground between them."""
_LABEL = 15.0
_EVERY = (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128)


def least_row(slots: int) -> float:
    """The least height of a row: a line of pixels for each lane, as long as there are few, and one between rows."""
    return min(max(LEAST_ROW, slots + 1.0), MOST_LEAST_ROW)


@dataclass(frozen=True, slots=True)
class TimelineGeometry:
    """A view of `width` x `height` pixels on `units` rows of `slots` lanes, from `low` to `high` ns. Rows are at least
    `least_row` high times `stretch`; `scroll` pixels of them lie above the view.
    """

    width: float
    height: float
    units: int
    slots: int
    low: float
    high: float
    stretch: float = 1.0
    scroll: float = 0.0
    fits: bool = False
    """Whether rows are as low as they must be for all to be seen at once."""

    @property
    def plot_width(self) -> float:
        return max(self.width - LEFT - RIGHT, 1.0)

    @property
    def plot_height(self) -> float:
        """Of what is seen of the rows."""
        return min(max(self.height - TOP - BOTTOM, 1.0), self.row * self.units)

    @property
    def row(self) -> float:
        """The height of a row."""
        fitting = max(self.height - TOP - BOTTOM, 1.0) / self.units
        return min(max(fitting, 0.0 if self.fits else least_row(self.slots)) * self.stretch, 220.0)

    @property
    def bar(self) -> float:
        """The part of a row's height that bars take."""
        return self.row - 1.0 if self.row >= _GAP_FROM else self.row

    @property
    def most_scroll(self) -> float:
        """How far the rows can be scrolled."""
        return max(self.row * self.units - max(self.height - TOP - BOTTOM, 1.0), 0.0)

    def x_of(self, ns: float) -> float:
        return LEFT + (ns - self.low) / max(self.high - self.low, 1e-9) * self.plot_width

    def time_at(self, x: float) -> float:
        return self.low + (x - LEFT) / self.plot_width * (self.high - self.low)

    def y_of(self, unit: int, slot: int = 0) -> float:
        """The top of a lane."""
        return TOP + unit * self.row - self.scroll + slot * self.bar / self.slots

    @property
    def visible(self) -> range:
        """The units whose rows are in sight, wholly or in part."""
        first = int(self.scroll // self.row)
        last = int(min((self.scroll + self.plot_height) // self.row + 1, self.units))
        return range(first, max(last, first))

    def lane_at(self, y: float) -> tuple[int, int] | None:
        """Unit and slot at a height."""
        if not TOP <= y < TOP + self.plot_height:
            return None
        unit, within = divmod(y - TOP + self.scroll, self.row)
        if not 0 <= unit < self.units:
            return None
        return int(unit), min(int(within / self.bar * self.slots), self.slots - 1)

    def lines(self, density: float = 1.0) -> Indices:
        """The lane of each line of pixels of the plot, `density` lines to a pixel; -1 between two rows."""
        count = max(round(self.plot_height * density), 1)
        heights = (np.arange(count) + 0.5) / density + self.scroll
        unit, within = np.divmod(heights, self.row)
        slot = np.minimum((within / self.bar * self.slots).astype(np.int64), self.slots - 1)
        lanes = unit.astype(np.int64) * self.slots + slot
        return np.where((within < self.bar) & (unit < self.units), lanes, -1)

    def moments(self, density: float = 1.0) -> NDArray[np.float64]:
        """The time in ns of each column of pixels of the plot."""
        count = max(round(self.plot_width * density), 1)
        return self.low + (np.arange(count) + 0.5) / count * (self.high - self.low)

    def labelled(self) -> range:
        """The units whose numbers have room to stand at their rows."""
        every = next((step for step in _EVERY if step * self.row >= _LABEL), _EVERY[-1])
        first = -(-self.visible.start // every) * every
        return range(first, self.visible.stop, every)

    def ns_of_pixels(self, pixels: float) -> float:
        return pixels / self.plot_width * (self.high - self.low)
