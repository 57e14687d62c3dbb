"""Where an axis has its ticks and what stands there: few digits, units that fit, never 1e-06. No Qt."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from gemmviz.domain.figures import grouped, power_of_ten
from gemmviz.explain.figures.figure import Axis, Quantity

Unit = tuple[float, str]
"""How many of an axis' own units it is, and its name."""

_TIME_UNITS = ((1e-6, "ns"), (1e-3, "µs"), (1.0, "ms"), (1e3, "s"))
_BEGINS = {"G": 0.1}
"""The part of itself from which a unit is used, where not from 1 on: as `domain.figures` writes rates."""
_BYTE_UNITS = ((1.0, "bytes"), (2.0**10, "KiB"), (2.0**20, "MiB"), (2.0**30, "GiB"), (2.0**40, "TiB"))
_RATE_UNITS = ((1e-9, ""), (1e-6, "k"), (1e-3, "M"), (1.0, "G"), (1e3, "T"), (1e6, "P"))
_FLOPS = "FLOP/s"
_UNITS = {Quantity.TIME: _TIME_UNITS, Quantity.BYTES: _BYTE_UNITS, Quantity.RATE: _RATE_UNITS}
_MOST_DIGITS = 7
_PLAIN_DECADES = range(-2, 6)
"""Powers of ten that are written out."""
_NEVER_POWERS = range(2)
"""1 and 10 are written out beside powers of ten, too."""
_STEPS = 8.0
"""A short axis begins at a multiple of the round step that divides it into so many parts, or fewer."""
_WRITTEN_OUT = range(-3, 7)
"""Powers of ten of an axis that is written out from end to end."""
_FINE_DECADES = 24
"""On an axis up to so long each power of ten has a line, also those without words."""


LEAST_DECADES = 0.35
"""A logarithmic axis ends at a bit more than twice its beginning, or later."""


LEAST_TICK, TICK_GAP = 30.0, 10.0
"""Pixels between ticks with words, at least, and between their words."""
_PARTS = 6
"""Ticks of an axis of percents at most: 0, 20, 40 to 100."""
_FEWEST = 2
_MORE = 4
"""So many more ticks than asked for are tried before a single one has to do."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on the axis and its words; `words` is "" where only a fine line stands."""

    value: float
    words: str


def padded_range(values: Iterable[float], is_log: bool, least_decades: float = LEAST_DECADES) -> tuple[float, float]:
    """The ends of an axis that shows all finite values, with a little room at both: a log axis is at least
    `least_decades` long, so that small differences look small, and begins at a round value; a linear one begins at 0.
    """
    usable = [value for value in values if math.isfinite(value) and (value > 0 or not is_log)]
    if not usable:
        return (0.1, 10.0) if is_log else (0.0, 1.0)
    if not is_log:
        top = max(*usable, 0.0)
        return 0.0, top * 1.06 if top > 0 else 1.0
    low, high = math.log10(min(usable)), math.log10(max(usable))
    room = _room(high - low)
    low, high = low - room, high + room
    missing = max(0.0, least_decades - (high - low)) / 2
    low, high = low - missing, high + missing
    return _log_beginning(_power(low), _power(high)), _power(high)


def round_down(low: float, high: float) -> float:
    """The last round value before `low`, for the beginning of a linear axis up to `high`."""
    step = _nice_step((high - low) / _STEPS)
    return float(f"{math.floor(low / step) * step:.12g}")


def round_up(low: float, high: float) -> float:
    """The first round value from `high` on, for the end of a linear axis from `low`: a tick with words stands there."""
    step = _nice_step((high - low) / _STEPS)
    return float(f"{math.ceil(high / step * (1 - 1e-12)) * step:.12g}")


def _room(decades: float) -> float:
    return max(0.05 * decades, 0.04)


def _log_beginning(low: float, high: float) -> float:
    """The last round value before `low`, for the beginning of a logarithmic axis up to `high`."""
    decades = math.log10(high) - math.log10(low)
    power = _power(math.floor(math.log10(low) + 1e-12))
    if power == 0 or not math.isfinite(high):
        return low
    found = round_down(low, high) if decades < 1.0 else 0.0
    return found if found > 0 else float(f"{math.floor(low / power * (1 + 1e-12)) * power:.12g}")


