"""A, B and C as on paper, at every size."""

from __future__ import annotations

import re

import pytest

from gemmviz.domain.shape import Shape
from gemmviz.gui.memory_view.places.corner import Content
from gemmviz.gui.memory_view.places.stage import LEAST, RISE, lay_out

SHAPES = [
    "4x4x4",
    "17x33x5",
    "64x64x64",
    "1037x1031x1055",
    "1x1x4096",
    "4096x16x16",
    "16x4096x8",
    "1x1x1",
    "16777216x1x1",
    "4096x4096x4096",
]
WINDOWS = [(980, 560), (676, 430), (420, 400), (1400, 800), (320, 240), (360, 900), (2560, 1440)]
CONTENTS = [
    Content(),
    Content(((16, 16), (16, 16)), (16, 16)),
    Content(((64, 16), (16, 64)), (64, 64)),
    Content(((33, 32),), (33, 32), lines=2),
    Content(is_tree=True),
    Content(((2, 2), (2, 2)), (2, 2), has_values=True),
]


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
@pytest.mark.parametrize("content", CONTENTS)
def test_that_all_of_it_fits_the_window_and_nothing_overlaps(
    size: str, window: tuple[int, int], content: Content
) -> None:
    stage = lay_out(Shape.parse(size), *window, content)
    boxes = [stage.a, stage.b, stage.c, stage.corner, *([stage.figures] if stage.figures is not None else [])]
    for number, box in enumerate(boxes):
        assert 0 <= box.x < box.right <= window[0] + 1
        assert 0 <= box.y < box.bottom <= window[1] + 1
        assert not any(box.meets(other) for other in boxes[number + 1 :])


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
    assert tall.notes[1:] == ("Not to scale: B is drawn too wide, A too wide, B too high", "Not to scale")
    dot = lay_out(Shape(1, 1, 4096), 980, 560)
    assert dot.a.height == dot.b.width == LEAST
    times = r"\d[\d \u202f]* times"
    assert re.fullmatch(rf"Not to scale: A is drawn {times} too high, B {times} too wide", dot.note)
    wide = lay_out(Shape(1, 1, 16), 1300, 560)
    assert wide.note == "Not to scale: A is drawn 1.8 times too high, B 1.8 times too wide"


def test_that_the_figures_stand_left_of_a_or_at_the_foot_of_a_high_corner() -> None:
    wide = lay_out(Shape(64, 64, 64), 1400, 800)
    assert wide.figures is not None
    assert wide.figures.right < wide.a.x
    assert wide.figures.y == wide.a.y
    assert wide.foot == 0
    dot = lay_out(Shape(1, 1, 4096), 980, 560, Content(is_tree=True))
    assert dot.figures is None
    assert 0 < dot.foot < dot.corner.height / 3


@pytest.mark.parametrize(("window", "least"), [((676, 430), 150), ((1324, 700), 280), ((420, 400), 110)])
def test_that_square_matrices_take_the_height_there_is(window: tuple[int, int], least: float) -> None:
    """Half of what captions and the key leave, or half of the width that is left beside the figures."""
    stage = lay_out(Shape(256, 256, 256), *window, Content(((16, 16), (16, 16)), (16, 16)))
    assert stage.c.width == stage.c.height > least
    assert stage.b.bottom == stage.corner.bottom
    assert stage.corner.y <= stage.b.y - RISE + 1


def test_that_two_kernels_side_by_side_are_seen_at_the_same_scale() -> None:
    """Half a window wide each; what stands in the corner must not move the matrices."""
    stages = [lay_out(Shape(256, 256, 256), 420, 400, content) for content in CONTENTS[:4]]
    assert len({(stage.a, stage.b, stage.c) for stage in stages}) == 1
