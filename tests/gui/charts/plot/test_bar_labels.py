"""Words of bars and rules: no line of the grid goes through them, and they stand where they belong."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF

from gemmviz.gui.charts.plot.bar_labels import LabelPlace, free_of_words, rule_left
from gemmviz.gui.charts.plot.layout import plot_layout


def test_that_a_line_of_the_grid_leaves_words_behind_bars_free() -> None:
    behind = LabelPlace("2×", QRectF(100.0, 40.0, 50.0, 18.0), is_behind=True)
    inside = LabelPlace("3×", QRectF(100.0, 80.0, 50.0, 18.0), is_behind=False)
    assert free_of_words((inside, behind), 120.0, 0.0, 200.0) == [(0.0, 40.0), (58.0, 200.0)]
    assert free_of_words((inside, behind), 160.0, 0.0, 200.0) == [(0.0, 200.0)]


def test_that_the_words_of_a_rule_stand_above_it_up_to_the_heads_beside_them() -> None:
    layout = plot_layout(1100.0, 400.0, 8, 330.0, 200.0, upright=False, dense=True)
    near = layout.plot.right - 10.0
    assert rule_left(80.0, near, layout, (60.0, 90.0)) + 40.0 == pytest.approx(near)
    wide = rule_left(80.0, near, layout, (60.0, layout.values.width - 1.0)) + 80.0
    assert layout.plot.right <= wide <= layout.values.right
