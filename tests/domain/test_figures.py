"""Figures have few digits and a unit that fits, and a spread of nothing has the unit of what it is the spread of."""

from __future__ import annotations

import math

import pytest

from gemmviz.domain.figures import (
    average,
    counted,
    element_text,
    error_against_bound,
    error_formula,
    flops,
    megahertz,
    milliseconds,
    number,
    percent,
    ratio,
    spread,
    spread_and_count,
    time_unit,
    times,
)


@pytest.mark.parametrize(("value", "words"), [(2040.0, "2.04 s"), (0.812, "812 µs"), (35.14, "35.1 ms"), (0.0, "0 µs")])
def test_that_a_time_has_three_digits_and_the_unit_that_fits(value: float, words: str) -> None:
    assert milliseconds(value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.00141, "1.41 µs"),
        (0.0259, "25.9 µs"),
        (0.188, "188 µs"),
        (0.9996, "1.00 ms"),
        (9.996, "10.0 ms"),
        (999.9, "1.00 s"),
        (1000.0, "1.00 s"),
        (math.nan, "not a number"),
        (math.inf, "infinite"),
    ],
)
def test_that_the_unit_of_a_time_follows_from_the_time_alone(value: float, words: str) -> None:
    assert milliseconds(value) == words


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ((0.004, 0.9), "µs"),
        ((0.004, 0.9996), "ms"),
        ((0.004, 2.0, 1000.0), "ms"),
        ((100.0, 1000.0), "s"),
        ((math.nan, math.inf), "µs"),
    ],
)
def test_that_a_column_of_times_has_the_unit_of_the_greatest_unless_that_makes_others_unreadable(
    values: tuple[float, ...], unit: str
) -> None:
    assert time_unit(values) == unit


def test_that_a_time_in_the_unit_of_its_column_keeps_its_digits() -> None:
    assert milliseconds(0.17719, "ms") == "0.177 ms"
    assert milliseconds(0.00412, "ms") == "0.00412 ms"
    assert milliseconds(math.nan, "ms") == "not a number"
    assert spread(0.0008, 0.177, 15, "ms") == "0.001 ms"


@pytest.mark.parametrize(
    ("gflops", "words"),
    [
        (777_088.0, "777 TFLOP/s"),
        (999.0, "999 GFLOP/s"),
        (0.5, "0.500 GFLOP/s"),
        (0.0545, "54.5 MFLOP/s"),
        (0.0, "0 GFLOP/s"),
        (1e3, "1.00 TFLOP/s"),
    ],
)
def test_that_a_rate_has_the_unit_that_fits(gflops: float, words: str) -> None:
    assert flops(gflops) == words


@pytest.mark.parametrize(
    ("value", "of", "words"),
    [
        (0.0, 0.00566, "0 µs"),
        (0.0, 12.0, "0 ms"),
        (0.0, 3000.0, "0 s"),
        (0.0671, 141.0, "0.067 ms"),
        (0.0001, 12.0, "0.0001 ms"),
    ],
)
def test_that_a_spread_has_the_unit_of_what_it_is_of(value: float, of: float, words: str) -> None:
    assert spread(value, of, 4) == words
    assert spread_and_count(value, of, 4) == f"IQR {words} · n 4"
    assert spread(value, of, 3) == "–", "two of three samples are no middle half"
    assert spread_and_count(value, of, 3) == "n 3"


@pytest.mark.parametrize(
    ("value", "plural", "words"),
    [(0, "", "0 runs"), (1, "", "1 run"), (2, "", "2 runs"), (4160, "", "4\u202f160 runs"), (2, "many", "2 many")],
)
def test_that_a_noun_agrees_with_its_number(value: int, plural: str, words: str) -> None:
    assert counted(value, "run", plural) == words


@pytest.mark.parametrize(
    ("value", "of", "words"),
    [
        (0.00141, 0.188, "1 µs"),
        (0.0783, 2.35, "0.08 ms"),
        (0.944, 90.9, "0.9 ms"),
        (0.817, 202.0, "1 ms"),
        (0.105, 0.978, "105 µs"),
        (2.2, 1.04, "2.20 ms"),
        (0.4, 2.35, "0.40 ms"),
        (1234.0, 202.0, "1\N{NARROW NO-BREAK SPACE}234 ms"),
    ],
)
def test_that_a_spread_has_as_many_decimals_as_its_time(value: float, of: float, words: str) -> None:
    assert spread(value, of, 4) == words


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (0.0, "0 %"),
        (0.0039, "0.39 %"),
        (0.1875, "18.8 %"),
        (0.5, "50 %"),
        (0.9999, "100 %"),
        (2.5, "250 %"),
        (0.00012, "0.012 %"),
        (12.345, "1\N{NARROW NO-BREAK SPACE}235 %"),
        (math.inf, "infinite"),
        (math.nan, "not a number"),
    ],
)
def test_that_a_part_has_three_digits_in_per_cent(part: float, words: str) -> None:
    assert percent(part) == words


