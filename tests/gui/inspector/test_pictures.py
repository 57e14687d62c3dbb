"""Where things lie in the bank view and the coalescing view."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from gemmviz.domain.access import AccessKind
from gemmviz.gui.inspector.bank_picture import GROUP_GAP, LABELS, TALLEST_ROW, bank_picture
from gemmviz.gui.inspector.coalescing_picture import coalescing_picture
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.wavefronts import SharedCost, shared_cost

LANES = np.arange(32, dtype=np.int64)
NOBODY = np.full(32, -1, np.int64)


def cost(addresses: np.ndarray, width: int = 4) -> SharedCost:
    return shared_cost(addresses, width, AccessKind.LOAD)


def test_that_banks_are_columns_and_wavefronts_are_rows() -> None:
    picture = bank_picture(cost(4 * (LANES % 16) + 128 * (LANES // 16)), 288, 80)
    assert (picture.column, len(picture.rows), len(picture.cells)) == (8, 2, 32)
    for cell in picture.cells:
        assert cell.x == LABELS + 8 * cell.word.bank
        assert cell.y == picture.rows[cell.wavefront].y
    assert [row.is_excess for row in picture.rows] == [False, True]
    assert {cell.is_excess for cell in picture.cells if cell.wavefront == 1} == {True}


@pytest.mark.parametrize("stride", [4, 8, 32, 64, 128])
def test_that_any_number_of_wavefronts_fits(stride: int) -> None:
    found = cost(stride * LANES)
    picture = bank_picture(found, 288, 80)
    assert len(picture.rows) == max(stride // 4, 1)
    assert picture.bottom <= 80.001
    assert all(0 < row.height <= TALLEST_ROW for row in picture.rows)
    assert max(cell.x + cell.width for cell in picture.cells) <= 288


def test_that_groups_stand_apart_and_none_of_them_is_excess() -> None:
    picture = bank_picture(cost(16 * LANES, 16), 288, 100)
    assert [row.lanes for row in picture.rows] == ["0–7", "8–15", "16–23", "24–31"]
    assert {round(below.y - above.y - TALLEST_ROW, 6) for above, below in pairwise(picture.rows)} == {GROUP_GAP}
    assert not any(row.is_excess for row in picture.rows)


def test_that_a_place_finds_its_cell() -> None:
    picture = bank_picture(cost(0 * LANES + 12), 288, 80)
    (cell,) = picture.cells
    assert cell.is_broadcast
    assert picture.cell_at(cell.x + 1, cell.y + 1) is cell
    assert picture.cell_at(cell.x - 1, cell.y + 1) is None
    assert bank_picture(cost(NOBODY), 288, 80).cells == ()


def test_that_neighbouring_sectors_touch_and_others_do_not() -> None:
    addresses = np.where(LANES < 16, 4 * LANES, 4 * LANES + 4096)
    boxes = coalescing_picture(addresses, 4, global_cost(addresses, 4).sectors, 288).boxes
    gaps = [right.x - left.x - left.width for left, right in pairwise(boxes)]
    assert [gap > 1 for gap in gaps] == [False, True, False]
    assert boxes[0].x == pytest.approx(0)
    assert boxes[-1].x + boxes[-1].width == pytest.approx(288)


def test_that_few_sectors_stand_in_the_middle() -> None:
    (box,) = coalescing_picture(0 * LANES, 4, global_cost(0 * LANES, 4).sectors, 288).boxes
    assert box.x + box.width / 2 == pytest.approx(144)
    assert box.runs == ((box.x, pytest.approx(box.width / 8)),)


def test_that_used_bytes_are_filled_where_they_are() -> None:
    addresses = np.where(LANES < 2, 16 * LANES + 4, NOBODY)
    (box,) = coalescing_picture(addresses, 4, global_cost(addresses, 4).sectors, 320).boxes
    byte = box.width / 32
    assert [(round((x - box.x) / byte), round(width / byte)) for x, width in box.runs] == [(4, 4), (20, 4)]


@pytest.mark.parametrize(("stride", "width"), [(4, 4), (128, 4), (100, 4), (16, 16), (36, 16)])
def test_that_every_lane_has_a_line_to_its_bytes(stride: int, width: int) -> None:
    addresses = stride * LANES + 4
    sectors = global_cost(addresses, width).sectors
    picture = coalescing_picture(addresses, width, sectors, 288)
    assert len(picture.links) == 32
    for lane, (above, below) in enumerate(picture.links):
        assert above == pytest.approx(9 * (lane + 0.5))
        box = picture.box_at(below)
        assert box is not None
        assert lane in box.sector.lanes
    assert picture.box_at(-5) is None


def test_that_lanes_that_take_no_part_have_no_line() -> None:
    picture = coalescing_picture(NOBODY, 4, (), 288)
    assert (picture.boxes, picture.links, any(picture.active)) == ((), (), False)
