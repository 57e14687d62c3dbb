"""The arrangement of the table as text."""

from __future__ import annotations

import json

import pytest

from gemmviz.explain.runs.columns import Key
from gemmviz.gui.results.arrangement import Arrangement, ColumnPlace, arrangement_from

KERNEL, SIZE, MEDIAN = (
    ColumnPlace(Key.KERNEL, 120, True),
    ColumnPlace(Key.SIZE, 90, False),
    ColumnPlace(Key.MEDIAN, 80, True),
)


@pytest.mark.parametrize(
    "arrangement",
    [
        Arrangement(()),
        Arrangement((KERNEL, MEDIAN, SIZE)),
        Arrangement((KERNEL, SIZE), Key.MEDIAN, True),
        Arrangement((KERNEL,), Key.KERNEL),
    ],
)
def test_that_an_arrangement_is_read_back(arrangement: Arrangement) -> None:
    assert arrangement_from(arrangement.as_text) == arrangement


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "3", "null", "{}", '{"places": 4}', "[" * 100_000])
def test_that_another_text_is_none(text: str) -> None:
    assert arrangement_from(text) is None


def test_that_what_cannot_be_used_is_left_out() -> None:
    good = {"key": "median", "width": 80, "is_shown": True}
    bad = [
        7,
        None,
        {},
        {**good, "key": "colour"},
        {**good, "key": ["size"]},
        {**good, "width": -4},
        {**good, "width": 1e9},
        {**good, "width": True},
        {**good, "is_shown": 1},
    ]
    read = arrangement_from(json.dumps({"places": [*bad, good], "sorted_by": "colour", "descending": "yes"}))
    assert read == Arrangement((MEDIAN,))


def test_that_the_kernel_stays_in_front_and_in_sight() -> None:
    moved = Arrangement((MEDIAN, ColumnPlace(Key.KERNEL, 120, False)))
    assert arrangement_from(moved.as_text) == Arrangement((KERNEL, MEDIAN))