def test_that_a_part_may_have_fewer_digits() -> None:
    assert [percent(part, 2) for part in (0.018, 0.1234, 0.999)] == ["1.8 %", "12 %", "100 %"]


def test_that_an_average_that_is_whole_has_no_decimals() -> None:
    assert [average(value) for value in (6.0, 5.25, 0.0, 1344.0)] == ["6", "5.25", "0", "1\N{NARROW NO-BREAK SPACE}344"]
    assert average(math.nan) == number(math.nan)


@pytest.mark.parametrize(
    ("error", "bound", "words"),
    [
        (5.1, 64.0, "error 8 % of the allowed bound"),
        (0.0, 64.0, "error 0 % of the allowed bound"),
        (64.0, 64.0, "error 100 % of the allowed bound"),
        (64.5, 64.0, "error slightly above the allowed bound"),
        (100.0, 64.0, "error 1.6 times the allowed bound"),
        (6_148_440.0, 67.0, "error 92\u202f000 times the allowed bound"),
        (1e14, 10.0, "error 1.0·10¹³ times the allowed bound"),
        (1.0, 0.0, "error above the allowed bound"),
        (0.0, 0.0, "error 0 % of the allowed bound"),
        (math.nan, 64.0, "error: not a number"),
        (math.inf, 64.0, "error: infinite"),
    ],
)
def test_that_an_error_is_told_as_a_part_of_its_bound(error: float, bound: float, words: str) -> None:
    assert error_against_bound(error, bound) == words


def test_that_a_tooltip_has_the_error_as_it_is_counted() -> None:
    assert error_formula(12.34, 64.0) == "max |C−R| / (u·|A|·|B|) is 12.3, the allowed bound 64.0"


@pytest.mark.parametrize(
    ("value", "low", "high", "words"),
    [
        (29.4, 29.3, 29.5, "29.4 times"),
        (29.4, 27.0, 32.0, "29 times"),
        (29.4, 20.0, 45.0, "roughly 20 to 45 times"),
        (95.0, 40.0, 200.0, "roughly 40 to 200 times"),
        (1235.0, 1200.0, 1270.0, "1\u202f240 times"),
        (1.573, 1.57, 1.576, "1.57 times"),
        (1.573, 1.5, 1.64, "1.57 times"),
        (1.573, 1.4, 1.8, "1.6 times"),
        (14.0, 5.0, 30.0, "roughly 5.0 to 30 times"),
        (0.0189, math.nan, math.nan, "0.019 times"),
        (2.0, 1.0, math.inf, "about 2.0 times"),
        (95.0, 84.0, 106.0, "95 times"),
        (47.4, 15.1, 167.0, "roughly 15 to 170 times"),
        (1.1, 0.08, 1_234.0, "roughly 0.080 to 1\u202f200 times"),
        (2.0, 2.0, 2.0, "2.00 times"),
        (math.inf, 1.0, math.inf, "infinite times"),
    ],
)
def test_that_a_ratio_of_times_has_no_more_digits_than_its_noise_allows(
    value: float, low: float, high: float, words: str
) -> None:
    assert times(value, low, high) == words
    if not words.startswith("roughly"):
        assert ratio(value, low, high) == words.removeprefix("about ").removesuffix(" times")


def test_that_a_ratio_in_a_cell_has_two_digits_however_much_the_samples_scatter() -> None:
    assert [ratio(value, 0.1, 90.0, is_noisy=True) for value in (35.5, 2.96, 95.0)] == ["36", "3.0", "95"]


def test_that_a_ratio_with_a_noisy_time_is_rough_however_narrow_its_interval_is() -> None:
    assert times(29.4, 29.1, 29.9, is_noisy=True) == "roughly 29 to 30 times"
    assert times(29.4, 29.3, 29.4, is_noisy=True) == "about 29 times"
    assert times(2.57, math.nan, math.nan, is_noisy=True) == "about 2.6 times"


def test_that_the_values_of_elements_are_grouped_from_five_digits_on() -> None:
    written = "1380", "179848", "-12345.5", "0.12345", "1e7", "inf"
    assert [element_text(text) for text in written] == [
        "1380",
        "179\u202f848",
        "-12\u202f345.5",
        "0.12345",
        "1e7",
        "inf",
    ]


def test_that_a_clock_is_grouped_as_every_number_is() -> None:
    assert megahertz(1979.6) == "1\u202f980 MHz"
