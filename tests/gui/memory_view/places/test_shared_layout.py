"""Arrays as grids of cells: where each element and each element lies."""

from __future__ import annotations

import pytest

from gemmviz.domain.recordings.access import MappedArray, Space
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.shared_layout import Lens, SharedArrayPlace, cells_of
from gemmviz.trace.frames.regions import Rectangle


def placed(name: str, rows: int, columns: int, edge: float = 6.0) -> SharedArrayPlace:
    cells = cells_of(rows, columns)
    array = MappedArray(name, Space.SHARED, 0, rows, columns)
    return SharedArrayPlace(array, Box(28, 44, cells[1] * edge, cells[0] * edge), *cells)


def test_that_a_long_row_is_broken_into_rows_of_banks() -> None:
    place = placed("sums", 1, 70)
    assert (place.rows, place.columns) == (3, 32)
    assert place.is_broken
    for slot in (0, 31, 32, 69):
        cell = place.cell_of(0, slot)
        assert place.slot_at(cell.middle_x, cell.middle_y) == (0, slot)
    beyond = place.box.part(3, 32, 2, 6)
    assert place.slot_at(beyond.middle_x, beyond.middle_y) is None
    assert place.slot_at(0, 0) is None


@pytest.mark.parametrize("slots", [4096, 8320, 49408, 98816])
def test_that_much_shared_memory_without_rows_is_no_thin_strip(slots: int) -> None:
    place = placed("stages", 1, slots)
    assert place.columns % 32 == 0
    assert place.rows * place.columns >= slots > (place.rows - 1) * place.columns
    assert place.rows <= 2 * place.columns
    cell = place.cell_of(0, slots - 1)
    assert place.slot_at(cell.middle_x, cell.middle_y) == (0, slots - 1)


def test_that_every_slot_is_found_where_it_is_drawn() -> None:
    place = placed("As", 16, 17)
    assert not place.is_broken
    for row in range(16):
        for column in range(17):
            cell = place.cell_of(row, column)
            assert place.slot_at(cell.middle_x, cell.middle_y) == (row, column)
            assert place.part_of(Rectangle(row, row + 1, column, column + 1)) == cell


@pytest.mark.parametrize(
    ("part", "box"),
    [
        (Rectangle(0, 1, 3, 9), (3, 0, 6, 1)),
        (Rectangle(0, 1, 30, 34), (0, 0, 32, 2)),
        (Rectangle(0, 1, 64, 70), (0, 2, 6, 1)),
    ],
)
def test_that_a_stretch_of_a_broken_row_is_the_lines_that_hold_it(
    part: Rectangle, box: tuple[int, int, int, int]
) -> None:
    place = placed("sums", 1, 70, 10.0)
    assert place.part_of(part) == Box(28 + 10 * box[0], 44 + 10 * box[1], 10 * box[2], 10 * box[3])


def test_that_a_lens_shows_a_piece_of_a_matrix() -> None:
    lens = Lens("A", Rectangle(80, 96, 32, 48), placed("A", 16, 16, 10.0))
    seen = lens.seen(Rectangle(81, 82, 32, 48))
    assert seen == Box(28, 54, 160, 10)
    assert lens.element_at(28 + 35, 44 + 15) == (81, 35)
    assert lens.element_at(27, 44) is None
    assert lens.seen(Rectangle(0, 80, 32, 48)) is None
    part = lens.seen(Rectangle(90, 200, 0, 34))
    assert part == Box(28, 144, 20, 60)
