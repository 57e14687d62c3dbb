from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from gemmviz.explain.figures.error_scale import ErrorScale
from gemmviz.gui.charts.error_map.legend import ErrorLegend
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import DARK, LIGHT

UP_TO_BOUND = ErrorScale(139.584, 139584.0, 139584.0, 0.0, 139000.0)
FITTED = ErrorScale(2728.0, 3827.0, 139584.0, 2728.0, 3827.0, is_fitted=True)


@pytest.fixture
def legend(qtbot: QtBot) -> ErrorLegend:
    made = ErrorLegend(LIGHT)
    qtbot.addWidget(made)
    made.resize(620, 40)
    return made


@pytest.mark.parametrize("scale", [UP_TO_BOUND, FITTED, replace(UP_TO_BOUND, low=1.055, high=1055.0, bound=1055.0)])
@pytest.mark.parametrize("width", [160.0, 200.0, 320.0])
def test_that_no_number_touches_another_or_leaves_the_colours(
    legend: ErrorLegend, scale: ErrorScale, width: float
) -> None:
    legend.show_scale(scale)
    found = legend.numbers(width)
    assert len(found) >= 2
    assert all(one.right() < other.left() for (one, _), (other, _) in pairwise(found))
    assert found[0][0].left() >= 0.0
    assert found[-1][0].right() <= width


def test_that_it_ends_at_the_bound_or_says_how_far_below_all_is(legend: ErrorLegend) -> None:
    legend.show_scale(UP_TO_BOUND)
    assert legend.numbers(320.0)[-1][1].startswith("bound 139")
    assert "up to the bound" in legend.accessibleName()
    before = legend.grab().toImage()
    legend.show_scale(FITTED)
    assert "2.7 % of the bound" in legend.accessibleName()
    assert "bound" not in legend.numbers(320.0)[-1][1]
    assert legend.grab().toImage() != before
    hazard = legend.grab().toImage().pixelColor(358, 6).name()
    assert hazard != LIGHT.hazard, "nothing is wrong, so no mark of it is explained"


def test_that_a_theme_changes_live(legend: ErrorLegend) -> None:
    legend.show_scale(FITTED)
    light = legend.grab().toImage().pixelColor(4, 6).lightness()
    legend.set_theme(DARK)
    assert legend.grab().toImage().pixelColor(4, 6).lightness() < light


@pytest.mark.parametrize("width", [300, 330, 420, 620])
def test_that_no_sign_loses_its_words(legend: ErrorLegend, width: int) -> None:
    legend.resize(width, 40)
    legend.show_scale(UP_TO_BOUND)
    metrics = QFontMetricsF(words(SMALL))
    found = legend.marks(160.0)
    assert len(found) == 2
    for corner, text in found:
        assert corner.x() + 18 + metrics.horizontalAdvance(text) <= width
        assert corner.y() + 16 <= 40
