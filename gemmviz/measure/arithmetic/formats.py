"""Floating-point formats, rounding to them, and pairs of them in which a kernel may compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from math import inf

from gemmviz.domain.terms import Arithmetic, Element


class BitRounding(Enum):
    """What becomes of bits that do not fit."""

    TO_EVEN = auto()
    """To the nearest, ties to the even one."""
    AWAY = auto()
    """To the nearest, ties away from zero, as `cvt.rna.tf32` does."""
    CUT = auto()
    """They are cut off."""


@dataclass(frozen=True, slots=True)
class Format:
    """`bits` of a significand with its first one, exponents of normal numbers from `least` to `largest`.

    Binary formats: IEEE 754-2019, table 3.5; TF32 and bfloat16: NVIDIA, PTX ISA, chapter 5.2.3.
    """

    name: str
    bits: int
    least: int
    largest: int
    rounding: BitRounding = BitRounding.TO_EVEN

    @property
    def cuts(self) -> bool:
        return self.rounding is BitRounding.CUT

    @property
    def roundoff(self) -> float:
        """The largest relative error of a rounding, without underflow and overflow."""
        return 2.0 ** -(self.bits - 1 if self.cuts else self.bits)

    def round(self, value: Fraction | float) -> Fraction | float:
        """A value as this format holds it; inf and NaN are floats, all others fractions."""
        if isinstance(value, float) or value == 0:
            return value
        above, below = abs(value.numerator), value.denominator
        exponent = above.bit_length() - below.bit_length()
        if (below << exponent if exponent > 0 else below) > (above << -exponent if exponent < 0 else above):
            exponent -= 1
        last = max(exponent, self.least) - self.bits + 1  # the exponent of the last bit
        units = self._whole(above << max(0, -last), below << max(0, last))
        if units.bit_length() + last > self.largest + 1:
            return inf if value > 0 else -inf
        signed = units if value > 0 else -units
        return Fraction(signed << last) if last >= 0 else Fraction(signed, 1 << -last)

    def _whole(self, above: int, below: int) -> int:
        """A quotient of two positive numbers, rounded to a whole number: a Fraction takes several times as long."""
        units, rest = divmod(above, below)
        match self.rounding:
            case BitRounding.TO_EVEN:
                return units + (2 * rest + units % 2 > below)
            case BitRounding.AWAY:
                return units + (2 * rest >= below)
            case BitRounding.CUT:
                return units


FLOAT64 = Format("float64", 53, -1022, 1023)
FLOAT32 = Format("float32", 24, -126, 127)
FLOAT32_CUT = Format("float32, cut off", 24, -126, 127, BitRounding.CUT)
TF32 = Format("TF32", 11, -126, 127)
TF32_AWAY = Format("TF32", 11, -126, 127, BitRounding.AWAY)
TF32_CUT = Format("TF32, cut off", 11, -126, 127, BitRounding.CUT)
BFLOAT16 = Format("bfloat16", 8, -126, 127)
BFLOAT16_CUT = Format("bfloat16, cut off", 8, -126, 127, BitRounding.CUT)
HALF = Format("half", 11, -14, 15)
FORMATS = {Element.FLOAT32: FLOAT32, Element.HALF: HALF, Element.BFLOAT16: BFLOAT16, Element.DOUBLE: FLOAT64}
"""The format of each type of elements."""


@dataclass(frozen=True, slots=True)
class Model:
    """An arithmetic: the format that inputs are rounded to, that in which sums are kept, and that to which each product
    is rounded before it is added, where that has fewer bits than the sums; None for no such rounding.
    """

    inputs: Format
    sums: Format
    products: Format | None = None

    @property
    def words(self) -> str:
        return self.words_for(())

    def words_for(self, stored: Sequence[Format], sums: str = "") -> str:
        """In words, of a kernel whose A and B are `stored` so: inputs that are stored with no more bits than it keeps
        are called by what they are stored in. `sums` says what is known of its sums, where that is not their format.
        """
        name = self.inputs.name
        if stored and min(one.bits for one in stored) <= self.inputs.bits:
            name = stored[0].name if len(set(stored)) == 1 else "they are stored"
        products = f"products rounded to {self.products.name}, " if self.products is not None else ""
        return f"inputs as {name}, {products}sums {sums or f'in {self.sums.name}'}"

    def meets(self, claimed: Arithmetic) -> bool:
        """Whether it is as exact as the arithmetic that a kernel claims. Tensor cores may cut off their sums."""
        inputs, sums = _CLAIMED[claimed]
        may_cut = claimed.is_of_tensor_cores
        if self.products is not None:
            return False
        is_enough = self.sums.bits > sums.bits or (self.sums.bits == sums.bits and (may_cut or not self.sums.cuts))
        return self.inputs.roundoff <= inputs.roundoff and is_enough


_CLAIMED = {
    Arithmetic.FP32: (FLOAT32, FLOAT32),
    Arithmetic.TF32X3: (FLOAT32, FLOAT32),
    Arithmetic.FP64: (FLOAT64, FLOAT64),
    Arithmetic.TF32: (TF32_CUT, FLOAT32),
    Arithmetic.FP16: (HALF, FLOAT32),
    Arithmetic.BF16: (BFLOAT16, FLOAT32),
}
"""What each arithmetic promises; tensor cores cut TF32 inputs off that nobody rounded."""


def claimed_input_bits(claimed: Arithmetic) -> int:
    """The significant bits of inputs that an arithmetic promises to keep, 0 where that is not said in bits: two TF32
    numbers hold most of a float32.
    """
    return 0 if claimed is Arithmetic.TF32X3 else _CLAIMED[claimed][0].bits


MODELS = (
    *(
        Model(inputs, sums)
        for inputs in (FLOAT64, FLOAT32, TF32, TF32_AWAY, TF32_CUT, HALF, BFLOAT16, BFLOAT16_CUT)
        for sums in (FLOAT64, FLOAT32, FLOAT32_CUT, HALF, BFLOAT16)
    ),
    *(Model(one, FLOAT32, one) for one in (HALF, BFLOAT16)),
)
"""The arithmetics that are told apart, the most exact first, and those with products that are rounded alone."""
