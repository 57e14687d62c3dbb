import math

import pytest

from gemmviz.explain.figures.scales import needs_log
from gemmviz.gui.charts.plot.layout import GAP, LEAST_LABELS, LEAST_PLOT, MOST_LABELS, plot_layout


@pytest.mark.parametrize("values", [[], [3.0], [1.0, 49.0], [5.0, 6.0, 7.0, 60.0]])
def test_that_values_near_each_other_keep_an_axis_from_0(values: list[float]) -> None:
    assert not needs_log(values)


def test_that_a_value_that_would_be_a_sliver_asks_for_a_logarithmic_axis() -> None:
    assert needs_log([1.0, 51.0])


def test_that_one_value_that_squeezes_the_others_asks_for_a_logarithmic_axis() -> None:
    assert needs_log([1.5, 1.5, 1.5, 17.0])


def test_that_what_no_logarithmic_axis_can_hold_does_not_decide() -> None:
    assert not needs_log([0.0, -4.0, math.nan, math.inf, 1.0, 2.0])
    assert not needs_log([math.nan, math.inf])


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("width", [500.0, 620.0, 900.0])
def test_that_words_at_the_left_give_way_to_the_plot(width: float, *, dense: bool) -> None:
    layout = plot_layout(width, 400.0, 9, 330.0, 0.3 * width, upright=False, dense=dense)
    assert layout.labels.width >= LEAST_LABELS * width - 1e-9
    assert layout.plot.width >= min(LEAST_PLOT, 1 - 0.3 - LEAST_LABELS) * width - 2 * GAP - 1e-9
    assert plot_layout(1600.0, 400.0, 9, 330.0, 200.0, upright=False).labels.width == 330.0
    assert plot_layout(1100.0, 400.0, 3, 440.0, 120.0, upright=False).labels.width == 440.0


@pytest.mark.parametrize("dense", [False, True])
def test_that_names_are_whole_before_a_narrow_plot_gets_its_part(*, dense: bool) -> None:
    widths = [
        plot_layout(400.0, 400.0, 9, 330.0, 150.0, upright=False, dense=dense, name_width=name).labels.width
        for name in (0.0, 160.0, 300.0)
    ]
    assert widths == pytest.approx([LEAST_LABELS * 400, 160.0, MOST_LABELS * 400])
