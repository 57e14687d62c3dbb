"""Who races with whom at two sites, access by access, where barriers of the block are all that orders them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.trace.hazards.races.touches import Columns, Touches

NOBODY = -1
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class Partners:
    """For each touch of either site the place of one of the other site that it races with, or NOBODY; shape (n,)."""

    of_earlier: Columns
    of_later: Columns


def partners_between_barriers(earlier: Touches, later: Touches, named: tuple[int, ...]) -> Partners:
    """Each touch of a cell races with each of another thread at the other site in the same epoch, the touch at the
    earlier site before that at the later one in the program. Of several partners it is one of the two `named` threads,
    if they meet there, else the first in the program for the later site and the last for the earlier one.
    """
    of_later = _first_other(later, earlier, before=True)
    of_earlier = _first_other(earlier, later, before=False)
    if len(named) == 2:
        first = np.flatnonzero(earlier.thread == named[0])
        second = np.flatnonzero(later.thread == named[1])[::-1]
        _, at, other = np.intersect1d(earlier.cell[first], later.cell[second], return_indices=True)
        first, second = first[at], second[other]
        met = earlier.access[first] < later.access[second]
        of_earlier[first[met]], of_later[second[met]] = second[met], first[met]
    return Partners(of_earlier, of_later)


def _first_other(mine: Touches, others: Touches, *, before: bool) -> Columns:
    """For each of `mine` the first of `others` of another thread at its cell that comes before it; or the last that
    comes behind it. NOBODY where there is none.
    """
    known, nearest, second = _two_threads(others, is_first=before)
    if not known.size:
        return np.full(mine.cell.size, NOBODY, np.int64)
    at = np.minimum(np.searchsorted(known, mine.cell), known.size - 1)
    found = known[at] == mine.cell
    one, other = nearest[at], second[at]
    chosen = np.where(others.thread[one] != mine.thread, one, other)
    access = others.access[np.maximum(chosen, 0)]
    in_order = access < mine.access if before else access > mine.access
    return np.where(found & (chosen != NOBODY) & in_order, chosen, NOBODY)


def _two_threads(touches: Touches, *, is_first: bool) -> tuple[Columns, Columns, Columns]:
    """Each cell once, ascending, its first (or last) touch in the program, and the first (or last) of another thread
    than that; NOBODY where there is none.
    """
    begins = np.flatnonzero(np.diff(touches.cell, prepend=-1))
    counts = np.diff(begins, append=touches.cell.size)
    cells = touches.cell[begins]
    one: Columns = begins if is_first else begins + counts - 1
    is_other = touches.thread != np.repeat(touches.thread[one], counts)
    places: NDArray[np.int64] = np.arange(touches.cell.size)
    if is_first:
        candidates = np.where(is_other, places, _NEVER)
        two = np.minimum.reduceat(candidates, begins) if begins.size else candidates
        return cells, one, np.where(two == _NEVER, NOBODY, two)
    candidates = np.where(is_other, places, NOBODY)
    return cells, one, np.maximum.reduceat(candidates, begins) if begins.size else candidates
