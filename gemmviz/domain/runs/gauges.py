"""What a GPU says of itself beside each sample: clocks, temperature, power, and what holds its clock down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.session.column_ranges import GaugesColumn

FloatColumn = NDArray[np.float64]

THROTTLES = {
    0x4: "power limit",
    0x8: "hardware slowdown",
    0x20: "temperature, by the driver",
    0x40: "temperature, by the hardware",
    0x80: "power brake",
}
"""The reasons of NVML (nvml.h, nvmlClocksEventReasons) that slow a GPU below what it could do; an idle GPU and a clock
that somebody set are none."""

_ALL_THROTTLES = sum(THROTTLES)
_FIELDS = 5


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at a GPU: MHz, degrees Celsius, watts, and NVML's bits of what holds the clock down."""

    clock_mhz: float
    memory_clock_mhz: float
    temperature_c: float
    power_w: float
    reasons: int


@dataclass(frozen=True, slots=True, eq=False)
class Gauges:
    """Readings beside the n samples of a run.

    `readings` has shape (5·n,), a `Reading` after the other, or shape (0,) where nobody reads: one column, because a
    file keeps each of its own. The properties have shape (n,).

    Raises:
        ValueError: a reading is not whole.
    """

    readings: GaugesColumn

    def __post_init__(self) -> None:
        if self.readings.size % _FIELDS:
            raise ValueError(f"{self.readings.size} figures are no readings of {_FIELDS} each")

    @property
    def count(self) -> int:
        return self.readings.size // _FIELDS

    @property
    def clock_mhz(self) -> FloatColumn:
        return self._column(0)

    @property
    def memory_clock_mhz(self) -> FloatColumn:
        return self._column(1)

    @property
    def temperature_c(self) -> FloatColumn:
        return self._column(2)

    @property
    def power_w(self) -> FloatColumn:
        return self._column(3)

    @property
    def reasons(self) -> NDArray[np.int64]:
        """NVML's bits of what holds the clock down."""
        return self._column(4).astype(np.int64)

    @property
    def throttled(self) -> NDArray[np.bool_]:
        """Which samples were taken while something slowed the GPU down."""
        slowed: NDArray[np.bool_] = np.not_equal(self.reasons & _ALL_THROTTLES, 0)
        return slowed

    @property
    def throttled_words(self) -> str:
        """In how many samples the clock was throttled and by what; "" where it was in none."""
        held = int(self.throttled.sum())
        return f"clock throttled in {held} of {self.count} samples: {', '.join(self.throttles)}" if held else ""

    @property
    def throttles(self) -> tuple[str, ...]:
        """What slowed it down, over all samples."""
        seen = int(np.bitwise_or.reduce(self.reasons, initial=0))
        return tuple(words for bit, words in THROTTLES.items() if seen & bit)

    def _column(self, index: int) -> FloatColumn:
        return self.readings[index::_FIELDS]


def gauges_of(readings: Sequence[Reading | None]) -> Gauges:
    """The readings beside samples; none at all if one of them is missing."""
    there = [reading for reading in readings if reading is not None]
    if len(there) < len(readings):
        there = []
    rows = [(r.clock_mhz, r.memory_clock_mhz, r.temperature_c, r.power_w, float(r.reasons)) for r in there]
    return Gauges(np.array(rows, np.float64).reshape(-1))


NO_GAUGES = gauges_of([])
