"""Cells of one colour as few rectangles, for a drawing: an image in an SVG is blurred by most viewers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath

from gemmviz.trace.frames.regions import Rectangle

MOST_RECTANGLES = 20_000
"""A drawing of more rectangles would be slow to open and larger than an image."""


def draw_as_rectangles(painter: QPainter, target: QRectF, cells: NDArray[np.uint32]) -> bool:
    """Fill `target` with cells, premultiplied 0xAARRGGBB, shape (rows, columns), one shape for each colour.

    Returns False, with nothing drawn, if that takes more than MOST_RECTANGLES rectangles.
    """
    found = list(islice(rectangles(cells), MOST_RECTANGLES + 1))
    if len(found) > MOST_RECTANGLES:
        return False
    down, across = target.height() / cells.shape[0], target.width() / cells.shape[1]
    shapes: dict[int, QPainterPath] = {}
    for colour, part in found:
        if colour >> 24:
            shapes.setdefault(colour, QPainterPath()).addRect(
                target.x() + part.column_start * across,
                target.y() + part.row_start * down,
                part.columns * across,
                part.rows * down,
            )
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for colour in sorted(shapes):
        painter.fillPath(shapes[colour], _unpremultiplied(colour))
    painter.restore()
    return True


def _unpremultiplied(colour: int) -> QColor:
    """The colour of a premultiplied 0xAARRGGBB whose alpha is not 0."""
    alpha = colour >> 24
    red, green, blue = (min(round(255 * (colour >> bits & 255) / alpha), 255) for bits in (16, 8, 0))
    return QColor(red, green, blue, alpha)


def rectangles(cells: NDArray[np.uint32]) -> Iterator[tuple[int, Rectangle]]:
    """Cells of a colour, 0xAARRGGBB, as rectangles: runs of a row, joined with the same run of the row before."""
    open_runs: dict[tuple[int, int, int], int] = {}
    for row, line in enumerate(cells):
        edges = np.concatenate(([0], np.flatnonzero(line[1:] != line[:-1]) + 1, [line.size])).tolist()
        runs = {(int(line[a]), a, b) for a, b in pairwise(edges)}
        for run in [run for run in open_runs if run not in runs]:
            yield run[0], Rectangle(open_runs.pop(run), row, run[1], run[2])
        for run in runs:
            open_runs.setdefault(run, row)
    for (colour, left, right), top in open_runs.items():
        yield colour, Rectangle(top, cells.shape[0], left, right)
