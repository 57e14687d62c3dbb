"""What the legend's marks look like: which half of one has the colour of its role."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.explain.figures.figure import Form, Look
from gemmviz.gui.charts.plot.legend import paint_mark
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("kind", [Look.GPU, Look.CPU, Look.TF32, Look.TF32X3, Look.BF16])
def test_that_ideal_recorded_and_estimated_marks_differ_in_what_is_filled(theme: Theme, kind: Look) -> None:
    ground, colour = QColor(theme.canvas), QColor(theme.host if kind is Look.CPU else theme.accent)
    found = {}
    for filling in (Look.AT_IDEAL, Look.AT_ESTIMATED, Look.AT_RECORDED):
        image = QImage(40, 40, QImage.Format.Format_RGB32)
        image.fill(ground)
        painter = QPainter(image)
        paint_mark(painter, kind, Form.DOTS, QPointF(20.0, 20.0), theme, inside=filling)
        painter.end()
        assert all(image.pixelColor(x, 20) == ground for x in (8, 32))
        found[filling] = [image.pixelColor(20 + aside, 20) == colour for aside in (-1, 0)]
    assert found == {Look.AT_IDEAL: [False] * 2, Look.AT_ESTIMATED: [True, False], Look.AT_RECORDED: [True] * 2}
