"""What the numbers of matrices are like, as far as their texts depend on it: a few that stand for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.gui.memory_view.text.cell_values import is_written_exactly

_MOST_EXAMINED = 1 << 12
"""Elements of a matrix up to which each is examined; of larger ones every so many in a row and in a column."""


@dataclass(frozen=True, slots=True)
class NumberSamples:
    """The least and the largest number, and of those examined the nearest to zero on each side; () where none is known.

    `is_exact`: whether a cell with room writes each of those examined exactly.
    """

    known: tuple[float, ...] = ()
    is_exact: bool = True

    def joined(self, *others: NumberSamples) -> NumberSamples:
        """Of these numbers and of others together."""
        known = (number for one in (self, *others) for number in one.known)
        return NumberSamples(tuple(dict.fromkeys(known)), all(one.is_exact for one in (self, *others)))


def number_samples(*matrices: NDArray[np.floating] | None) -> NumberSamples:
    """The samples of matrices of shape (rows, columns); of None, and of an empty one, nothing."""
    known = [matrix for matrix in matrices if matrix is not None and matrix.size]
    if not known:
        return NumberSamples()
    ends = [float(end.reduce(matrix, axis=None)) for matrix in known for end in (np.fmin, np.fmax)]
    step = max(int(np.ceil((max(matrix.size for matrix in known) / _MOST_EXAMINED) ** 0.5)), 1)
    some = np.concatenate([matrix[::step, ::step].reshape(-1) for matrix in known])
    some = np.unique(some[np.isfinite(some)])
    near = [float(side) for side in (*some[some < 0][-1:], *some[some > 0][:1])]
    return NumberSamples(tuple(dict.fromkeys((min(ends), max(ends), *near))), is_written_exactly(some.tolist()))
