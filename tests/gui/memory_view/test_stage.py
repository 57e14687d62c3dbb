"""A, B and C as on paper, at every size."""

from __future__ import annotations

import pytest

from gemmviz.domain.shape import Shape
from gemmviz.gui.memory_view.stage import LEAST, lay_out

SHAPES = ["4x4x4", "17x33x5", "64x64x64", "1037x1031x1055", "1x1x4096", "4096x16x16", "16x4096x8", "1x1x1",
          "16777216x1x1", "4096x4096x4096"]  # fmt: skip
WINDOWS = [(980, 560), (1400, 800), (320, 240), (2560, 1440)]


@pytest.mark.parametrize("size", SHAPES)
@pytest.mark.parametrize("window", WINDOWS)
def test_that_a_row_of_a_and_a_column_of_b_meet_in_c(size: str, window: tuple[int, int]) -> None:
    stage = lay_out(Shape.parse(size), *window)
    assert (stage.a.y, stage.a.height) == (stage.c.y, stage.c.height)
    assert (stage.b.x, stage.b.width) == (stage.c.x, stage.c.width)
    assert stage.a.width == pytest.approx(stage.b.height)
    assert stage.a.right < stage.c.x
    assert stage.b.bottom < stage.c.y


@pytest.mark.parametrize("size", SHAPES)
@pytest.mark.parametrize("window", WINDOWS)
def test_that_all_of_it_fits_the_window_and_nothing_overlaps(size: str, window: tuple[int, int]) -> None:
    stage = lay_out(Shape.parse(size), *window, 400.0)
    for box in (stage.a, stage.b, stage.c, stage.corner):
        assert 0 <= box.x < box.right <= window[0] + 1
        assert 0 <= box.y < box.bottom <= window[1] + 1
    assert not stage.corner.meets(stage.a)
    assert not stage.corner.meets(stage.b)
    assert not stage.tally.meets(stage.a)


@pytest.mark.parametrize("size", ["4x4x4", "64x64x64", "1037x1031x1055", "300x200x100"])
def test_that_usual_sizes_are_to_scale(size: str) -> None:
    shape = Shape.parse(size)
    stage = lay_out(shape, 980, 560)
    assert stage.note == ""
    assert stage.c.width / shape.n == pytest.approx(stage.c.height / shape.m)
    assert stage.a.width / shape.k == pytest.approx(stage.a.height / shape.m)


def test_that_extreme_sizes_stay_legible_and_say_what_is_not_to_scale() -> None:
    tall = lay_out(Shape(4096, 16, 16), 980, 560)
    assert min(tall.a.width, tall.c.width, tall.b.height) >= LEAST
    assert tall.note.startswith("Not to scale: N = 16 drawn ")
    dot = lay_out(Shape(1, 1, 4096), 980, 560)
    assert dot.a.height == dot.b.width == LEAST
    assert "M = 1 drawn" in dot.note
    assert "N = 1 drawn" in dot.note
    assert "K =" not in dot.note


def test_that_the_figures_stand_left_of_a_where_there_is_room() -> None:
    wide = lay_out(Shape(64, 64, 64), 1400, 800)
    assert wide.tally.right <= wide.a.x
    assert wide.corner_foot == 0
    dot = lay_out(Shape(1, 1, 4096), 980, 560)
    assert dot.corner_foot > 0
    assert dot.tally.bottom <= dot.corner.bottom
