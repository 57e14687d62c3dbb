"""In which bank each slot of an array lies."""

from __future__ import annotations

import numpy as np
import pytest

from gemmviz.domain.recordings.access import MappedArray, Space
from gemmviz.explain.requests.what_if import NewLayout, Swizzle
from gemmviz.gui.stages.slot_banks import MOST_ROWS, NO_SLOT, slot_banks
from gemmviz.trace.model.rules import bank_of

BASE = 1 << 40
LANES = np.arange(32, dtype=np.int64)
COLUMN = BASE + 128 * LANES


def array(rows: int = 32, columns: int = 32, nbytes: int = 4) -> MappedArray:
    return MappedArray("As", Space.SHARED, BASE, rows, columns, nbytes)


def test_that_rows_of_32_words_put_a_column_in_one_bank() -> None:
    found = slot_banks(array(), NewLayout(), 1, COLUMN, 4)
    assert np.array_equal(found.banks, np.tile(LANES, (32, 1)))
    assert np.array_equal(np.argwhere(found.is_wanted)[:, 1], np.zeros(32))


@pytest.mark.parametrize("padding", [1, 2, 8])
def test_that_padding_moves_each_row_on(padding: int) -> None:
    found = slot_banks(array(), NewLayout(padding), 1, COLUMN, 4)
    assert (found.rows, found.columns, found.padding) == (32, 32 + padding, padding)
    assert np.all(found.banks[:, 32:] == NO_SLOT)
    assert np.array_equal(found.banks[:, :32], (LANES[:, None] * (32 + padding) + LANES) % 32)
    assert found.is_wanted[:, 0].all()


def test_that_columns_that_the_source_pads_are_outlined_like_those_that_are_tried() -> None:
    tried = slot_banks(array(), NewLayout(1), 1, COLUMN, 4)
    padded = slot_banks(array(32, 33), NewLayout(), 1, BASE + 132 * LANES, 4, in_source=1)
    assert np.array_equal(padded.banks, tried.banks)
    assert (padded.columns, padded.padding) == (tried.columns, tried.padding)
    more = slot_banks(array(32, 33), NewLayout(1), 1, BASE + 132 * LANES, 4, in_source=1)
    assert (more.columns, more.padding) == (34, 2)


def test_that_a_swizzle_spreads_a_column_to_the_places_that_the_lesson_names() -> None:
    column, pieces, halves = (
        slot_banks(array(), NewLayout(0, swizzle), 1, COLUMN, 4)
        for swizzle in (Swizzle.COLUMN, Swizzle.PIECES_128, Swizzle.PIECES_64)
    )
    for found, places in (
        (column, [*range(32)]),
        (pieces, [4 * (row % 8) for row in range(32)]),
        (halves, [4 * (row % 4) for row in range(32)]),
    ):
        assert np.argwhere(found.is_wanted).tolist() == [[row, place] for row, place in enumerate(places)]
        assert np.array_equal(found.banks, np.tile(LANES, (32, 1))), "memory has its banks where they were"
        assert found.elements[found.is_wanted].tolist() == [32 * row for row in range(32)]


def test_that_padding_and_a_swizzle_together_keep_every_element() -> None:
    for swizzle in Swizzle:
        found = slot_banks(array(), NewLayout(1, swizzle), 1, COLUMN, 4)
        assert sorted(found.elements[found.elements != NO_SLOT].tolist()) == list(range(1024))
        assert np.count_nonzero(found.is_wanted) == 32


def test_that_small_elements_share_a_bank_and_wide_accesses_want_several_slots() -> None:
    found = slot_banks(array(8, 64, 2), NewLayout(), 1, np.where(LANES < 2, BASE + 16 * LANES, -1), 16)
    assert found.banks[0].tolist() == [bank_of(2 * column) for column in range(64)]
    assert np.flatnonzero(found.is_wanted[0]).tolist() == list(range(16))
    assert not found.is_wanted[1:].any()


def test_that_an_array_of_one_row_is_shown_in_lines_of_32_words() -> None:
    found = slot_banks(array(1, 80), NewLayout(3), 1, BASE + 4 * LANES, 4)
    assert (found.rows, found.columns, found.padding) == (3, 32, 0)
    assert found.banks[2].tolist() == [*range(16), *[NO_SLOT] * 16]
    assert found.is_wanted[0].all()
    assert not found.is_wanted[1:].any()


def test_that_of_many_rows_those_are_shown_that_are_wanted() -> None:
    found = slot_banks(array(500, 32), NewLayout(), 1, BASE + 128 * 300 + 4 * LANES, 4)
    assert (found.first_row, found.rows, found.is_part) == (300, MOST_ROWS, True)
    assert found.is_wanted[0].all()
    last = slot_banks(array(500, 32), NewLayout(), 1, BASE + 128 * 499 + 4 * LANES, 4)
    assert (last.first_row, last.rows) == (500 - MOST_ROWS, MOST_ROWS)
    outside = slot_banks(array(), NewLayout(), 1, np.full(32, BASE - 64), 4)
    assert not outside.is_wanted.any()
