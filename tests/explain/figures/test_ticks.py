import math
import re
from itertools import pairwise

import pytest

from gemmviz.domain.figures import milliseconds
from gemmviz.explain.figures.figure import Axis, Quantity
from gemmviz.explain.figures.ticks import LEAST_DECADES, padded_range, tick_words, ticks_of, ticks_that_fit


def words(axis: Axis, low: float, high: float, most: int = 6) -> list[str]:
    found = [tick.words.replace("\N{NARROW NO-BREAK SPACE}", " ") for tick in ticks_of(axis, low, high, most)]
    return [text for text in found if text]


def log(quantity: Quantity) -> Axis:
    return Axis("", quantity, 1.0, 10.0, is_log=True)


def test_that_a_log_axis_of_times_has_one_unit() -> None:
    assert words(log(Quantity.TIME), 0.0005, 20000.0, 10) == [
        "0.001 ms",
        "0.01 ms",
        "0.1 ms",
        "1 ms",
        "10 ms",
        "100 ms",
        "1 000 ms",
        "10 000 ms",
    ]
    assert words(log(Quantity.TIME), 0.02, 0.25, 10) == ["20 µs", "50 µs", "100 µs", "200 µs"]


def test_that_a_short_log_axis_has_words_between_its_decades() -> None:
    assert words(log(Quantity.TIME), 0.5, 20.0, 8) == ["0.5 ms", "1 ms", "2 ms", "5 ms", "10 ms", "20 ms"]


@pytest.mark.parametrize("most", [2, 3, 4])
def test_that_a_narrow_log_axis_names_two_powers_of_ten_and_has_a_line_at_each(most: int) -> None:
    axis = log(Quantity.PLAIN)
    assert len(words(axis, 0.02, 25.0, most)) >= 2
    assert set(words(axis, 0.02, 25.0, most)) <= {"0.1", "1", "10"}
    assert {0.1, 1.0, 10.0} <= {tick.value for tick in ticks_of(axis, 0.02, 25.0, most)}
    assert words(axis, 90.0, 1.4e6, 3) == ["100", "10 000", "1 000 000"]


@pytest.mark.parametrize(
    ("axis", "low", "high", "expected"),
    [
        (Axis("", Quantity.PLAIN, 0.0, 36.0), 0.0, 36.0, ["0", "5", "10", "15", "20", "25", "30", "35"]),
        (Axis("", Quantity.PLAIN, 0.0, 0.1), 0.0, 0.1, ["0", "0.02", "0.04", "0.06", "0.08", "0.10"]),
        (Axis("", Quantity.TIME, 0.0, 1900.0), 0.0, 1900.0, ["0", "0.5 s", "1.0 s", "1.5 s"]),
        (log(Quantity.PLAIN), 0.3, 30.0, ["0.5", "1", "2", "5", "10", "20"]),
    ],
)
def test_that_an_axis_has_as_many_words_as_fit(axis: Axis, low: float, high: float, expected: list[str]) -> None:
    """In 250 pixels, with words of 7 pixels a letter: values can be read, and no words touch."""

    def at(value: float) -> float:
        part = math.log(value / low) / math.log(high / low) if axis.is_log else (value - low) / (high - low)
        return 250.0 * part

    found = ticks_that_fit(axis, low, high, at, lambda words: 7.0 * len(words), 250.0)
    ticks = [tick for tick in found if tick.words]
    assert [tick.words.replace("\N{NARROW NO-BREAK SPACE}", " ") for tick in ticks] == expected
    for one, other in pairwise(ticks):
        assert at(other.value) - at(one.value) > 7.0 * (len(one.words) + len(other.words)) / 2


def test_that_a_stretch_without_a_decade_is_divided_evenly() -> None:
    assert words(log(Quantity.TIME), 1.11, 1.19, 4) == ["1.12 ms", "1.14 ms", "1.16 ms", "1.18 ms"]


def test_that_plain_decades_are_written_out_near_one_and_as_powers_elsewhere() -> None:
    assert words(log(Quantity.PLAIN), 1e-9, 2e-7, 3) == ["10⁻⁹", "10⁻⁸", "10⁻⁷"]
    assert words(log(Quantity.PLAIN), 0.05, 2e4) == ["0.1", "1", "10", "100", "1 000", "10 000"]


