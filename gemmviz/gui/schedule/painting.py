"""What the pictures of a schedule share: arrays of colours as pixels, or as rectangles where a picture is a drawing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPaintEngine, QPainter

Colours = NDArray[np.uint32]
"""Shape (rows, columns), 0xAARRGGBB."""


def is_vector(painter: QPainter) -> bool:
    """Whether what is painted becomes shapes and not pixels."""
    return painter.paintEngine().type() in (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def fill_cells(painter: QPainter, area: QRectF, colours: Colours) -> None:
    """Paint an array as rectangles; neighbours of one colour in a row are one."""
    rows, columns = colours.shape
    across, down = area.width() / columns, area.height() / rows
    painter.setPen(Qt.PenStyle.NoPen)
    for row in range(rows):
        for first, behind in runs(colours[row]):
            colour = int(colours[row, first])
            if colour:
                place = QRectF(area.left() + first * across, area.top() + row * down, (behind - first) * across, down)
                painter.fillRect(place, QColor.fromRgba(colour))


def runs(line: Colours) -> list[tuple[int, int]]:
    """Stretches of equal values: the first place of each, and the one behind its last."""
    ends = np.flatnonzero(np.diff(line)) + 1
    return list(zip([0, *ends.tolist()], [*ends.tolist(), line.size], strict=True))
