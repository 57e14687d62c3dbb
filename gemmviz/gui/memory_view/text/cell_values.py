"""How the values of an array are written in its cells: all with as many significant digits as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import floor, isfinite, log10

import numpy as np

USUAL_DIGITS, MOST_DIGITS = 3, 6
"""Significant digits where they can be read, and where cells have room to spare."""
LEAST_EXPONENT, MOST_EXPONENT = -3, 5
"""Powers of ten from which, and below which, a value is written without an exponent."""
Pixels = Callable[[int], float]
"""The size in which so many letters fit a cell, in pixels; 0 where they would be too small to read."""


def cell_values(values: Sequence[float], pixels: Pixels) -> tuple[tuple[str, ...], int]:
    """The texts of the values in the cells of one array, and the letters of the longest.

    Where 6 digits or fewer write all of them exactly and can be read, they are written so. Else all have the same
    number of significant digits: 3, more where that costs no size, fewer, or no zero before the point, where 3 could
    not be read. Where the smallest value has no room even so, all have one digit behind the point. ("", ...) where that
    has none: no value is cut.
    """
    found = tuple(dict.fromkeys(values))
    usual = pixels(_longest([digits_text(value, USUAL_DIGITS) for value in found]))
    for digits, write in _WAYS:
        said = {value: write(value) for value in found}
        letters = _longest(said.values())
        size = pixels(letters)
        is_exact = digits is None and all("e" not in text and float(text) == value for value, text in said.items())
        if size and (is_exact if digits is None else digits <= USUAL_DIGITS or size >= usual):
            return tuple(said[value] for value in values), letters
    return ("",) * len(values), 0


def digits_text(value: float, digits: int, *, has_zero: bool = True) -> str:
    """A value rounded to so many significant digits: "0.0336", "12.3", "2.71e-4"; no digit before the point is left
    out, and an integer below 100 000 is written as it is. Without `has_zero`: ".0336".
    """
    if not isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 10**MOST_EXPONENT:
        return str(int(value))
    rounded = f"{value:.{digits - 1}e}"
    exponent = floor(log10(abs(float(rounded))))
    if not LEAST_EXPONENT <= exponent < MOST_EXPONENT:
        mantissa, _, power = rounded.partition("e")
        return f"{mantissa}e{int(power)}"
    text = f"{value:.{max(digits - 1 - exponent, 0)}f}"
    return text if has_zero else _without_zero(text)


def whole_text(value: float) -> str:
    """A value with all its digits, as few as tell it from other float32 (or else float64) numbers."""
    if isfinite(value) and value == int(value) and abs(value) < 10**MOST_EXPONENT:
        return str(int(value))
    with np.errstate(over="ignore"):
        short = np.float32(value)
    return str(short) if float(short) == value else repr(float(value))


def _decimal_text(value: float) -> str:
    """A value with one digit behind the point, without a zero before it: ".9", "12.3"; an integer as it is."""
    return str(int(value)) if isfinite(value) and value == int(value) else _without_zero(f"{value:.1f}")


def _without_zero(text: str) -> str:
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _longest(texts: Iterable[str]) -> int:
    return max(map(len, texts), default=0)


_WAYS: tuple[tuple[int | None, Callable[[float], str]], ...] = (
    (None, lambda value: f"{value:.{MOST_DIGITS}g}"),
    *(
        (digits, partial(digits_text, digits=digits, has_zero=has_zero))
        for digits in range(MOST_DIGITS, 0, -1)
        for has_zero in ((True, False) if digits <= USUAL_DIGITS else (True,))
    ),
    (0, _decimal_text),
)
"""Significant digits, and how a value is written; None for all of its digits."""
