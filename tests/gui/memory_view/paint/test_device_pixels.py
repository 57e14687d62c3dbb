"""The lines of a grid fill whole pixels: all are as wide, and cells differ by one pixel at most."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.gui.memory_view.paint.cells import draw_gaps
from gemmviz.gui.memory_view.places.box import Box

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 1.8, 2.0])
@pytest.mark.parametrize(("begin", "edge"), [(10.0, 7.3), (10.4, 13.0), (9.7, 26.6)])
def test_that_all_lines_are_as_wide_and_cells_as_large(ratio: float, begin: float, edge: float) -> None:
    cells = 8
    extent = round((2 * begin + cells * edge) * ratio)
    image = QImage(extent, extent, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    image.setDevicePixelRatio(ratio)
    area = Box(begin, begin, cells * edge, cells * edge)
    with QPainter(image) as painter:
        draw_gaps(painter, area, (cells, cells), Box(0, 0, 1000, 1000), QColor("black"))
    middle = round((begin + 0.5 * edge) * ratio)
    for line in (
        [image.pixelColor(middle, at).lightness() < 128 for at in range(extent)],
        [image.pixelColor(at, middle).lightness() < 128 for at in range(extent)],
    ):
        changes = np.flatnonzero(np.diff(np.array([False, *line, False]).astype(int)))
        lines, gaps = changes[1::2] - changes[::2], changes[2::2] - changes[1:-1:2]
        assert len(lines) == cells + 1
        assert len(set(lines.tolist())) == 1
        assert np.ptp(gaps) <= 1


@pytest.mark.parametrize("scale", [1.0, 2.0, 2.8, 5.6])
def test_that_lines_leave_most_of_small_cells_in_sight_in_an_enlarged_picture(scale: float) -> None:
    cells, edge = 16, 4.2 / scale  # pixels of a cell, however many are a unit
    extent = round(cells * edge * scale)
    image = QImage(extent, extent, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    with QPainter(image) as painter:
        painter.scale(scale, scale)
        draw_gaps(
            painter, Box(0, 0, cells * edge, cells * edge), (cells, cells), Box(0, 0, 1000, 1000), QColor("black")
        )
    across = [[image.pixelColor(x, y).lightness() < 128 for x in range(extent)] for y in range(extent)]
    assert np.any(across)
    assert np.mean(across) < 0.5
