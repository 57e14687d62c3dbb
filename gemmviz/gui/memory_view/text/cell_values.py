"""How the values of an array are written in its cells: all with as many decimals as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import floor, isfinite, log10

import numpy as np

USUAL_DIGITS, MOST_DIGITS = 3, 6
"""Significant digits of the largest value where they can be read, and of values that so few write exactly."""
LEAST_EXPONENT, MOST_EXPONENT = -3, 5
"""Powers of ten from which, and below which, a value is written without an exponent."""
Pixels = Callable[[int], float]
"""The size in which so many letters fit a cell, in pixels; 0 where they would be too small to read."""


def cell_values(values: Sequence[float], pixels: Pixels) -> tuple[tuple[str, ...], int]:
    """The texts of the values in the cells of one array, and the letters of the longest.

    Where 6 digits or fewer write all of them exactly and can be read, they are written so. Else all have the same
    number of digits behind the point: as many as give the largest 3 significant ones, or fewer where those could not be
    read. ("", ...) where one digit has no room: no value is cut.
    """
    found = tuple(dict.fromkeys(values))
    exact = {value: f"{value:.{MOST_DIGITS}g}" for value in found}
    ways = [exact] if all("e" not in text and float(text) == value for value, text in exact.items()) else []
    ways += [_texts(found, digits) for digits in range(USUAL_DIGITS, 0, -1)]
    ways.append({value: _decimal_text(value) for value in found})
    for said in ways:
        letters = _longest(said.values())
        if pixels(letters):
            return tuple(said[value] for value in values), letters
    return ("",) * len(values), 0


def _texts(values: Sequence[float], digits: int) -> dict[float, str]:
    """Each value with as many digits behind the point as give the largest so many significant ones; one that would be
    0 so has a digit of its own.
    """
    sizes = [abs(value) for value in values if isfinite(value) and not _is_short(value)]
    if not sizes or not LEAST_EXPONENT <= (exponent := _exponent(max(sizes), digits)) < MOST_EXPONENT:
        return {value: digits_text(value, digits) for value in values}
    decimals = max(digits - 1 - exponent, 0)
    said = {}
    for value in values:
        text = f"{value:.{decimals}f}"
        is_own = not isfinite(value) or _is_short(value) or not float(text)
        said[value] = digits_text(value, 1) if is_own else text
    return said


def _is_short(value: float) -> bool:
    """Whether it is an integer of few digits, which is written as it is."""
    return value == int(value) and abs(value) < 10**MOST_EXPONENT


def _exponent(value: float, digits: int) -> int:
    """The power of ten of the first of so many significant digits."""
    return floor(log10(abs(float(f"{value:.{digits - 1}e}"))))


def digits_text(value: float, digits: int) -> str:
    """A value rounded to so many significant digits: "0.0336", "12.3", "2.71e-4"; no digit before the point is left
    out, and an integer below 100 000 is written as it is.
    """
    if not isfinite(value):
        return str(value)
    if _is_short(value):
        return str(int(value))
    exponent = _exponent(value, digits)
    if not LEAST_EXPONENT <= exponent < MOST_EXPONENT:
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa}e{int(power)}"
    return f"{value:.{max(digits - 1 - exponent, 0)}f}"


def whole_text(value: float) -> str:
    """A value with all its digits, as few as tell it from other float32 (or else float64) numbers."""
    if isfinite(value) and value == int(value) and abs(value) < 10**MOST_EXPONENT:
        return str(int(value))
    with np.errstate(over="ignore"):
        short = np.float32(value)
    return str(short) if float(short) == value else repr(float(value))


def _decimal_text(value: float) -> str:
    """A value with one digit behind the point: "0.9", "12.3"; an integer as it is."""
    return str(int(value)) if isfinite(value) and value == int(value) else f"{value:.1f}"


def _longest(texts: Iterable[str]) -> int:
    return max(map(len, texts), default=0)
