"""Figures as a person reads them: few digits, grouped, with the unit that fits."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal

_MS = {"µs": 1000.0, "ms": 1.0, "s": 0.001}
"""How many of each unit are a millisecond."""
FEWEST_FOR_QUARTILES = 4
_GROUPS = "\N{NARROW NO-BREAK SPACE}"
_LONG = re.compile(r"^-?\d{5,}")
_EXACT = Context(prec=400)
"""Enough digits for every float64."""
_GFLOPS = {"MFLOP/s": 1000.0, "GFLOP/s": 1.0, "TFLOP/s": 0.001}
_LEAST_IN_SECONDS = 100.0
"""Milliseconds."""
NO_NUMBER, INFINITE = "not a number", "infinite"


def milliseconds(value: float, unit: str = "") -> str:
    """A time with three significant digits, in a unit or in the one that fits: "812 µs", "35.1 ms", "2.04 s"."""
    unit = unit or time_unit([value])
    return f"{_three(value * _MS[unit])} {unit}" if math.isfinite(value) else _not_finite(value)


def time_unit(values_ms: Iterable[float]) -> str:
    """The unit for a time, or for a column of times: that of the greatest. Below 1 ms it is µs, below 1 s ms, so that
    times in one column are compared at a glance and one by itself is written alike wherever it stands. Seconds beside
    which another time would be under 0.1 s are ms: 50.1 ms, not 0.0501 s.
    """
    sizes = [abs(value) for value in values_ms if math.isfinite(value)]
    rounded = float(f"{max(sizes, default=0.0):.2e}")  # as it is written
    if rounded < 1.0:
        return "µs"
    return "s" if rounded >= 1000.0 and min(filter(None, sizes)) >= _LEAST_IN_SECONDS else "ms"


def spread(value: float, of: float, n: int, unit: str = "") -> str:
    """The interquartile range of `n` samples in milliseconds, in the unit and with the decimals of the time that it is
    the spread `of`; with two digits where that would be nothing; "–" where so few samples have none.
    """
    if not has_quartiles(n):
        return "–"
    if not (math.isfinite(of) and math.isfinite(value)):
        return str(value)
    unit = unit or time_unit([of])
    scaled, decimals = value * _MS[unit], _decimals(of * _MS[unit])
    least = 10.0**-decimals
    if scaled == 0.0:
        return f"0 {unit}"
    return f"{plain(scaled, 2) if scaled < least / 2 else grouped(scaled, decimals)} {unit}"


def spread_and_count(value: float, of: float, n: int, unit: str = "") -> str:
    """The same with the number of samples: "IQR 12.0 µs · n 15"; "n 3" where so few have no quartiles."""
    return f"IQR {spread(value, of, n, unit)} · n {count(n)}" if has_quartiles(n) else f"n {n}"


def has_quartiles(n: int) -> bool:
    """Whether so many samples have an interquartile range: of fewer than four it would be made up of two of them."""
    return n >= FEWEST_FOR_QUARTILES


def number(value: float) -> str:
    """Three significant digits, thousands grouped: "51 100", "12.3", "0.004"; NO_NUMBER or INFINITE for what is so."""
    return _three(value) if math.isfinite(value) else _not_finite(value)


_NOISE = 0.5
"""The part of a ratio by which one of a noisy time is uncertain at least."""
_UNKNOWN_NOISE = 2
"""Digits of a ratio of which nobody knows between what it lies."""
_WIDE = 0.25
"""From this part of a ratio on its uncertainty is said as a range."""


def ratio(value: float, low: float, high: float, *, is_noisy: bool = False) -> str:
    """A ratio of times that lies from `low` to `high`, with the digits that this allows, the last one being the first
    that is uncertain, but with two at least and three at most: "1.57", "29", "3.0".
    """
    if not math.isfinite(value) or value == 0:
        return number(value)
    first = _first(value)
    allowed = _allowed_place(value, low, high, is_noisy)
    return grouped(value, -int(min(max(min(0, first - 2), allowed), first - 1)))


def is_rough(value: float, low: float, high: float, *, is_noisy: bool = False) -> bool:
    """Whether a ratio is so uncertain that a single number would say too much of it."""
    return math.isfinite(value) and value != 0 and (is_noisy or high - low > 2 * _WIDE * abs(value))


def rough_ratio(value: float, low: float, high: float, *, is_noisy: bool = False) -> str:
    """A ratio, or between what it lies where it is rough: "2.57"; "roughly 15 to 170"; "about 47" where the bounds of a
    rough one are not known, or no further apart than two digits tell.
    """
    if not is_rough(value, low, high, is_noisy=is_noisy):
        return ratio(value, low, high)
    are_known = math.isfinite(low) and math.isfinite(high) and low > 0
    least, most = (grouped(end, 1 - _first(end)) for end in (low, high)) if are_known else ("", "")
    if least == most:
        return f"about {ratio(value, low, high, is_noisy=is_noisy)}"
    return f"roughly {least} to {most}"


def times(value: float, low: float, high: float, *, is_noisy: bool = False) -> str:
    """The same in a sentence: "2.57 times", "roughly 15 to 170 times"."""
    return f"{rough_ratio(value, low, high, is_noisy=is_noisy)} times"


def _allowed_place(value: float, low: float, high: float, is_noisy: bool) -> float:
    """The power of ten of the last digit that the noise of a ratio allows."""
    uncertain = (high - low) / 2
    if is_noisy:
        uncertain = max(_NOISE * abs(value), 0.0 if math.isnan(uncertain) else uncertain)
    if math.isnan(uncertain):
        return _first(value) - _UNKNOWN_NOISE + 1
    if not 0.0 < uncertain < math.inf:
        return math.copysign(math.inf, uncertain - 1.0)
    return math.floor(math.log10(uncertain) + 1e-9)


def _first(value: float) -> int:
    """The power of ten of the first of three digits: of 9.996 it is 1."""
    return math.floor(math.log10(abs(float(f"{value:.2e}"))))


def average(value: float) -> str:
    """A mean of whole numbers: "6" where it is whole, else as a `number`."""
    return count(int(value)) if math.isfinite(value) and value == int(value) else number(value)


def flops(gflops: float, unit: str = "") -> str:
    """A rate of arithmetic in a unit, or in the one that fits: "54.5 MFLOP/s", "51.3 GFLOP/s", "777 TFLOP/s"."""
    unit = unit or rate_unit([gflops])
    return f"{number(gflops * _GFLOPS[unit])} {unit}"


def rate_unit(gflops: Iterable[float]) -> str:
    """The unit for a column of rates: the one that fits the rate in their middle; "GFLOP/s" if there is none."""
    value = _middle(gflops)
    return "TFLOP/s" if value >= 1000.0 else "MFLOP/s" if 0.0 < value < 0.1 else "GFLOP/s"


def count(value: int) -> str:
    """A whole number with its thousands grouped by thin spaces: "4 457 310"."""
    return f"{value:,}".replace(",", _GROUPS)


def grouped(value: float, decimals: int) -> str:
    """A number with so many decimals, a half rounded away from 0 as by hand, its thousands grouped: "1 234.57"."""
    return f"{Decimal(_rounded(value, decimals)):,f}".replace(",", _GROUPS)


def element_text(text: str) -> str:
    """The value of an element of a matrix as it is written, with its thousands grouped where it has five digits or more
    before the point: "1380", "179 848", "12 345.5".
    """
    return _LONG.sub(lambda digits: count(int(digits[0])), text)


def megahertz(value: float) -> str:
    """A clock: "1 980 MHz"."""
    return f"{count(round(value))} MHz"


def counted(value: int, noun: str, plural: str = "") -> str:
    """A whole number with its noun, singular or plural: "1 run", "2 runs", "4 160 blocks"."""
    return f"{count(value)} {noun if value == 1 else plural or f'{noun}s'}"


def scientific(value: float) -> str:
    """ "4.5·10⁻⁷"; NO_NUMBER or INFINITE for what is so."""
    if not math.isfinite(value):
        return _not_finite(value)
    digits, _, power = f"{value:.1e}".partition("e")
    return f"{digits}·{power_of_ten(int(power))}" if value else "0"


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(power: int) -> str:
    """ "10⁻⁷"."""
    return f"10{str(power).translate(_SUPERSCRIPTS)}"


_MOST_TIMES = 1e9
"""From so many times on a ratio is written with an exponent."""
ERROR_NAME = "error / u·G"
"""What the largest error of a product is called, in tables and charts."""
ERROR_FORMULA = "|C−R| / (u·|A|·|B|)"
"""How the error of an element is counted, in one way everywhere, for a plain product."""
ERROR_MEANING = (
    "how far the worst element of C is from the exact result R, in rounding errors of one float32 operation; a right "
    "kernel, which errs by rounding alone, stays below its bound"
)
"""What it says of a result."""
ERROR_TERMS = (
    "R is the product of the same inputs in float64, or alpha·A·B + beta·C where the kernel computes that; u = 2^-24; "
    "G = |A|·|B|, scaled and added to likewise"
)
"""What the letters of it mean."""


def error_against_bound(error: float, bound: float) -> str:
    """An error as a part of the bound allowed: "error 8 % of the allowed bound", "error 92 000 times the allowed
    bound", "error: not a number".
    """
    if not math.isfinite(error):
        return f"error: {number(error)}"
    part = error / bound if bound > 0 else math.inf if error else 0.0
    if part <= 1:
        return f"error {percent(part, 2)} of the allowed bound"
    if not math.isfinite(part) or f"{part:.2g}" == "1":
        return f"error {'slightly ' if math.isfinite(part) else ''}above the allowed bound"
    times = (
        plain(part, 2) if part < 100 else count(int(float(f"{part:.2g}"))) if part < _MOST_TIMES else scientific(part)
    )
    return f"error {times} times the allowed bound"


def error_formula(error: float, bound: float) -> str:
    """The same as it is counted, for a tooltip: "max |C−R| / (u·|A|·|B|) is 12.3, the allowed bound 64"."""
    return f"max {ERROR_FORMULA} is {number(error)}, the allowed bound {number(bound)}"


def percent(part: float, digits: int = 3) -> str:
    """A part of 1 in per cent with so many significant digits, without zeros at the end: "18.8 %", "50 %", "0.39 %"."""
    return f"{plain(100.0 * part, digits)} %" if math.isfinite(part) else plain(part)


def plain(value: float, digits: int = 3) -> str:
    """A number with so many significant digits, at least all before the point, and no zeros after it that say nothing:
    "1.8", "4", "1 230"; NO_NUMBER or INFINITE for what is so.
    """
    if not math.isfinite(value):
        return _not_finite(value)
    text = _significant(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def size(nbytes: int) -> str:
    """Bytes in binary units: "48 KiB", "4.25 KiB", "12.5 MiB"."""
    value, unit = float(nbytes), "bytes"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    if value >= 100 or value == int(value):
        return f"{_rounded(value, 0)} {unit}"
    return f"{_rounded(value, 2 if value < 10 and 10 * value != int(10 * value) else 1)} {unit}"


def _not_finite(value: float) -> str:
    return NO_NUMBER if math.isnan(value) else INFINITE


def _middle(values: Iterable[float]) -> float:
    """The lower median of those above 0 that are numbers; 0 if there is none."""
    usable = [value for value in values if 0.0 < value < math.inf]
    return statistics.median_low(usable) if usable else 0.0


def _three(value: float) -> str:
    return _significant(value, 3)


def _significant(value: float, digits: int) -> str:
    if value == 0:
        return "0"
    decimals = _decimals(value, digits)
    return _rounded(value, decimals) if decimals else count(int(_rounded(value, 0)))


def _decimals(value: float, digits: int = 3) -> int:
    """How many decimals so many significant digits need."""
    if value == 0:
        return 0
    rounded = float(f"{value:.{digits - 1}e}")  # 9.996 is 10.0
    return max(0, digits - 1 - math.floor(math.log10(abs(rounded))))


def _rounded(value: float, decimals: int) -> str:
    """A number with so many decimals; a half is rounded away from 0, as by hand."""
    places = Decimal(1).scaleb(-decimals)
    return f"{Decimal(repr(float(value))).quantize(places, ROUND_HALF_UP, _EXACT):f}"
