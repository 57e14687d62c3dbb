"""Which blocks of a recording are searched for races and unwritten reads: all, or of very many accesses some."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

SEARCHED_ACCESSES = 10**9
"""Accesses that are searched at most. A search costs some 6 ns an access on two cores, as much as to record one."""

FEWEST_BLOCKS = 16

_STEP = (math.sqrt(5) - 1) / 2
"""Multiples of it, without their whole parts, are spread evenly however many are taken (Knuth, TAOCP 3, 6.4)."""


def searched_blocks(
    indices: NDArray[np.int32], grid: tuple[int, int, int], accesses: int, budget: int | None = None
) -> set[int]:
    """Those of the blocks, given by linear index (x fastest), that are searched, when each makes so many accesses.

    All, if the budget (SEARCHED_ACCESSES) allows it; else as many as it allows, at least FEWEST_BLOCKS: the corners of
    what was recorded, then in turn blocks of its last column, of its last row, and two of any place. Guards are tried
    at the edges.
    """
    most = SEARCHED_ACCESSES if budget is None else budget
    wanted = max(most // max(accesses, 1), FEWEST_BLOCKS)
    if wanted >= indices.size:
        return set(indices.tolist())
    x, y = indices % grid[0], indices // grid[0]
    columns, rows = (x == x.min(), x == x.max()), (y == y.min(), y == y.max())
    chosen = {int(found[0]) for c in columns for r in rows if (found := indices[c & r]).size}
    places = [indices[columns[1]], indices[rows[1]], indices, indices]
    for i in range(8 * wanted):  # a short edge is soon all there
        if len(chosen) == wanted:
            break
        place = places[i % len(places)]
        chosen.add(int(place[int(i * _STEP % 1 * place.size)]))
    return chosen
