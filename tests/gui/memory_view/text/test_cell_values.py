"""Values in cells have as many significant digits as there is room for, all of an array the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.gui.memory_view.text.cell_values import cell_values, digits_text, whole_text

UNIFORM = (0.1234, 0.8506396, 0.0336)


def room_for(letters: int) -> Callable[[int], float]:
    """The size of the letters in a cell in which so many can be read, and twice as many letters are half as large."""
    return lambda wanted: 8.0 * letters / max(wanted, 1) if wanted <= letters else 0.0


@pytest.mark.parametrize(
    ("letters", "texts"),
    [
        (7, ("0.123", "0.851", "0.034")),
        (5, ("0.123", "0.851", "0.034")),
        (4, ("0.12", "0.85", "0.03")),
        (3, ("0.1", "0.9", "0.0")),
        (2, ("", "", "")),
    ],
)
def test_that_all_values_have_as_many_decimals_as_there_is_room_for(letters: int, texts: tuple[str, ...]) -> None:
    found, longest = cell_values(UNIFORM, room_for(letters))
    assert found == texts
    assert longest == max(map(len, texts)) <= letters


def test_that_another_tile_of_the_same_matrix_has_as_many_digits_behind_the_point() -> None:
    tiles = [(0.8413765, 0.0336, 0.5), (0.4972543, 0.1234)]
    said = [text for tile in tiles for text in cell_values(tile, room_for(8))[0]]
    assert said == ["0.841", "0.034", "0.500", "0.497", "0.123"]


def test_that_a_value_far_below_the_others_is_not_written_as_zero() -> None:
    assert cell_values((0.84137651, 2.71e-4, 0.0), room_for(8))[0] == ("0.841", "3e-4", "0")


def test_that_values_that_few_digits_write_exactly_are_written_so() -> None:
    assert cell_values((3.0, -12.0, 0.5, 1.125), room_for(8))[0] == ("3", "-12", "0.5", "1.125")
    assert cell_values((120.0, 7.0), room_for(3))[0] == ("120", "7")
    assert cell_values((), room_for(3)) == ((), 0)


def test_that_what_is_no_number_is_said() -> None:
    assert cell_values((float("nan"), 0.1234, float("inf")), room_for(5))[0] == ("nan", "0.123", "inf")


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0, 3, "0"),
        (99999.0, 1, "99999"),
        (123.4, 2, "123"),
        (0.9996, 3, "1.00"),
        (-0.0336, 2, "-0.034"),
        (0.00271, 3, "0.00271"),
        (2.71e-4, 3, "2.71e-4"),
        (1e7, 1, "1e7"),
        (-1.25e-9, 1, "-1e-9"),
    ],
)
def test_that_a_value_has_so_many_significant_digits(value: float, digits: int, text: str) -> None:
    assert digits_text(value, digits) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float(np.float32(0.1234)), "0.1234"),
        (0.1234, "0.1234"),
        (1 / 3, "0.3333333333333333"),
        (3.0, "3"),
        (float(np.float32(1 / 3)), "0.33333334"),
        (1e300, "1e+300"),
        (float("nan"), "nan"),
    ],
)
def test_that_a_whole_value_has_all_digits_that_tell_it_apart(value: float, text: str) -> None:
    assert whole_text(value) == text
