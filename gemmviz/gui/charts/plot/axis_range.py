"""Which part of an axis is in sight, and how it is moved and stretched. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from gemmviz.explain.figures.figure import Axis


@dataclass(frozen=True, slots=True)
class AxisRange:
    """The ends in sight, and where the whole axis begins and how long it is; logarithms on a logarithmic axis."""

    low: float = 0.0
    high: float = 1.0
    start: float = 0.0
    whole: float = 1.0

    def panned(self, part: float) -> AxisRange:
        """Moved by a part of what is in sight; never so far that the whole axis is out of sight."""
        move = part * (self.high - self.low)
        if not self.start - self.whole <= (self.low + self.high) / 2 + move <= self.start + 2 * self.whole:
            return self
        return replace(self, low=self.low + move, high=self.high + move)

    def zoomed(self, times: float, part: float) -> AxisRange:
        """So many times as long, what lies at that part of it (0 to 1) staying where it is."""
        length = self.high - self.low
        if not self.whole * 1e-3 <= length * times <= self.whole * 8.0:
            return self
        pivot = self.low + min(max(part, 0.0), 1.0) * length
        return replace(self, low=pivot - (pivot - self.low) * times, high=pivot + (self.high - pivot) * times)


def whole_range(axis: Axis) -> AxisRange:
    """All of an axis."""
    low, high = (math.log10(axis.low), math.log10(axis.high)) if axis.is_log else (axis.low, axis.high)
    return AxisRange(low, high, low, high - low)
