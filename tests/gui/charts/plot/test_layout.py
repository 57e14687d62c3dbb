"""How a plot shares its width with the words at both sides."""

from __future__ import annotations

import pytest

from gemmviz.gui.charts.plot.layout import LEAST_LABELS, LEAST_PLOT_OF_SLIDE, plot_layout


@pytest.mark.parametrize(("label_width", "name_width", "value_width"), [(171, 171, 320), (300, 60, 500)])
def test_that_long_words_at_the_right_leave_the_plot_its_part_of_a_narrow_chart(
    label_width: float, name_width: float, value_width: float
) -> None:
    laid = plot_layout(476, 300, 1, label_width, value_width, upright=False, name_width=name_width)
    assert laid.plot.width > 0.25 * 476
    assert laid.values.width >= LEAST_LABELS * 476 - 1e-9
    assert laid.values.right == pytest.approx(476)


def test_that_words_at_the_right_stay_whole_where_the_plot_has_room() -> None:
    laid = plot_layout(900, 300, 1, 150, 320, upright=False, name_width=150)
    assert laid.values.width == 320
    assert laid.plot.width >= LEAST_PLOT_OF_SLIDE * 900
