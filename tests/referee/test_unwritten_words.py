"""Which elements were not written is said by row, by column, or by the first of them."""

from __future__ import annotations

import numpy as np
import pytest

from gemmviz.referee.examinations.unwritten_words import unwritten_words


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((slice(4, 5), slice(None)), "6 of 30 elements are not written (row 4)"),
        ((slice(None), slice(4, 6)), "10 of 30 elements are not written (columns 4 to 5)"),
        ((slice(2, 3), slice(3, 4)), "1 of 30 elements is not written (C[2,3])"),
        ((slice(0, 5, 2), slice(None)), "18 of 30 elements are not written (C[0,0] is the first)"),
        ((slice(None), slice(None)), "30 of 30 elements are not written"),
    ],
)
def test_that_whole_rows_and_columns_are_named(places: tuple[slice, slice], words: str) -> None:
    c = np.ones((5, 6), np.float32)
    c[places] = np.nan
    assert unwritten_words(c, int(np.isnan(c).sum())) == words


def test_that_one_element_is_no_elements() -> None:
    assert unwritten_words(np.full((1, 1), np.nan, np.float32), 1) == "1 of 1 element is not written"
