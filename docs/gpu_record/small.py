"""Keeps an example session small without changing what it says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gemmviz.domain.result import ErrorMap, RunResult

MOST_BYTES = 800_000
MOST_SAMPLES = 200
"""Of a run: a limit that the series itself stops at and names, so that none is left out afterwards."""
MOST_CELLS = 32
"""Along an edge of an error map."""


def with_small_map(run: RunResult, most: int = MOST_CELLS) -> RunResult:
    """The run with its error map in larger cells; the rest as it was."""
    return replace(run, error_map=coarser(run.error_map, most))


def coarser(fine: ErrorMap, most: int = MOST_CELLS) -> ErrorMap:
    """The same map with at most `most` cells along an edge: a cell is the largest of those it is made of, and nan where
    one of them is. The worst elements stay.
    """
    if max(fine.rows, fine.columns) <= most:
        return fine
    down, across = -(-fine.rows // most), -(-fine.columns // most)
    rows, columns = -(-fine.rows // down), -(-fine.columns // across)
    padded = np.full((rows * down, columns * across), -np.inf, np.float32)
    padded[: fine.rows, : fine.columns] = fine.values.reshape(fine.rows, fine.columns)
    values = padded.reshape(rows, down, columns, across).max(axis=(1, 3)).reshape(-1)
    return ErrorMap(rows, columns, fine.cell_rows * down, fine.cell_columns * across, values, fine.worst)
