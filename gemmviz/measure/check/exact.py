"""Element by element, as the tutorials do: how many are equal, and which are not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.runs.result import Mismatch
from gemmviz.domain.stored import rounded
from gemmviz.domain.terms import Element
from gemmviz.measure.check.matrices import row_blocks

MOST_MISMATCHES = 10


def compare_exactly(
    c: NDArray[Any], expected: NDArray[Any], result: Element = Element.FLOAT32
) -> tuple[int, tuple[Mismatch, ...]]:
    """How many elements of C equal `expected` rounded to `result`, and the first that do not, row by row.

    Both have shape (M, N). Equal is `==`: -0 equals 0, and NaN equals nothing. Correct kernels may differ
    here, since float32 addition is not associative and each kernel has its own order of summation.
    """
    matches = 0
    mismatches: list[Mismatch] = []
    for rows in row_blocks(*c.shape):
        with np.errstate(all="ignore"):
            wanted = rounded(expected[rows], result)
        equal = c[rows] == wanted
        matches += int(np.count_nonzero(equal))
        if len(mismatches) < MOST_MISMATCHES and not equal.all():
            for flat in np.flatnonzero(~equal)[: MOST_MISMATCHES - len(mismatches)]:
                row, column = divmod(int(flat), c.shape[1])
                mismatches.append(
                    Mismatch(rows.start + row, column, float(c[rows][row, column]), float(wanted[row, column]))
                )
    return matches, tuple(mismatches)
