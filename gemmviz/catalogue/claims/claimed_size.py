"""One way in which the sizes change that a kernel claims: a dimension, or several together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import gcd

from gemmviz.domain.edge_case_sizes import Sizes


@dataclass(frozen=True, slots=True)
class ClaimedSize:
    """A dimension, or several that only change together: the sizes at `places` (0 to 2 for M, N and K) are a number of
    times `unit`, at the home `home` times. `times` are the numbers that are claimed with the others at the home.
    """

    places: tuple[int, ...]
    unit: tuple[int, ...]
    home: int
    times: tuple[int, ...]

    @property
    def name(self) -> str:
        return "MNK"[self.places[0]]

    @property
    def step(self) -> int:
        """The least distance between the claimed numbers of times; 0 where there is one only."""
        return _step(self.times)

    @property
    def is_joint(self) -> bool:
        return len(self.places) > 1

    @property
    def is_free(self) -> bool:
        """Whether it is one dimension that can have every size from 1 on."""
        return not self.is_joint and self.step == 1 and self.times[0] == 1

    def at(self, sizes: Sizes, times: int) -> Sizes:
        """The sizes with so many times the unit along this axis."""
        found = list(sizes)
        for place, unit in zip(self.places, self.unit, strict=True):
            found[place] = times * unit
        return found[0], found[1], found[2]

    def of(self, sizes: Sizes) -> int:
        """How many times the unit sizes have along this axis."""
        return sizes[self.places[0]] // self.unit[0]

    def reached(self, times: int) -> int:
        """The first number of times that is not below `times`, also beyond the claimed ones that were looked at."""
        if times <= self.times[-1] or not self.step:
            return self.from_(times)
        return self.times[-1] + -(-(times - self.times[-1]) // self.step) * self.step

    def from_(self, times: int) -> int:
        """The first claimed number of times that is not below `times`, else the last."""
        return next((one for one in self.times if one >= times), self.times[-1])


@lru_cache(maxsize=256)  # asked hundreds of times, of hundreds of numbers
def _step(times: tuple[int, ...]) -> int:
    return gcd(*(two - one for one, two in pairwise(times))) if len(times) > 1 else 0
