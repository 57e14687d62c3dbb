"""Words of bars and rules: no line of the grid goes through them, and they stand where they belong."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from gemmviz.explain.figures.figure import BarLabel
from gemmviz.gui.charts.plot.bar_labels import LabelPlace, Span, free_of_words, label_places, rule_left
from gemmviz.gui.charts.plot.layout import plot_layout


def test_that_a_line_of_the_grid_leaves_words_behind_bars_free() -> None:
    behind = LabelPlace("2×", QRectF(100.0, 40.0, 50.0, 18.0), is_behind=True)
    inside = LabelPlace("3×", QRectF(100.0, 80.0, 50.0, 18.0), is_behind=False)
    assert free_of_words((inside, behind), 120.0, 0.0, 200.0) == [(0.0, 40.0), (58.0, 200.0)]
    assert free_of_words((inside, behind), 160.0, 0.0, 200.0) == [(0.0, 200.0)]


def test_that_labels_are_all_short_where_one_has_no_room_for_its_words(qapp: QApplication) -> None:
    layout = plot_layout(700.0, 400.0, 2, 100.0, 100.0, upright=False)
    labels = [BarLabel(row, 0.0, 1.0, f"{row + 2}× as fast as sgemm_best", f"{row + 2}× as fast") for row in range(2)]
    left, middle = layout.plot.left, layout.plot.top + 50.0
    ends = (left + 40.0, left + layout.plot.width / 2)
    apart = [Span(end - 10.0, end, middle) for end in ends]
    font = qapp.font()
    font.setPixelSize(12)
    assert [place.words for _, place in label_places(labels, apart, layout, font)] == [one.words for one in labels]
    font.setPixelSize(int(12 * 1.2 * layout.plot.width / 2 / QFontMetricsF(font).horizontalAdvance(labels[0].words)))
    assert [place.words for _, place in label_places(labels, apart, layout, font)] == [one.short for one in labels]


def test_that_the_words_of_a_rule_stand_above_it_up_to_the_heads_beside_them() -> None:
    layout = plot_layout(1100.0, 400.0, 8, 330.0, 200.0, upright=False, dense=True)
    near = layout.plot.right - 10.0
    assert rule_left(80.0, near, layout, (60.0, 90.0)) + 40.0 == pytest.approx(near)
    wide = rule_left(80.0, near, layout, (60.0, layout.values.width - 1.0)) + 80.0
    assert layout.plot.right <= wide <= layout.values.right
