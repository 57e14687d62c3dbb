"""Frames around a thread's elements: they stay inside of what they frame."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.domain.recordings.access import AccessKind
from gemmviz.gui.memory_view.highlights import Marked
from gemmviz.gui.memory_view.paint.over import _frame
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.trace.frames.regions import Rectangle


@pytest.mark.parametrize("side", [3, 6, 12, 30])
def test_that_a_frame_leaves_the_elements_beside_it_alone(side: int) -> None:
    def parts(_name: str, part: Rectangle) -> list[Box]:
        return [Box(part.column_start * side, part.row_start * side, part.columns * side, part.rows * side)]

    image = QImage(5 * side, 3 * side, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    marked = Marked("C", np.array([1, 1]), np.array([1, 3]), AccessKind.LOAD)
    _frame(painter, cast(Scene, SimpleNamespace(parts=parts)), marked, QColor("black"))
    painter.end()
    dark = {x // side for x in range(image.width()) if image.pixelColor(x, 3 * side // 2).lightness() < 128}
    assert dark == {1, 3}
    rows = {y // side for y in range(image.height()) if image.pixelColor(3 * side // 2, y).lightness() < 128}
    assert rows == {1}
