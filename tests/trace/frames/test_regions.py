"""How elements are said."""

from __future__ import annotations

import pytest

from gemmviz.domain.recordings.access import MappedArray, Space
from gemmviz.trace.frames.regions import Rectangle, region_words, touched_words

A = MappedArray("A", Space.GLOBAL, 0, 8, 16)
SUMS = MappedArray("sums", Space.SHARED, 0, 1, 64)


@pytest.mark.parametrize(
    ("array", "part", "expected"),
    [
        (A, Rectangle(0, 2, 4, 8), "rows 0–1, columns 4–7 of A"),
        (A, Rectangle(3, 4, 0, 4), "row 3, columns 0–3 of A"),
        (A, Rectangle(3, 4, 5, 6), "A[3,5]"),
        (A, Rectangle(0, 8, 0, 16), "all of A"),
        (SUMS, Rectangle(0, 1, 0, 32), "elements 0–31 of sums"),
        (SUMS, Rectangle(0, 1, 7, 8), "sums[7]"),
        (SUMS, Rectangle(0, 1, 0, 64), "all of sums"),
    ],
)
def test_that_a_rectangle_is_said_in_words(array: MappedArray, part: Rectangle, expected: str) -> None:
    assert region_words(array, part) == expected


def test_that_elements_that_fill_no_rectangle_are_counted() -> None:
    assert touched_words(A, Rectangle(0, 2, 4, 8), 8) == "rows 0–1, columns 4–7 of A"
    assert touched_words(A, Rectangle(0, 2, 4, 8), 3) == "3 elements in rows 0–1, columns 4–7 of A"
    assert touched_words(A, Rectangle(0, 8, 0, 16), 3) == "3 elements of A"
