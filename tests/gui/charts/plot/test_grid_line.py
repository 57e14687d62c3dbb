"""Lines of a grid are equally thick wherever they lie, at every scale."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.gui.charts.plot.grid_line import paint_grid_line


@pytest.mark.parametrize(("scale", "pixels"), [(1.0, 1), (1.14, 1), (1.5, 2), (2.0, 2)])
@pytest.mark.parametrize("is_density", [False, True], ids=["scaled painter", "dense screen"])
def test_that_lines_are_equally_thick_and_have_one_colour(scale: float, pixels: int, is_density: bool) -> None:
    image = QImage(200, 20, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    if is_density:
        image.setDevicePixelRatio(scale)
    painter = QPainter(image)
    if not is_density:
        painter.scale(scale, scale)
    for number in range(9):
        x = 3.0 + 10.3 * number
        paint_grid_line(painter, QColor("black"), QPointF(x, 0.0), QPointF(x, 20.0))
    painter.end()
    row = "".join("#" if image.pixel(x, 5) == QColor("black").rgb() else "." for x in range(200))
    assert {image.pixelColor(x, 5).name() for x in range(200)} == {"#000000", "#ffffff"}
    assert [len(line) for line in row.split(".") if line] == [pixels] * 9
