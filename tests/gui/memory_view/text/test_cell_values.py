"""Values in cells have as many digits behind the point as there is room for, all of an array the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.gui.memory_view.text.cell_values import EXACT, NumberForm, cell_values, decimal_text, whole_text

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
        (3, ("0.1", "0.9", ".03")),
        (2, ("", "", "")),
    ],
)
def test_that_all_values_have_as_many_decimals_as_the_longest_has_room_for(
    letters: int, texts: tuple[str, ...]
) -> None:
    found, longest = cell_values(UNIFORM, room_for(letters))
    assert found == texts
    assert longest == max(map(len, texts)) <= letters


def test_that_values_that_few_digits_write_exactly_are_written_so() -> None:
    assert cell_values((3.0, -12.0, 0.5, 1.125), room_for(8))[0] == ("3", "-12", "0.5", "1.125")
    assert cell_values((120.0, 7.0), room_for(3))[0] == ("120", "7")
    assert cell_values((), room_for(3)) == ((), 0)


def test_that_values_below_ten_have_three_decimals_and_larger_ones_fewer() -> None:
    assert cell_values((1.1234567, 0.2512345), room_for(9))[0] == ("1.123", "0.251")
    assert cell_values((1.1234567, 0.2512345), room_for(4))[0] == ("1.12", "0.25")
    assert cell_values((17.345678, 0.8412, -3.21), room_for(9))[0] == ("17.35", "0.84", "-3.21")
    assert cell_values((123.45678, 3.21), room_for(9))[0] == ("123.5", "3.2")
    assert cell_values((1234.5678, 3.21), room_for(9))[0] == ("1235", "3")
    assert cell_values((1e7, 0.8412, 1 / 3), room_for(9))[0] == ("1e7", "0.841", "0.333")


def test_that_a_value_is_written_alike_whatever_lies_beside_it() -> None:
    both = (-0.70000004, 0.99961234)
    for values in ((0.0336, 0.5), (0.0336, 0.12345), (0.0336,)):
        texts, letters = cell_values(values, room_for(6), both)
        assert (texts[0], letters) == ("0.034", len("-0.700"))


def test_that_a_small_value_is_no_zero_where_there_is_room() -> None:
    assert cell_values((0.8412345, 0.00012345), room_for(5))[0] == ("0.841", "1e-4")
    assert cell_values((0.8412345, 0.0412345, 0.00012345, 0.0), room_for(3))[0] == ("0.8", ".04", "≈0", "0")
    assert cell_values((0.8412345, -0.0412345), room_for(3))[0] == ("0.8", "≈0"), "with its sign it has no room"


def test_that_what_is_no_number_is_said() -> None:
    assert cell_values((float("nan"), 0.1234567, float("inf")), room_for(5))[0] == ("nan", "0.123", "inf")


def test_that_no_form_says_more_than_the_first_one() -> None:
    two = NumberForm(2)
    assert cell_values(UNIFORM, room_for(9), (), two)[0] == ("0.12", "0.85", "0.03")
    assert cell_values(UNIFORM, room_for(3), (), two)[0] == ("0.1", "0.9", ".03")
    assert cell_values((0.5, 2.0), room_for(9), (), two)[0] == ("0.50", "2")
    assert cell_values((0.5, 2.0), room_for(9), (), EXACT)[0] == ("0.5", "2")


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0, 3, "0"),
        (99999.0, 1, "99\u202f999"),
        (123.4, 0, "123"),
        (0.9996, 3, "1.000"),
        (-0.0336, 2, "-0.03"),
        (2.71e-4, 3, "3e-4"),
        (1e7, 1, "1e7"),
        (-1.25e-9, 1, "-1e-9"),
    ],
)
def test_that_a_value_has_so_many_decimals(value: float, digits: int, text: str) -> None:
    assert decimal_text(value, digits) == text


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