def ticks_of(axis: Axis, low: float, high: float, most: int) -> tuple[Tick, ...]:
    """At most about `most` ticks with words between `low` and `high` of an axis, and fine ones between them, all in
    one unit. The axis' round beginning has words where it is in sight and no other tick is near it; on a logarithmic
    axis with words a factor of 10 or more apart it gives way to others.
    """
    most = max(most if axis.quantity is not Quantity.PERCENT else min(most, _PARTS), 2)
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return ()
    # A short stretch of a logarithmic axis is as good as linear.
    is_log = axis.is_log and low > 0
    makers = (_log_ticks, _linear_ticks) if is_log else (_linear_ticks,)
    unit = _unit_named(axis) or _unit_between(axis.quantity, low, high, is_log)
    # Two words at least, else nobody could tell how much a step is.
    tries = (make(axis.quantity, unit, low, high, count) for make in makers for count in range(most, most + _MORE))
    said = (ticks for ticks in tries if sum(bool(tick.words) for tick in ticks) >= 2)
    found = next(said, None)
    if found is None:
        found = _linear_ticks(axis.quantity, unit, low, high, most)
    return _with_end(axis, _with_beginning(axis, found, unit, low, high, most), unit, low, high, most)


def _with_beginning(
    axis: Axis, ticks: tuple[Tick, ...], unit: Unit, low: float, high: float, most: int
) -> tuple[Tick, ...]:
    """The ticks with one at the beginning of the axis, so that no mark lies before all of them."""
    digits = float(f"{low:.1e}")
    if not (low > 0 and math.isclose(low, axis.low, rel_tol=1e-9) and math.isclose(low, digits, rel_tol=1e-9)):
        return ticks
    scale = math.log10 if axis.is_log else float
    length = scale(high) - scale(low)
    room = _room(length) if axis.is_log else 0.04 * length
    first = next((tick for tick in ticks if tick.words), None)
    if first is None or scale(first.value) - scale(low) <= room:
        return ticks
    near = scale(low) + 0.8 * length / most
    last = max(tick.value for tick in ticks if tick.words)
    if axis.is_log and scale(first.value) < near and scale(last) - scale(first.value) > 1 - room:
        return ticks
    is_plain = not any(_is_power(tick.words) for tick in ticks)
    kept = (Tick(tick.value, "") if scale(tick.value) < near else tick for tick in ticks if tick.value > low)
    return (Tick(low, tick_words(axis.quantity, low, unit, is_plain=is_plain)), *kept)


def _with_end(axis: Axis, ticks: tuple[Tick, ...], unit: Unit, low: float, high: float, most: int) -> tuple[Tick, ...]:
    """The ticks with one at the end of an axis that has words there, in place of the words near it."""
    is_there = any(tick.words and math.isclose(tick.value, high, rel_tol=1e-9) for tick in ticks)
    if not axis.has_end or is_there or not math.isclose(high, axis.high, rel_tol=1e-9):
        return ticks
    near = high - 0.8 * (high - low) / most
    kept = (Tick(tick.value, "") if tick.value > near else tick for tick in ticks if tick.value < high)
    return (*kept, Tick(high, tick_words(axis.quantity, high, unit)))


def _is_power(words: str) -> bool:
    return any(sign in words for sign in "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def ticks_that_fit(
    axis: Axis, low: float, high: float, at: Callable[[float], float], room_of: Callable[[str], float], length: float
) -> tuple[Tick, ...]:
    """As many ticks with words as have room: `at` is the pixel of a value along an axis of `length` pixels, `room_of`
    the pixels that words take along it.
    """

    def fit(ticks: tuple[Tick, ...]) -> bool:
        said = [(at(tick.value), room_of(tick.words)) for tick in ticks if tick.words]
        return all(abs(other - one) >= (room + its) / 2 + TICK_GAP for (one, room), (other, its) in pairwise(said))

    for most in range(max(int(length / LEAST_TICK), _FEWEST), _FEWEST, -1):
        ticks = ticks_of(axis, low, high, most)
        if fit(ticks):
            return ticks
        if axis.is_log and sum(bool(tick.words) for tick in ticks) > _FEWEST and fit(ticks[1:]):
            return ticks[1:]  # the beginning alone has no room
    return ticks_of(axis, low, high, _FEWEST)


def unit_of(quantity: Quantity, high: float) -> Unit:
    """The unit for a linear axis up to `high`."""
    units = _UNITS.get(quantity)
    if units is None:
        return 1.0, ""
    fitting = [unit for unit in units if unit[0] * _BEGINS.get(unit[1], 1.0) <= high * 1.0001]
    return fitting[-1] if fitting else units[0]


