"""A, B and C as on paper, at every size."""

from __future__ import annotations

import re

import pytest

from gemmviz.domain.shape import Shape
from gemmviz.gui.memory_view.places.matrix_layout import (
    BOTTOM,
    HEIGHT_FOR_BARS,
    LEAST,
    PLACE_LINE,
    RISE,
    Purpose,
    lay_out,
)
from gemmviz.gui.memory_view.places.onchip_layout import CAPTION, NAME, OnchipContents
from gemmviz.gui.memory_view.places.placed import placed

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
    OnchipContents(),
    OnchipContents(((16, 16), (16, 16)), (16, 16)),
    OnchipContents(((64, 16), (16, 64)), (64, 64)),
    OnchipContents(((33, 32),), (33, 32), lines=2),
    OnchipContents(is_tree=True),
    OnchipContents(((2, 2), (2, 2)), (2, 2), has_values=True),
]


@pytest.mark.parametrize("size", SHAPES)
@pytest.mark.parametrize("window", WINDOWS)
def test_that_a_row_of_a_and_a_column_of_b_meet_in_c(size: str, window: tuple[int, int]) -> None:
    layout = lay_out(Shape.parse(size), *window)
    assert (layout.a.y, layout.a.height) == (layout.c.y, layout.c.height)
    assert (layout.b.x, layout.b.width) == (layout.c.x, layout.c.width)
    assert layout.a.width == pytest.approx(layout.b.height)
    assert layout.a.right < layout.c.x
    assert layout.b.bottom < layout.c.y


@pytest.mark.parametrize("size", SHAPES)
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("content", CONTENTS)
def test_that_all_of_it_fits_the_window_and_nothing_overlaps(
    size: str, window: tuple[int, int], content: OnchipContents
) -> None:
    layout = lay_out(Shape.parse(size), *window, content)
    boxes = [layout.a, layout.b, layout.c, layout.onchip, *([layout.figures] if layout.figures is not None else [])]
    for number, box in enumerate(boxes):
        assert 0 <= box.x < box.right <= window[0] + 1
        assert 0 <= box.y < box.bottom <= window[1] + 1
        assert not any(box.meets(other) for other in boxes[number + 1 :])


@pytest.mark.parametrize("size", ["4x4x4", "64x64x64", "1037x1031x1055", "300x200x100"])
def test_that_usual_sizes_are_to_scale(size: str) -> None:
    shape = Shape.parse(size)
    layout = lay_out(shape, 980, 560)
    assert layout.note == ""
    assert layout.c.width / shape.n == pytest.approx(layout.c.height / shape.m)
    assert layout.a.width / shape.k == pytest.approx(layout.a.height / shape.m)


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
    assert wide.figures_height == 0
    dot = lay_out(Shape(1, 1, 4096), 980, 560, OnchipContents(is_tree=True))
    assert dot.figures is None
    assert 0 < dot.figures_height < dot.onchip.height / 3


@pytest.mark.parametrize(("window", "least"), [((676, 430), 145), ((1324, 700), 280), ((420, 400), 110)])
def test_that_square_matrices_take_the_height_there_is(window: tuple[int, int], least: float) -> None:
    """Half of what captions and the key leave, or half of the width that is left beside the figures."""
    layout = lay_out(Shape(256, 256, 256), *window, OnchipContents(((16, 16), (16, 16)), (16, 16)))
    assert layout.c.width == layout.c.height > least
    assert layout.b.bottom == layout.onchip.bottom
    assert layout.onchip.y <= layout.b.y - RISE + 1


def test_that_two_kernels_side_by_side_are_seen_at_the_same_scale() -> None:
    """Half a window wide each; what stands in the corner must not move the matrices."""
    layouts = [lay_out(Shape(256, 256, 256), 420, 400, content) for content in CONTENTS[:4]]
    assert len({(layout.a, layout.b, layout.c) for layout in layouts}) == 1