def test_that_rates_have_the_prefix_that_fits() -> None:
    assert words(log(Quantity.RATE), 0.05, 2e6, 9) == [
        *("0.1 G", "1 G", "10 G", "100 G", "1 000 G", "10 000 G", "100 000 G", "1 000 000 G")
    ]
    assert words(Axis("", Quantity.RATE, 0.0, 1.0), 0.0, 65_000.0, 4) == ["0", "20 T", "40 T", "60 T"]
    assert words(Axis("", Quantity.RATE, 0.0, 0.6), 0.0, 0.6, 4) == ["0", "0.2 G", "0.4 G", "0.6 G"], "as 0.500 GFLOP/s"


def test_that_an_axis_writes_all_its_numbers_in_one_form() -> None:
    assert words(log(Quantity.RATIO), 0.004, 0.3, 6) == ["0.005×", "0.01×", "0.02×", "0.05×", "0.1×", "0.2×"]
    assert words(log(Quantity.PLAIN), 5e-5, 2.0, 6) == ["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "1"]
    assert words(log(Quantity.RATIO), 5e-5, 20.0, 8) == ["10⁻⁴×", "10⁻³×", "10⁻²×", "10⁻¹×", "1×", "10×"]
    assert words(log(Quantity.RATIO), 5e-5, 20.0, 3)[-1] in ("1×", "10×")


def test_that_ratios_carry_their_sign() -> None:
    assert words(log(Quantity.RATIO), 0.05, 2000.0, 6) == ["0.1×", "1×", "10×", "100×", "1 000×"]


def test_that_a_linear_axis_starts_at_0_and_keeps_one_unit() -> None:
    assert words(Axis("", Quantity.TIME, 0.0, 3.2), 0.0, 3.2, 4) == ["0", "1 ms", "2 ms", "3 ms"]
    assert words(Axis("", Quantity.BYTES, 0.0, 1.0), 0.0, 3.1 * 2**20, 4) == ["0", "1 MiB", "2 MiB", "3 MiB"]
    assert words(Axis("", Quantity.PLAIN, 0.0, 1.0), 0.0, 0.45, 5) == ["0", "0.1", "0.2", "0.3", "0.4"]


@pytest.mark.parametrize("quantity", list(Quantity))
@pytest.mark.parametrize("is_log", [True, False])
@pytest.mark.parametrize(("low", "high"), [(5e-324, 1e308), (1e-12, 1e-11), (0.1, 0.1000001), (1.0, 1e12)])
def test_that_no_tick_is_written_with_an_e_or_lies_outside(
    quantity: Quantity, is_log: bool, low: float, high: float
) -> None:
    ticks = ticks_of(Axis("", quantity, low, high, is_log), low, high, 6)
    assert len([tick for tick in ticks if tick.words]) <= 24
    for tick in ticks:
        room = 1e-6 * (high - low)
        assert low - room <= tick.value <= high + room
        assert len(tick.words) <= 16
        assert not re.search(r"\de[-+]?\d|nan|inf", tick.words)


@pytest.mark.parametrize(("low", "high"), [(math.nan, 1.0), (0.0, math.inf), (2.0, 1.0), (1.0, 1.0)])
def test_that_a_range_that_is_none_has_no_ticks(low: float, high: float) -> None:
    assert ticks_of(Axis("", Quantity.PLAIN, 0.0, 1.0), low, high, 5) == ()


def test_that_a_range_takes_in_every_finite_value_with_room() -> None:
    low, high = padded_range([3.0, math.nan, 70.0, math.inf, 0.0, -1.0], is_log=True)
    assert 0 < low < 3.0
    assert high > 70.0
    assert padded_range([2.0, 4.0, math.nan], is_log=False) == (0.0, pytest.approx(4.24))


@pytest.mark.parametrize("values", [[], [math.nan], [0.0]])
def test_that_a_range_of_nothing_is_a_range(values: list[float]) -> None:
    assert padded_range(values, is_log=True) == (0.1, 10.0)
    assert padded_range(values, is_log=False) == (0.0, 1.0)


def test_that_one_value_gets_some_room_around_it() -> None:
    low, high = padded_range([5.0], is_log=True)
    assert 10.0**LEAST_DECADES <= high / low < 1.2 * 10.0**LEAST_DECADES
    assert low < 5.0 < high


@pytest.mark.parametrize(
    ("values", "beginning"),
    [
        ([1.0, 1.2], 0.1),
        ([1.0, 9.0], 0.31),
        ([3.0, 4000.0], 0.31),
        ([1e-6, 1.0], 0.31),
        ([0.0259, 0.188], 0.31),
        ([199.0, 260.0], 0.1),
    ],
)
def test_that_a_logarithmic_axis_ends_near_its_values_and_begins_at_a_round_one(
    values: list[float], beginning: float
) -> None:
    low, high = padded_range(values, is_log=True)
    needed = math.log10(values[-1] / values[0])
    assert math.log10(high / low) <= max(1.1 * needed + 0.1, LEAST_DECADES) + beginning
    assert low < values[0] < values[-1] < high
    assert low == pytest.approx(float(f"{low:.1e}"))


@pytest.mark.parametrize("most", [2, 3, 5, 8, 12])
@pytest.mark.parametrize(
    "values", [[0.0259, 0.188], [1.99, 2.6], [0.97, 1.2], [7.0, 5200.0], [0.15, 33.0], [3e-5, 900.0], [4.9, 4.95]]
)
def test_that_a_tick_with_words_lies_at_or_before_the_first_value_or_powers_of_ten_lead_to_it(
    values: list[float], most: int
) -> None:
    low, high = padded_range(values, is_log=True)
    ticks = [tick for tick in ticks_of(Axis("", Quantity.TIME, low, high, is_log=True), low, high, most) if tick.words]
    leads = ticks[-1].value / ticks[0].value >= 9.0
    assert low <= ticks[0].value <= values[0] or (leads and math.log10(ticks[0].value).is_integer())
    assert len(ticks) >= 2
    assert len({tick.words.split("\N{NARROW NO-BREAK SPACE}")[-1] for tick in ticks}) == 1, "one unit"


def test_that_the_beginning_of_a_moved_axis_has_no_words() -> None:
    axis = Axis("", Quantity.TIME, 3.0, 40.0, is_log=True)
    assert words(axis, 3.0, 40.0, 6)[0] == "3 ms"
    assert words(axis, 3.3, 44.0, 6)[0] == "5 ms"


def test_that_values_at_the_ends_of_what_a_float_holds_are_taken() -> None:
    low, high = padded_range([5e-324, 1.7e308], is_log=True)
    assert 0 < low <= 1e-323
    assert math.isfinite(high)


def test_that_round_values_are_written_short() -> None:
    assert tick_words(Quantity.TIME, 2e-6) == "2\N{NARROW NO-BREAK SPACE}ns"
    assert tick_words(Quantity.PLAIN, 3e-9) == "3·10⁻⁹"


def test_that_a_low_logarithmic_axis_has_two_words_that_do_not_collide() -> None:
    axis = Axis("", Quantity.TIME, 0.7, 8.4, is_log=True)
    places = [math.log10(tick.value) for tick in ticks_of(axis, axis.low, axis.high, 2) if tick.words]
    assert len(places) >= 2
    assert all(after - before > 0.2 for before, after in pairwise(places))


@pytest.mark.parametrize("value", [0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 200.0, 1000.0])
def test_that_times_on_an_axis_have_the_unit_of_the_times_beside_it(value: float) -> None:
    unit = tick_words(Quantity.TIME, value).split("\N{NARROW NO-BREAK SPACE}")[1]
    assert milliseconds(value).endswith(f" {unit}")


@pytest.mark.parametrize(
    ("values", "length", "expected"),
    [
        ((0.002, 1.0), 140, ["0.01×", "0.1×", "1×"]),
        ((0.002, 1.2), 200, ["0.001×", "0.01×", "0.1×", "1×"]),
        ((0.6, 4000.0), 330, ["0.3×", "1×", "10×", "100×", "1 000×"]),
        ((0.004, 5.0), 260, ["0.002×", "0.01×", "0.1×", "1×"]),
        ((0.05, 3.0), 140, ["0.1×", "1×"]),
    ],
)
def test_that_powers_of_ten_have_words_before_the_beginning_of_a_narrow_axis(
    values: tuple[float, float], length: int, expected: list[str]
) -> None:
    low, high = padded_range(values, is_log=True)
    per_decade = length / math.log10(high / low)
    ticks = ticks_that_fit(
        Axis("", Quantity.RATIO, low, high, is_log=True),
        low,
        high,
        lambda value: math.log10(value / low) * per_decade,
        lambda text: 7.2 * len(text),
        length,
    )
    assert [tick.words.replace("\N{NARROW NO-BREAK SPACE}", " ") for tick in ticks if tick.words] == expected
