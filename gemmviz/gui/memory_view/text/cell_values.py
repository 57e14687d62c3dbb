"""How the values of an array are written in its cells: all with as many decimals as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from gemmviz.domain.figures import element_text

USUAL_DIGITS, MOST_DIGITS = 3, 6
"""Decimals of values below 10, and digits of values that are written exactly."""
BECOMES = "→"
"""Between the values of a slot that is read before and after a store: the first one above the second in its cell."""
MOST_EXPONENT = 5
"""The power of ten from which a value is written with an exponent."""
NEARLY_ZERO = "≈0"
"""What is written of a value near zero that is none, where its digits have no room."""
Pixels = Callable[[int], float]
"""The size in which so many letters fit a cell, in pixels; 0 where they would be too small to read."""


@dataclass(frozen=True, slots=True)
class NumberForm:
    """A way in which numbers are written: exactly, or with so many decimals; a small one with an exponent, or as short
    as `decimal_text` has it without `keeps_small`.
    """

    digits: int
    is_exact: bool = False
    keeps_small: bool = True

    @property
    def rank(self) -> tuple[bool, int, bool]:
        """What of two forms the one that says less has more of."""
        return not self.is_exact, -self.digits, not self.keeps_small

    def text(self, value: float) -> str | None:
        """A number in this form; None for one that cannot be written so."""
        return _exact_text(value) if self.is_exact else decimal_text(value, self.digits, keeps_small=self.keeps_small)


EXACT = NumberForm(0, is_exact=True)


def cell_values(
    values: Sequence[float], pixels: Pixels, others: Sequence[float] = (), first: NumberForm | None = None
) -> tuple[tuple[str, ...], int]:
    """The texts of the values in the cells of one array, and the letters of the longest.

    `others` are values that the array has at other times, such as the least and the largest of its matrix: all are
    written in one way and in letters of one size. Where 6 digits or fewer write all of them exactly and can be read,
    they are written so. Else all have the same number of decimals: 3, so that sums can be checked by hand, one less
    for each digit of the largest before its point but the first; fewer where these could not be read, but one at least
    unless the largest has none. A value that would be written as
    zero has an exponent, as far as there is room for it, else no 0 before its point: no value but zero is written as
    zero. ("", ...) where there is no room: no value is cut. With `first` no form is tried that says more: other arrays
    of the picture have room for no more.
    """
    found = tuple(dict.fromkeys((*values, *others)))
    for form in _number_forms(found):
        if first is not None and form.rank < first.rank:
            continue
        texts = _texts_in(form, found, pixels)
        if texts is not None:
            return tuple(texts[value] for value in values), _longest(texts.values())
    return ("",) * len(values), 0


def form_with_room(known: Sequence[float], pixels: Pixels, *, is_exact: bool) -> NumberForm | None:
    """The form in which cells have room for numbers such as those known, as `cell_values` finds it; None if in none.
    Without `is_exact` some other number cannot be written exactly.
    """
    forms = (form for form in _number_forms(known) if is_exact or not form.is_exact)
    return next((form for form in forms if _texts_in(form, known, pixels) is not None), None)


def is_written_exactly(values: Iterable[float]) -> bool:
    """Whether so few digits as a cell has write each of the values exactly."""
    return all(_exact_text(value) is not None for value in values)


def _texts_in(form: NumberForm, values: Sequence[float], pixels: Pixels) -> Mapping[float, str] | None:
    """The texts of values in a form; None where one cannot be written so, or the longest has no room."""
    said = {value: text for value in values if (text := form.text(value)) is not None}
    return said if len(said) == len(values) and pixels(_longest(said.values())) else None


def decimal_text(value: float, digits: int, *, keeps_small: bool = True) -> str:
    """A value rounded to so many decimals: "0.034", "12.3"; an integer as it is, from 100 000 on with an exponent,
    "1e7". What would be zero is "1e-4", without `keeps_small` ".04" or NEARLY_ZERO.
    """
    if not isfinite(value):
        return str(value)
    if abs(value) >= 10**MOST_EXPONENT:
        return _with_exponent(value)
    if value == int(value):
        return element_text(str(int(value)))
    text = f"{value:.{digits}f}"
    if float(text) != 0.0:
        return element_text(text)
    return _with_exponent(value) if keeps_small else _without_zero(value, digits + 2)


def _without_zero(value: float, letters: int) -> str:
    """A value between -1 and 1 without the 0 before its point: ".04"; NEARLY_ZERO where so many letters say 0."""
    sign = "-" if value < 0 else ""
    text = f"{abs(value):.{max(letters - len(sign) - 1, 0)}f}"
    return f"{sign}{text[1:]}" if float(text) else NEARLY_ZERO


def usual_digits(largest: float) -> int:
    """How many decimals values have of which that is the largest."""
    if not isfinite(largest):
        return 0
    return max(USUAL_DIGITS + 1 - len(str(int(abs(largest)))), 0)


def whole_text(value: float) -> str:
    """A value with all its digits, as few as tell it from other float32 (or else float64) numbers."""
    if isfinite(value) and value == int(value) and abs(value) < 10**MOST_EXPONENT:
        return element_text(str(int(value)))
    with np.errstate(over="ignore"):
        short = np.float32(value)
    return element_text(str(short) if float(short) == value else repr(float(value)))


def _number_forms(values: Sequence[float]) -> Iterator[NumberForm]:
    """How all of the values may be written, the best way first."""
    largest = max((abs(value) for value in values if isfinite(value) and abs(value) < 10**MOST_EXPONENT), default=0.0)
    most = usual_digits(largest)
    least = min(most, 1)
    yield EXACT
    for digits in range(most, least - 1, -1):
        yield NumberForm(digits)
    yield NumberForm(least, keeps_small=False)


def _exact_text(value: float) -> str | None:
    text = f"{value:.{MOST_DIGITS}g}"
    return element_text(text) if "e" not in text and float(text) == value else None


def _with_exponent(value: float) -> str:
    mantissa, _, power = f"{value:.0e}".partition("e")
    return f"{mantissa}e{int(power)}"


def _longest(texts: Iterable[str]) -> int:
    return max(map(len, texts), default=0)
