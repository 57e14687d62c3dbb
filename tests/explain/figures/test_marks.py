import math

import numpy as np
import pytest

from gemmviz.explain.figures.figure import Edge, Form, Look, Series, Side
from gemmviz.explain.figures.marks import SeriesMarks, drawn, extent


def test_that_values_without_a_place_become_edges() -> None:
    edges: list[Edge] = []
    marks = SeriesMarks(Look.GPU, "x", True, edges)
    for place, value in enumerate((1.0, 0.0, math.nan, math.inf, -math.inf, -2.0)):
        marks.add(place, value)
    assert marks.series().places.tolist() == [0]
    assert [(edge.place, edge.side, edge.words) for edge in edges] == [
        (1, Side.LOW, "0"),
        (2, Side.HIGH, "not a number"),
        (3, Side.HIGH, "infinite"),
        (4, Side.LOW, "minus infinite"),
        (5, Side.LOW, "below 0"),
    ]


def test_that_error_bars_without_a_number_are_left_out() -> None:
    marks = SeriesMarks(Look.GPU, "x", True, [])
    marks.add(0, 1.0, math.nan, 2.0)
    marks.add(1, 1.0, 0.0, 2.0)
    assert marks.series().low.size == 0
    marks.add(2, 1.0, 0.5, 2.0)
    assert marks.series().low.tolist() == [1.0, 1.0, 0.5]


def test_that_empty_series_are_not_drawn_and_reach_nowhere() -> None:
    empty = SeriesMarks(Look.GPU, "x", False, []).series()
    assert drawn((empty,)) == ()
    assert extent((empty,)) == []


def test_that_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="not of one length"):
        Series(Look.GPU, "x", Form.DOTS, np.array([0, 1]), np.array([1.0]))