@pytest.mark.parametrize("pictures", [1, 2])
@pytest.mark.parametrize("height", [190, 250, 300])
def test_that_low_pictures_have_the_panel_beside_the_matrices_and_tiles_that_are_seen(
    pictures: int, height: int
) -> None:
    shape, contents = Shape(64, 64, 64), (OnchipContents(((16, 16), (16, 16)), (16, 16)),) * pictures
    layout = lay_out(shape, 607, height, *contents)
    tiles = contents[0].arranged(layout.onchip, layout.least_panel, layout.figures_height)
    assert layout.onchip.right < layout.a.x, "beside"
    assert tiles.factors[0].width >= 40
    assert tiles.sums is not None
    boxes = [*layout.places.values(), layout.onchip]
    assert all(box.x >= 0 and box.right <= 607 and box.y >= 0 and box.bottom <= height for box in boxes)
    high = lay_out(shape, 607, 700, *contents)
    assert high.onchip.bottom < high.a.y, "where there is height enough, as on paper"


def test_that_hardly_larger_tiles_do_not_cost_the_matrices_half_of_their_size() -> None:
    """The first lesson on the whole screen of a projector: A stays as large as on paper, with room for its values."""
    shape, factors = Shape(8, 8, 8), (((4, 1), (1, 4)), ((4, 4), (4, 4)))
    contents = [
        OnchipContents(factors[side], (4, 4), has_values=True, lines=2, beside=(factors[1 - side],)) for side in (0, 1)
    ]
    layout = lay_out(shape, 596.1, 504.5, *contents)
    assert layout.onchip.bottom < layout.a.y, "as on paper"
    assert layout.a.width >= 170


@pytest.mark.parametrize(("window", "least"), [((607, 335), 70), ((687, 435), 112), ((527, 328), 62)])
def test_that_the_panel_of_two_pictures_takes_the_height_that_makes_its_tiles_larger(
    window: tuple[int, int], least: float
) -> None:
    """Windows of 1280x800 and 1440x900 with two pictures, and a presentation at 1920x1080."""
    tiles = OnchipContents(((16, 16), (16, 16)), (16, 16), beside=(((16, 16), (16, 16)),))
    layout = lay_out(Shape(64, 64, 64), *window, tiles, tiles)
    arranged = tiles.arranged(layout.onchip, layout.least_panel, layout.figures_height)
    assert arranged.sums is not None
    assert min(box.width for box in (*arranged.factors, arranged.sums)) >= least
    assert layout.figures is not None or layout.figures_height > 0
    assert layout.a.height >= HEIGHT_FOR_BARS


def test_that_tiles_of_two_pictures_stand_one_below_the_other_in_a_narrow_high_panel() -> None:
    tiles = OnchipContents(((16, 16), (16, 16)), (16, 16), beside=(((16, 16), (16, 16)),))
    layout = lay_out(Shape(64, 64, 64), 545, 598, tiles, tiles)
    arranged = tiles.arranged(layout.onchip, layout.least_panel, layout.figures_height)
    first, second = arranged.factors
    assert second.y > first.bottom
    assert arranged.sums is not None
    assert first.height + second.height > layout.onchip.height / 2


@pytest.mark.parametrize("size", [(600, 540), (600, 566), (600, 590), (586, 566)])
def test_that_large_blocks_of_two_pictures_keep_their_sums_where_the_window_is_wider_and_higher(
    size: tuple[int, int],
) -> None:
    factors = (32, 16), (16, 32)
    block = OnchipContents(factors, (32, 32), beside=(factors,))
    layout = lay_out(Shape(64, 64, 64), *size, block, block)
    arranged = block.arranged(layout.onchip, layout.least_panel, layout.figures_height)
    assert arranged.sums is not None
    assert arranged.sums.width >= 80
    assert min(min(box.width, box.height) for box in arranged.factors) >= 40
    assert layout.figures is not None


