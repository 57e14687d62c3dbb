"""Floating-point results by exact fractions: a second way of computing them, for any format and rounding."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

Number = Fraction | float
"""A finite number as a Fraction; infinities and NaN as float. A zero is -0.0 or 0.0."""


@dataclass(frozen=True)
class Format:
    """Bits of the whole, of the fraction field, and the exponent's bias."""

    bits: int
    fraction: int
    bias: int
    nan: int

    def decode(self, word: int) -> Number:
        sign = -1 if word >> self.bits - 1 else 1
        exponent = word >> self.fraction & (1 << self.bits - 1 - self.fraction) - 1
        digits = word & (1 << self.fraction) - 1
        if exponent == (1 << self.bits - 1 - self.fraction) - 1:
            return math.nan if digits else sign * math.inf
        if exponent == 0 and digits == 0:
            return math.copysign(0.0, sign)
        scale = max(exponent, 1) - self.bias - self.fraction
        return sign * Fraction(digits + ((1 << self.fraction) if exponent else 0)) * Fraction(2) ** scale

    def encode(self, value: Number, mode: str = "rn", negative_zero: bool = False) -> int:
        """The word of a number, rounded to nearest even (rn), to zero (rz), up (rp) or down (rm)."""
        infinity = ((1 << self.bits - 1 - self.fraction) - 1) << self.fraction
        high = 1 << self.bits - 1
        if isinstance(value, float):
            if math.isnan(value):
                return self.nan
            if math.isinf(value):
                return infinity | (high if value < 0 else 0)
            return high if math.copysign(1, value) < 0 else 0
        if value == 0:
            return high if negative_zero else 0
        negative, size = value < 0, abs(value)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        exponent -= int(size < Fraction(2) ** exponent)
        exponent = max(exponent, 1 - self.bias)
        unit = Fraction(2) ** (exponent - self.fraction)
        whole, rest = divmod(size / unit, 1)
        away = {
            "rz": False,
            "rp": not negative and rest > 0,
            "rm": negative and rest > 0,
            "rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1),
        }[mode]
        word = int(whole) + int(away)  # 2^fraction and more when the number is normal
        word += (exponent - 1 + self.bias) << self.fraction
        if word >= infinity:
            to_infinity = mode == "rn" or (mode == "rp" and not negative) or (mode == "rm" and negative)
            word = infinity if to_infinity else infinity - 1
        return word | (high if negative else 0)


F16 = Format(16, 10, 15, 0x7FFF)
BF16 = Format(16, 7, 127, 0x7FFF)
F32 = Format(32, 23, 127, 0x7FFFFFFF)
F64 = Format(64, 52, 1023, 0x7FF8000000000000)


def _is_negative(value: Number) -> bool:
    return math.copysign(1, value) < 0 if isinstance(value, float) else value < 0


def _is_zero(value: Number) -> bool:
    return value == 0


def total(form: Format, a: Number, b: Number, mode: str) -> int:
    """The word of a + b."""
    if isinstance(a, float) and isinstance(b, float) and not (_is_zero(a) or _is_zero(b)):
        return form.encode(a + b)
    for one in (a, b):
        if isinstance(one, float) and not _is_zero(one):
            return form.encode(one)
    if _is_zero(a) and _is_zero(b) and _is_negative(a) == _is_negative(b):
        return form.encode(a)
    exact = (Fraction(0) if _is_zero(a) else Fraction(a)) + (Fraction(0) if _is_zero(b) else Fraction(b))
    return form.encode(exact, mode, negative_zero=mode == "rm")


def product(a: Number, b: Number) -> Number:
    """a * b, exactly."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    sign = -1.0 if _is_negative(a) != _is_negative(b) else 1.0
    if any(isinstance(one, float) and math.isnan(one) for one in (a, b)):
        return math.nan
    if _is_zero(a) or _is_zero(b):
        return math.nan if any(one in (math.inf, -math.inf) for one in (a, b)) else math.copysign(0.0, sign)
    return sign * math.inf


def quotient(a: Number, b: Number) -> Number:
    """a / b, exactly."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a / b
    sign = -1.0 if _is_negative(a) != _is_negative(b) else 1.0
    is_infinite = [one in (math.inf, -math.inf) for one in (a, b)]
    if any(isinstance(one, float) and math.isnan(one) for one in (a, b)) or all(is_infinite):
        return math.nan
    if _is_zero(b):
        return math.nan if _is_zero(a) else sign * math.inf
    if is_infinite[0]:
        return sign * math.inf
    return math.copysign(0.0, sign)


def root(form: Format, a: Number, mode: str) -> int:
    """The word of the square root."""
    if isinstance(a, float):
        return form.encode(a if math.isnan(a) or a >= 0 else math.nan) if a != 0 else form.encode(a)
    if a < 0:
        return form.nan
    scale = 2 ** (2 * (form.fraction + form.bias + 8))
    whole = math.isqrt(a.numerator * scale // a.denominator)
    exact = Fraction(whole, math.isqrt(scale))
    if exact * exact != a:  # somewhere above: half a step of the fine scale decides no rounding
        exact += Fraction(1, 2 * math.isqrt(scale))
    return form.encode(exact, mode)
