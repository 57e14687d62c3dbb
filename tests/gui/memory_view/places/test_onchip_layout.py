"""What lies in the corner: shared memory, the sums in registers, and what goes first where there is little room."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.onchip_layout import (
    CAPTION,
    HIGH_SUM,
    JOIN,
    LARGEST_CELL,
    LOW_SUM,
    NAME,
    NUMBER_CELL,
    PAD,
    PITCHES,
    SEEN_TILE,
    TITLE,
    VALUE_CELL,
    OnchipContents,
    OnchipLayout,
)
from gemmviz.gui.memory_view.text.detail import VALUES_FROM

TILES = OnchipContents(((16, 16), (16, 16)), (16, 16))
CONTENTS = [
    TILES,
    OnchipContents(((64, 16), (16, 64)), (64, 64)),
    OnchipContents(((33, 32),), (33, 32), lines=2),
    OnchipContents(((33, 32),)),
    OnchipContents(((1, 1), (1, 64)), (2, 32), lines=2),
    OnchipContents(((2, 2), (2, 2)), (2, 2), has_values=True),
    OnchipContents((), (16, 16)),
    OnchipContents(((128, 32), (32, 128)), (128, 128)),
    OnchipContents(((32, 33), (32, 33)), (32, 32)),
    OnchipContents(((384, 256),), lines=2),
    OnchipContents(((384, 256),)),
    OnchipContents(((2048, 4),)),
    OnchipContents(((4, 2048),)),
    OnchipContents(((1024, 64), (512, 128)), (128, 256)),
]
BOXES = [Box(16, 8, 458, 188), Box(16, 8, 252, 206), Box(16, 8, 816, 317), Box(16, 8, 150, 100), Box(16, 8, 1300, 700)]


def inside(arrangement: OnchipLayout) -> list[tuple[Box, Box]]:
    """Arrays with the panels they lie in."""
    found = [(box, arrangement.panel) for box in arrangement.factors]
    if arrangement.sums is not None:
        assert arrangement.registers is not None
        found.append((arrangement.sums, arrangement.registers))
    return found


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("box", BOXES)
def test_that_arrays_lie_within_their_panels_with_room_for_names_and_captions(
    content: OnchipContents, box: Box
) -> None:
    arrangement = content.arranged(box, 120.0)
    panels = [arrangement.panel] + ([arrangement.registers] if arrangement.registers is not None else [])
    assert not any(one.meets(other) for one in panels for other in panels if one is not other)
    for panel in panels:
        assert panel.y == box.y
        assert panel.bottom == box.bottom
        assert box.x <= panel.x < panel.right <= box.right + 0.5
    assert arrangement.panel.right == pytest.approx(box.right)
    is_small = box.width < 200
    for array, panel in inside(arrangement):
        assert panel.x <= array.x
        assert array.right <= panel.right or is_small
        assert array.y >= panel.y + PAD + TITLE + NAME - 1
        assert array.bottom + CAPTION <= panel.bottom + 1 or is_small
    boxes = [array for array, _ in inside(arrangement)]
    assert not any(one.meets(other) for one in boxes for other in boxes if one is not other)


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("box", BOXES)
def test_that_all_slots_are_squares_of_one_size(content: OnchipContents, box: Box) -> None:
    arrangement = content.arranged(box, 120.0)
    edges = {
        (round(array.width / columns, 6), round(array.height / rows, 6))
        for array, (rows, columns) in zip(arrangement.factors, content.factors, strict=True)
    }
    assert all(width == height for width, height in edges)
    assert len(edges) <= 1


@pytest.mark.parametrize(("box", "least"), [(BOXES[0], 7), (BOXES[1], 6), (BOXES[2], 15), (BOXES[4], 25)])
def test_that_the_slots_of_tiles_are_as_large_as_the_corner_allows(box: Box, least: int) -> None:
    arrangement = TILES.arranged(box, 120.0)
    assert arrangement.factors[0].width == 16 * least


def test_that_sums_stand_beside_their_factors_row_by_row() -> None:
    arrangement = TILES.arranged(BOXES[0], 120.0)
    assert arrangement.sums is not None
    assert arrangement.registers is not None
    assert arrangement.registers.right < arrangement.panel.x
    assert {box.y for box in (*arrangement.factors, arrangement.sums)} == {arrangement.sums.y}
    assert arrangement.sums.height == arrangement.factors[0].height


def test_that_sums_give_way_where_slots_would_get_too_small() -> None:
    narrow = TILES.arranged(BOXES[1], 120.0)
    assert narrow.sums is None
    assert narrow.registers is None
    assert narrow.panel == BOXES[1]


def test_that_sums_of_small_matrices_are_large_enough_for_their_numbers() -> None:
    content = OnchipContents(((4, 1), (1, 4)), (4, 4), lines=2, has_values=True)
    arrangement = content.arranged(Box(16, 8, 458, 210), 120.0)
    assert arrangement.sums is not None
    assert arrangement.sums.width / 4 >= 32


def test_that_the_panel_of_shared_memory_reaches_over_all_of_a() -> None:
    """So that a line from any tile of A meets it."""
    arrangement = OnchipContents(((2, 2), (2, 2)), (2, 2)).arranged(BOXES[2], 400.0)
    assert arrangement.panel.width >= 400


def test_that_a_tree_has_the_whole_corner() -> None:
    arrangement = OnchipContents(is_tree=True).arranged(BOXES[2], 120.0, 70.0)
    assert arrangement == OnchipLayout(BOXES[2], None, (), None)


def test_that_arrays_keep_clear_of_the_foot() -> None:
    arrangement = TILES.arranged(BOXES[2], 120.0, 70.0)
    assert arrangement.panel.bottom == BOXES[2].bottom
    assert max(box.bottom for box in arrangement.factors) + CAPTION <= BOXES[2].bottom - 70


def test_that_a_sentence_is_left_out_where_it_would_leave_nothing_for_the_slots() -> None:
    content = OnchipContents(((16, 4), (4, 16)), None, lines=2)
    assert content.arranged(BOXES[0], 120.0).lines == 2
    assert content.arranged(Box(16, 8, 150, 90), 60.0).lines == 0


def test_that_wide_arrays_lie_below_each_other_where_that_makes_their_slots_larger() -> None:
    arrangement = OnchipContents(((8, 132), (8, 128)), (128, 128)).arranged(Box(16, 8, 412, 223), 200.0)
    upper, lower = arrangement.factors
    assert upper.bottom + CAPTION + NAME <= lower.y + 1
    assert upper.x == lower.x
    assert upper.width / 132 == lower.width / 128 >= 2.9
    assert lower.bottom + CAPTION <= arrangement.panel.bottom
    square = TILES.arranged(BOXES[1], 120.0)
    assert square.factors[0].y == square.factors[1].y


def test_that_tiles_beside_sums_use_the_room_that_a_low_panel_leaves_them() -> None:
    halves = OnchipContents(((16, 68), (16, 64)), (64, 64))
    found = halves.arranged(Box(0, 0, 640, 258), 0.0, 70.0)
    assert found.sums is not None
    assert found.is_stacked
    assert found.edge(halves.factors) >= 1.4 * found.sums.height / 64
    assert all(box.right <= found.panel.right and box.bottom <= found.panel.bottom - 70 for box in found.factors)


def test_that_sums_without_room_for_their_numbers_stay_as_cells() -> None:
    small = OnchipContents(((16, 16), (16, 16)), (4, 4), has_values=True)
    roomy, narrow = small.arranged(Box(16, 8, 700, 240), 120.0), small.arranged(Box(16, 8, 330, 180), 120.0)
    assert roomy.sums is not None
    assert narrow.sums is not None
    assert roomy.sums.width / 4 >= 32 > narrow.sums.width / 4


def test_that_numbers_come_before_cells_as_large_as_in_the_picture_beside() -> None:
    small, large = OnchipContents(((4, 4), (4, 4)), (4, 4), has_values=True), ((16, 17), (16, 16))
    box = Box(16, 8, 520, 260)
    alone = small.arranged(box, 120.0)
    beside_large = replace(small, beside=(large,)).arranged(box, 120.0)
    assert beside_large.factors == alone.factors
    assert alone.edge(small.factors) >= VALUES_FROM


def test_that_tiles_have_cells_as_in_the_picture_beside_where_they_are_seen_and_their_own_else() -> None:
    small, large = OnchipContents(((4, 4), (4, 4)), (4, 4)), ((16, 17), (16, 16))
    for box, are_alike in ((Box(16, 8, 1000, 400), True), (Box(16, 8, 520, 200), False)):
        own, beside = (each.arranged(box, 120.0) for each in (small, replace(small, beside=(large,))))
        assert (beside.edge(small.factors) < own.edge(small.factors)) is are_alike
        assert (beside.factors == own.factors) is not are_alike
        assert beside.largest_side >= SEEN_TILE


@pytest.mark.parametrize("has_values", [False, True])
@pytest.mark.parametrize("pitch", PITCHES)
@pytest.mark.parametrize("factors", [((16, 16), (16, 16)), ((64, 8), (8, 64)), ((4, 4),), ((1, 128), (128, 2))])
def test_that_the_edge_of_cells_is_the_largest_with_which_all_fits(
    factors: tuple[tuple[int, int], ...], pitch: float, has_values: bool
) -> None:
    content = OnchipContents(factors, (16, 16), has_values=has_values, beside=(((8, 32),),))
    for width in range(150, 1500, 67):
        box = Box(0.0, 0.0, float(width), 500.0)

        def wanted(edge: float) -> float:
            of_sums = content._sums_width(max(edge, VALUE_CELL * has_values), pitch)
            return content._factors_width(edge, pitch) + of_sums + JOIN

        edge = content._edge_with(box, 0.0, pitch, sums=True)
        assert not edge or wanted(edge) <= width
        is_limited = edge >= min(content._edge_in(box.height), LARGEST_CELL) - 1e-3
        assert is_limited or wanted(edge + 1e-3) > width


def test_that_what_was_arranged_is_not_arranged_anew() -> None:
    """Two pictures take a second to lay out otherwise, each time their page comes to the front."""
    content = OnchipContents(((16, 16), (16, 16)), (16, 16))
    assert content.arranged(Box(0.0, 0.0, 500.0, 300.0), 0.0) is content.arranged(Box(0.0, 0.0, 500.0, 300.0), 0.0)


def test_that_a_single_sum_stands_below_a_row_whose_numbers_would_have_no_room_beside_it() -> None:
    contents = OnchipContents(((1, 16),), (1, 1))
    wide, narrow = (contents.arranged(Box(0.0, 0.0, width, 300.0), 0.0) for width in (900.0, 520.0))
    assert wide.registers is not None
    assert wide.registers.right < wide.panel.x
    assert narrow.registers is not None
    assert narrow.sums is not None
    assert narrow.registers.y > narrow.panel.bottom
    assert narrow.registers.bottom == 300.0
    assert narrow.sums.bottom < narrow.registers.bottom
    assert narrow.edge(contents.factors) >= NUMBER_CELL


@pytest.mark.parametrize(("width", "height"), [(311.0, 151.0), (337.0, 201.0), (520.0, 300.0)])
def test_that_a_row_above_its_sum_has_cells_for_numbers_also_on_a_small_screen(width: float, height: float) -> None:
    contents = OnchipContents(((1, 16),), (1, 1), lines=2, has_values=True)
    found = contents.arranged(Box(0.0, 0.0, width, height), 0.0)
    assert found.has_sum_below
    assert found.edge(contents.factors) >= VALUES_FROM
    assert found.sums is not None
    assert found.registers is not None
    assert found.panel.bottom < found.registers.y < found.sums.y
    assert found.sums.bottom < found.registers.bottom == height
    assert LOW_SUM <= found.sums.height <= HIGH_SUM
