"""Lines between the tiles of a matrix: there from a few pixels on, paler where they are close."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.gui.memory_view.paint.cells import LINES_FROM, draw_lines_every
from gemmviz.gui.memory_view.places.box import Box


def darkest(pixels_apart: float) -> int:
    """The darkest grey of the lines on a matrix of 512x512 in tiles of 16x16 that are so many pixels apart."""
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    side = 32 * pixels_apart
    with QPainter(image) as painter:
        area = Box(0.0, 0.0, side, side)
        draw_lines_every(painter, area, (512, 512), (16, 16), Box(0.0, 0.0, 400.0, 400.0), QColor("black"))
    middle = round(side / 2)
    return min(image.pixelColor(x, middle).lightness() for x in range(round(side)))


@pytest.mark.parametrize("apart", [12.0, 8.0, 4.75, LINES_FROM])
def test_that_tiles_of_a_large_product_have_lines_between_them(qapp: object, apart: float) -> None:
    assert qapp is not None
    assert darkest(apart) < 240


def test_that_close_lines_are_paler_and_closer_ones_are_left_out(qapp: object) -> None:
    assert qapp is not None
    assert darkest(12.0) < darkest(4.75)
    assert darkest(LINES_FROM - 0.5) == 255
