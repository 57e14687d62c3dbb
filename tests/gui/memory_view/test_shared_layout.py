"""Shared arrays in the corner."""

from __future__ import annotations

import pytest

from gemmviz.domain.access import MappedArray, Space
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.shared_layout import cells_of, place_shared, wanted_height

CORNER = Box(28, 44, 460, 220)


def shared(name: str, rows: int, columns: int) -> MappedArray:
    return MappedArray(name, Space.SHARED, 0, rows, columns)


@pytest.mark.parametrize(
    "sizes",
    [[(16, 16), (16, 16)], [(64, 16), (16, 64)], [(32, 33)], [(1, 512)], [(2, 2), (2, 2)], [(128, 32), (32, 128)]],
)  # fmt: skip
def test_that_arrays_lie_in_the_corner_beside_or_below_each_other(sizes: list[tuple[int, int]]) -> None:
    places = place_shared([shared(f"s{i}", *size) for i, size in enumerate(sizes)], CORNER)
    for place in places:
        assert place.box.x >= CORNER.x
        assert place.box.right <= CORNER.right + 1
        assert place.box.y >= CORNER.y
        assert place.box.bottom <= CORNER.bottom + 1
    assert not any(one.box.meets(other.box) for one in places for other in places if one is not other)
    assert len({round(place.box.width / place.columns, 6) for place in places}) == 1


def test_that_a_long_row_is_broken_into_rows_of_banks() -> None:
    (place,) = place_shared([shared("sums", 1, 70)], CORNER)
    assert cells_of(place.array) == (place.rows, place.columns) == (3, 32)
    assert place.is_broken
    for slot in (0, 31, 32, 69):
        cell = place.cell_of(0, slot)
        assert place.slot_at(cell.middle_x, cell.middle_y) == (0, slot)
    beyond = place.box.part(3, 32, 2, 6)
    assert place.slot_at(beyond.middle_x, beyond.middle_y) is None
    assert place.slot_at(0, 0) is None


def test_that_every_slot_is_found_where_it_is_drawn() -> None:
    (place,) = place_shared([shared("As", 16, 17)], CORNER)
    assert not place.is_broken
    for row in range(16):
        for column in range(17):
            cell = place.cell_of(row, column)
            assert place.slot_at(cell.middle_x, cell.middle_y) == (row, column)


def test_that_high_arrays_want_a_high_corner() -> None:
    assert place_shared([], CORNER) == ()
    assert wanted_height([shared("As", 64, 16)]) > wanted_height([shared("As", 16, 16)]) > wanted_height([])
