"""Which rows of a plot are out of sight, and how a person is told. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gemmviz.domain.figures import counted
from gemmviz.gui.charts.plot.layout import Area, PlotLayout

HINT = "Scroll with the wheel or the arrow keys, or click here for the next rows"
_HEIGHT = 16.0


@dataclass(frozen=True, slots=True)
class HiddenRows:
    """How many rows lie above and below those in sight."""

    above: int
    below: int

    @property
    def words(self) -> str:
        """What is written below the rows; "" where all are in sight."""
        if self.above and self.below:
            return f"\u25b2 {self.above}   \u25bc {counted(self.below, 'more row')}"
        if self.below:
            return f"\u25bc {counted(self.below, 'more row')}"
        return f"\u25b2 {counted(self.above, 'row')} above" if self.above else ""


def hidden_rows(layout: PlotLayout, rows: int, scroll: float) -> HiddenRows:
    """Those of so many rows that are out of sight when they have been scrolled by `scroll` pixels; a row that is cut
    counts as hidden.
    """
    if not layout.overflow:
        return HiddenRows(0, 0)
    first = math.ceil(scroll / layout.cell - 1e-6)
    end = math.floor((scroll + layout.plot.height) / layout.cell + 1e-6)
    return HiddenRows(first, max(0, rows - end))


def hint_area(layout: PlotLayout) -> Area:
    """Where the hint stands: below the words of the rows, beside the axis."""
    return Area(layout.labels.left, layout.axis.top + 3, layout.labels.width, _HEIGHT)
