"""A large array seen from far: each bin shows the least (or the most) of its elements, so that nothing gets lost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]
_LARGE = 1 << 18
"""Arrays with fewer elements are always pooled from the elements themselves."""


class Pyramid:
    """An array, shape (rows, columns), and halvings of it, made when first asked for.

    `reduce` is np.minimum or np.maximum. The last answer is kept: from frame to frame the bins stay the same.
    From a halving, a bin may reach one element of that halving too far.
    """

    def __init__(self, full: Numbers, reduce: np.ufunc = np.minimum) -> None:
        self._levels = [full]
        self._reduce = reduce
        self._last: tuple[NDArray[np.int64], NDArray[np.int64], Numbers] | None = None

    @property
    def full(self) -> Numbers:
        """The array itself."""
        return self._levels[0]

    def pooled(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Numbers:
        """One number for each bin, shape (rows.size, columns.size).

        `rows` and `columns` are where the bins begin, ascending; each ends where the next begins, the last at the last
        place named. So bins have one edge more than there are bins: shape (bins + 1,).
        """
        if self._last is not None and all(map(np.array_equal, self._last[:2], (rows, columns))):
            return self._last[2]
        level = 0
        if self.full.size > _LARGE:
            finest = min(_least_step(rows), _least_step(columns))
            level = max(finest.bit_length() - 1, 0)
        source = self._level(level)
        down, across = rows >> level, columns >> level
        last_row, last_column = -(-int(rows[-1]) >> level), -(-int(columns[-1]) >> level)
        part = source[int(down[0]) : last_row, int(across[0]) : last_column]
        by_row = self._reduce.reduceat(part, down[:-1] - down[0], axis=0)
        found: Numbers = self._reduce.reduceat(by_row, across[:-1] - across[0], axis=1)
        self._last = (rows.copy(), columns.copy(), found)
        return found

    def _level(self, level: int) -> Numbers:
        while len(self._levels) <= level:
            last = self._levels[-1]
            halved = self._reduce.reduceat(last, np.arange(0, last.shape[0], 2), axis=0)
            self._levels.append(self._reduce.reduceat(halved, np.arange(0, last.shape[1], 2), axis=1))
        return self._levels[level]


def _least_step(edges: NDArray[np.int64]) -> int:
    steps = np.diff(edges)
    inner = steps[1:-1] if steps.size > 2 else steps  # the outermost bins may be cut off
    return max(int(inner.min()), 1) if inner.size else 1
