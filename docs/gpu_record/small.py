"""Keeps an example session small without changing what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import ErrorMap, RunResult

MOST_BYTES = 900_000
MOST_SAMPLES = 200
"""Of a run: a limit that the series itself stops at and names, so that none is left out afterwards."""
MOST_OF_C = 2**14
"""Elements: random bits do not shrink."""
MOST_CELLS, CELLS_AMONG_MANY, MANY = 32, 16, 10
"""Along an edge of an error map; and where there are many runs."""


def with_small_maps(runs: Sequence[RunResult]) -> tuple[RunResult, ...]:
    """The runs with their error maps in larger cells; the rest as it was."""
    most = MOST_CELLS if len(runs) <= MANY else CELLS_AMONG_MANY
    return tuple(replace(run, error_map=coarser(run.error_map, most)) for run in runs)


def without_large_c(trace: TraceRun, most: int = MOST_OF_C) -> TraceRun:
    """The recording without the values of C if these are more than `most`; the program leaves out larger ones too."""
    return trace if trace.c.size <= most else replace(trace, c=np.zeros(0, np.float32))


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