@pytest.mark.parametrize(
    ("window", "purpose", "pictures"),
    [
        ((478, 326), Purpose.PRESENTED, 2),
        ((963, 372), Purpose.PRESENTED, 1),
        ((590, 460), Purpose.PAGE, 2),
        ((720, 560), Purpose.PAGE, 2),
    ],
)
def test_that_the_registers_of_a_block_of_64_by_64_have_room_beside_wide_tiles(
    window: tuple[int, int], purpose: Purpose, pictures: int
) -> None:
    tiles = OnchipContents(((16, 68), (16, 64)), (64, 64), lines=2)
    contents = (tiles, OnchipContents(((16, 64), (16, 64)), (64, 64), lines=2))[:pictures]
    layout, arranged = placed(Shape(128, 128, 64), window, window, contents, purpose)
    assert arranged.sums is not None
    assert arranged.sums.width >= 72
    assert min(box.width for box in arranged.factors) >= 64
    assert arranged.panel.width >= (120 if arranged.is_stacked else 150), "its head and captions can be read"
    assert layout.figures is not None or layout.figures_height
    assert layout.c.width >= 80


@pytest.mark.parametrize(("window", "pictures", "least"), [((963, 408), 1, 200), ((477, 313), 2, 96)])
def test_that_a_presented_register_tile_has_large_sums_beside_wide_tiles_one_below_the_other(
    window: tuple[int, int], pictures: int, least: int
) -> None:
    contents = (OnchipContents(((16, 68), (16, 64)), (64, 64)),) * pictures
    layout, arranged = placed(Shape(128, 128, 64), window, window, contents, Purpose.PRESENTED)
    assert arranged.sums is not None
    assert arranged.is_stacked
    assert arranged.sums.width >= least
    assert layout.c.width >= 80
    assert layout.figures_height
    upper, lower = arranged.factors
    assert lower.y - upper.bottom >= 2 * CAPTION + NAME - 1, "a caption of two lines ends above the name below it"


def test_that_two_pictures_keep_their_figures_when_a_line_above_them_comes() -> None:
    block = OnchipContents(((32, 16), (16, 32)), (32, 32), lines=1)
    for height in (300, 320, 345, 380):
        assert lay_out(Shape(64, 64, 64), 456, height, block, block).figures is not None


@pytest.mark.parametrize("window", [(480, 330), (533, 370), (970, 560)])
def test_that_two_pictures_have_larger_elements_where_they_are_presented(window: tuple[int, int]) -> None:
    contents = CONTENTS[-1], CONTENTS[-1]
    plain, presented = (
        lay_out(Shape.parse("4x4x4"), *window, *contents, purpose=each) for each in (Purpose.PAGE, Purpose.PRESENTED)
    )
    assert presented.c.width >= plain.c.width
    assert presented.c.height > plain.c.height
    assert (presented.width, presented.height) == window


@pytest.mark.parametrize("window", [(688, 301), (1378, 560)])
def test_that_a_matrix_that_is_drawn_wider_leaves_captions_their_room(window: tuple[int, int]) -> None:
    block = OnchipContents(((16, 16), (16, 16)), (16, 16))
    layout = lay_out(Shape.parse("128x128x32"), *window, block, purpose=Purpose.PRESENTED)
    assert layout.onchip.right < layout.a.x, "beside the matrices"
    assert window[1] - layout.a.bottom >= BOTTOM - (0 if layout.notes else PLACE_LINE)


@pytest.mark.parametrize("window", [(1870, 740), (1870, 800)])
def test_that_a_wide_picture_of_a_lesson_has_larger_tiles_and_matrices_as_large(window: tuple[int, int]) -> None:
    """Those of double_buffered, which are wide and low."""
    contents = OnchipContents(((16, 68), (16, 64)), (64, 64), lines=2)
    (page, on_page), (lesson, in_lesson) = (
        placed(Shape(64, 64, 32), window, window, (contents,), purpose) for purpose in (Purpose.PAGE, Purpose.LESSON)
    )
    assert min(box.width for box in in_lesson.factors) >= 1.15 * min(box.width for box in on_page.factors)
    assert in_lesson.sums is not None
    assert lesson.c.width >= 0.97 * page.c.width
    assert lesson.a.right < lesson.b.x, "as on paper"
    assert lesson.onchip.right < lesson.a.x
    assert lesson.figures is not None or lesson.figures_height
