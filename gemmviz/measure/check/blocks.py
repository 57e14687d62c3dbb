"""A matrix a few rows at a time, so that float64 temporaries stay small beside the matrix."""

from __future__ import annotations

from collections.abc import Iterator

BLOCK_ELEMENTS = 2**20
"""Elements of one block: 8 MiB in float64."""


def row_blocks(rows: int, columns: int, elements: int = BLOCK_ELEMENTS) -> Iterator[slice]:
    """Slices that cover `rows` in order, each of at most `elements` elements, but of one row at least."""
    step = max(1, elements // columns)
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))
