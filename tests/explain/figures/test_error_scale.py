import math

import numpy as np
import pytest

from gemmviz.explain.figures.error_scale import DECADES, ErrorScale, scale_of


def scale(*values: float, bound: float = 4096.0) -> ErrorScale:
    return scale_of(np.array([values], np.float32), bound)


def test_that_colours_end_at_the_bound_where_an_error_comes_near_it() -> None:
    found = scale(0.5, 3.0, 12.0, bound=64.0)
    assert (found.low, found.high, found.is_fitted) == (0.064, 64.0, False)
    assert found.legend == ("0.064", "0.64", "6.4", "bound 64")
    assert found.notes == ()


def test_that_colours_span_what_is_there_where_all_is_far_below_the_bound() -> None:
    found = scale(55.2, 60.0, 73.9)
    assert found.is_fitted
    assert found.legend == ("55.2", "63.9", "73.9")
    assert found.parts(np.array([[55.2, 73.9]], np.float32)).tolist() == [[0.0, pytest.approx(1.0)]]
    (note,) = found.notes
    assert "far below the bound" in note
    assert "1.8 % of the bound" in note


@pytest.mark.parametrize("odd", [math.nan, math.inf, 5000.0])
def test_that_a_wrong_cell_keeps_the_bound_in_the_colours(odd: float) -> None:
    assert not scale(1.0, 2.0, odd).is_fitted


def test_that_the_scale_goes_by_the_largest_error_alone() -> None:
    assert scale(1.0, 409.0).is_fitted
    assert not scale(1.0, 410.0).is_fitted


def test_that_small_differences_stay_faint() -> None:
    found = scale(50.0, 51.0)
    low, high = found.parts(np.array([50.0, 51.0], np.float32)).tolist()
    assert 0.4 < low < high < 0.6
    (same,) = scale(7.0).parts(np.array([7.0], np.float32)).tolist()
    assert same == pytest.approx(0.5)


def test_that_exact_elements_among_others_are_palest() -> None:
    found = scale(0.0, 1e-7, 4.0)
    assert found.low == pytest.approx(4.0 / 10**DECADES)
    assert found.parts(np.array([0.0, 1e-7, 4.0], np.float32)).tolist() == [0.0, 0.0, 1.0]


def test_that_the_legend_says_so_where_the_palest_colour_is_that_of_smaller_errors_too() -> None:
    assert scale(0.0, 2.0, 4.0).legend[0] == "≤ 2"
    assert scale(1e-9, 60.0, bound=64.0).legend[0] == "≤ 0.064"
    assert scale(math.nan, 1.0, 60.0, bound=64.0).legend[0] == "0.064"


@pytest.mark.parametrize("bound", [0.0, math.nan])
def test_that_a_bound_that_is_none_is_no_reason_to_fit(bound: float) -> None:
    found = scale(1.0, bound=bound)
    assert not found.is_fitted
    assert len(found.legend) == 4
    assert found.parts(np.array([1.0], np.float32)).size == 1
