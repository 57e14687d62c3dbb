"""Signs on small slots leave the colours of the slots to be seen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.memory_view.paint.signs import draw_stale, draw_zeros

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