def _unit_named(axis: Axis) -> Unit | None:
    """The unit that the axis names, without what its words say of all ticks; None for none."""
    name = axis.unit.removesuffix(_FLOPS)
    return next((unit for unit in _UNITS.get(axis.quantity, ()) if axis.unit and unit[1] == name), None)


def _unit_between(quantity: Quantity, low: float, high: float, is_log: bool) -> Unit:
    """The unit for all ticks between two values: that of the largest, on a logarithmic axis that of its middle."""
    if not is_log or low <= 0:
        return unit_of(quantity, max(abs(low), abs(high)))
    return unit_of(quantity, _power((math.log10(low) + math.log10(high)) / 2))


def _linear_ticks(quantity: Quantity, of: Unit, low: float, high: float, most: int) -> tuple[Tick, ...]:
    del quantity
    unit, name = of
    step = _nice_step((high - low) / unit / most)
    first, last = math.ceil(low / unit / step - 1e-9), math.floor(high / unit / step + 1e-9)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    suffix = f"\N{NARROW NO-BREAK SPACE}{name}" if name else ""
    return tuple(
        Tick(number * step * unit, (_rounded(number * step, decimals) + suffix) if number else "0")
        for number in range(first, last + 1)
    )


def _nice_step(rough: float) -> float:
    """The next of 1, 2, 5, 10, … times a power of ten."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= rough * 0.999)


def _log_ticks(quantity: Quantity, unit: Unit, low: float, high: float, most: int) -> tuple[Tick, ...]:
    start, end = math.log10(low), math.log10(high)
    decades = end - start
    powers = range(math.ceil(start - 1e-9), math.floor(end + 1e-9) + 1)
    every = max(1, math.ceil(decades / most))
    # Two words at least, else nobody could tell how much a step is.
    while every > 1 and len(powers) > 1 and sum(power % every == 0 for power in powers) < 2:
        every -= 1
    wordy = (1, 2, 5) if decades * 3 <= most else (1, 3) if decades * 2 <= most else (1,)
    # One axis, one form: 0.005 and 0.01, or 5·10⁻³ and 10⁻².
    shift = round(math.log10(unit[0]))
    first = math.ceil(start - 1e-9) if wordy == (1,) else math.floor(start)
    named = [power for power in range(first, math.floor(end) + 1) if power % every == 0]
    is_plain = all(power - shift in _WRITTEN_OUT for power in named)
    found = []
    for power in range(math.floor(start), math.floor(end) + 1):
        for times in range(1, 10) if every == 1 else (1,):
            value = times * _power(power)
            if not low <= value <= high:
                continue
            speaks = times in wordy and power % every == 0
            if speaks or every == 1 or decades <= _FINE_DECADES:
                found.append(Tick(value, tick_words(quantity, value, unit, is_plain=is_plain) if speaks else ""))
    return tuple(found)


def tick_words(quantity: Quantity, value: float, unit: Unit | None = None, *, is_plain: bool | None = None) -> str:
    """A round value in a unit, or in the one that fits: "200 µs", "10 T", "10×", "10⁻⁷". `is_plain`: whether it is
    written out, None where its size decides.
    """
    if quantity in _UNITS:
        one, name = unit or unit_of(quantity, value)
        return f"{_plain(value / one, is_plain)}\N{NARROW NO-BREAK SPACE}{name}".rstrip()
    if quantity is Quantity.RATIO:
        return f"{_plain(value, is_plain)}×"
    return _plain(value, is_plain)


def _plain(value: float, is_plain: bool | None = None) -> str:
    power = math.floor(math.log10(value) + 1e-9)
    times = round(value / _power(power), 1)
    if power in _PLAIN_DECADES if is_plain is None else is_plain or power in _NEVER_POWERS:
        return grouped(value, max(0, -power + (times != int(times))))
    exponent = power_of_ten(power)
    return exponent if times == 1 else f"{times:g}·{exponent}"


def _rounded(value: float, decimals: int) -> str:
    """A multiple of a step with so many decimals; what would have too many digits as a power of ten."""
    if decimals > _MOST_DIGITS or abs(value) >= 10.0**_MOST_DIGITS:
        return ("-" if value < 0 else "") + _plain(abs(value))
    return grouped(value, decimals)


def _power(exponent: float) -> float:
    """10 to a power, kept within what a float holds."""
    return float(10.0 ** min(max(exponent, -323.0), 308.0))
