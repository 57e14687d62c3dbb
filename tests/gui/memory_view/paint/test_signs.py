"""Signs on small slots leave the colours of the slots to be seen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.memory_view.paint.signs import draw_signs, draw_stale, draw_zeros
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.shared_shades import READ, STALE, Slot

Draw = Callable[[QPainter, list[QRectF], Theme], None]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("draw", [draw_zeros, draw_stale])
@pytest.mark.parametrize("side", [2.6, 4.0, 8.0])
def test_that_signs_cover_little_of_small_slots(draw: Draw, theme: Theme, side: float) -> None:
    ground = QColor(theme.field)
    image = QImage(120, 120, QImage.Format.Format_RGB32)
    image.fill(ground)
    with QPainter(image) as painter:
        draw(painter, [QRectF(x * side, y * side, side, side) for x in range(10) for y in range(10)], theme)
    sign = QColor(theme.text if draw is draw_zeros else theme.muted)
    extent = int(10 * side)
    seen = np.array([[image.pixelColor(x, y).lightness() for x in range(extent)] for y in range(extent)])
    painted = abs(float(seen.mean()) - ground.lightness()) / abs(sign.lightness() - ground.lightness())
    assert 0.01 < painted < 0.36


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("matrix", ["a", "b"])
def test_that_what_is_stale_is_seen_on_the_bright_colour_of_what_is_accessed(matrix: str, theme: Theme) -> None:
    """A slot of 4 pixels, read in this frame and stale from its end on."""
    bright = QColor(getattr(theme, matrix))
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    image.fill(bright)
    shades = np.full((10, 10), Slot.A | READ | STALE, np.uint8)
    with QPainter(image) as painter:
        draw_signs(painter, Box(0.0, 0.0, 40.0, 40.0), shades, Box(0.0, 0.0, 40.0, 40.0), theme)
    seen = np.array([[image.pixelColor(x, y).lightness() for x in range(40)] for y in range(40)])
    assert np.abs(seen - bright.lightness()).max() > 0.25 * abs(QColor(theme.field).lightness() - bright.lightness())
    assert np.abs(seen - bright.lightness()).max() > 20
