"""Where C errs, not only how far: the largest error in each cell of C, and its worst elements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.runs.result import ErrorMap, WorstElement
from gemmviz.measure.check.accuracy import quotient
from gemmviz.measure.check.matrices import Matrix
from gemmviz.measure.check.reference import UNIT_ROUNDOFF, Reference

MOST_CELLS = 128
"""Cells in each direction, at most: as many as a picture shows, and few enough to keep for every run."""

MOST_ELEMENTS = 16
"""Worst elements that are named."""

Errors = NDArray[np.float64]


def error_map(
    c: Matrix, reference: Reference, most_cells: int = MOST_CELLS, most_elements: int = MOST_ELEMENTS
) -> ErrorMap:
    """|C−R| / (u·G) of float32 C, shape (M, N): its maximum in each cell, and the elements where it is largest.

    A cell is ceil(M / most_cells) x ceil(N / most_cells) elements. A NaN makes its cell NaN and counts as worse than
    infinity. Elements without error are never among the worst. C is one that `check` takes.
    """
    m, n = c.shape
    cell_rows, cell_columns = -(-m // most_cells), -(-n // most_cells)
    starts = np.arange(0, n, cell_columns)
    rows: list[Errors] = []
    worst: list[WorstElement] = []
    for first in range(0, m, cell_rows):
        band = slice(first, min(first + cell_rows, m))
        r = reference.r[band]
        with np.errstate(all="ignore"):
            errors = quotient(np.abs(c[band] - r), UNIT_ROUNDOFF * reference.g[band])
        rows.append(np.maximum.reduceat(np.maximum.reduce(errors, axis=0), starts))
        largest = float(rows[-1].max())
        least = worst[-1].error_over_ug if len(worst) == most_elements else 0.0
        if largest > least or np.isnan(largest):  # of elements that err equally the first ones are named
            worst += _worst(c[band], r, errors, first, most_elements)
            worst = sorted(worst, key=_badness, reverse=True)[:most_elements]
    with np.errstate(all="ignore"):  # what float32 cannot hold becomes infinite
        values = np.concatenate(rows).astype(np.float32)
    return ErrorMap(len(rows), starts.size, cell_rows, cell_columns, values, tuple(worst))


def _worst(c: Matrix, r: Errors, errors: Errors, first_row: int, most: int) -> list[WorstElement]:
    """The worst elements of a band of rows, at most `most`."""
    flat = np.where(np.isnan(errors), np.inf, errors).reshape(-1)
    count = min(most, flat.size)
    places = np.argpartition(flat, flat.size - count)[flat.size - count :]
    return [
        WorstElement(
            row=first_row + int(place) // c.shape[1],
            column=int(place) % c.shape[1],
            got=float(c.reshape(-1)[place]),
            expected=float(r.reshape(-1)[place]),
            error_over_ug=float(errors.reshape(-1)[place]),
        )
        for place in places
        if flat[place] > 0
    ]


def _badness(element: WorstElement) -> tuple[float, float, int, int]:
    is_nan = np.isnan(element.error_over_ug)
    return (float(is_nan), 0.0 if is_nan else element.error_over_ug, -element.row, -element.column)
