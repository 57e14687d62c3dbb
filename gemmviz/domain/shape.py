"""The size of a product C[M,N] = A[M,K] · B[K,N]."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gemmviz.domain.figures import count
from gemmviz.domain.session.field_ranges import Dimension

MAX_DIMENSION = 2**24
"""Largest M, N or K. Up to here a float32 counts every index exactly, which ramps and integer fills rely on."""

MAX_ELEMENTS = 2**31 - 1
"""Most elements in one matrix: kernels compute `row * K + k` in a 32-bit int, as the tutorials do."""

_IN_PROSE = re.compile(r"(?<![\w.])\d+x\d+x\d+(?![\w])")
_FORM = re.compile(r"(-?\d+)[xX×](-?\d+)[xX×](-?\d+)", re.ASCII)


class ShapeError(ValueError):
    """A size that no run can have; the message names it and says what would be right."""


@dataclass(frozen=True, slots=True)
class Shape:
    """M, N and K, in elements.

    Raises:
        ShapeError: a dimension is no integer, is below 1 or above MAX_DIMENSION, or a matrix
            would have more than MAX_ELEMENTS elements.
    """

    m: Dimension
    n: Dimension
    k: Dimension

    def __post_init__(self) -> None:
        for name, value in (("M", self.m), ("N", self.n), ("K", self.k)):
            if isinstance(value, bool) or not isinstance(value, int):
                raise ShapeError(f"{name} is {value!r}: give a whole number")
            if not 1 <= value <= MAX_DIMENSION:
                raise ShapeError(f"{name} is {value}: give a whole number from 1 to {MAX_DIMENSION}")
        for name, rows, columns in (("A", self.m, self.k), ("B", self.k, self.n), ("C", self.m, self.n)):
            if rows * columns > MAX_ELEMENTS:
                raise ShapeError(
                    f"{self} makes {name} {count(rows)}×{count(columns)} = {count(rows * columns)} elements: "
                    f"at most {count(MAX_ELEMENTS)} fit the kernels' 32-bit index"
                )

    @classmethod
    def parse(cls, text: str) -> Shape:
        """Read `MxNxK`, for instance `512x512x256`.

        Raises:
            ShapeError: the text has another form, or the size is out of range.
        """
        match = _FORM.fullmatch(text)
        if match is None:
            raise ShapeError(f"{text!r} is not a size: write MxNxK with whole numbers, for instance 512x512x256")
        m, n, k = match.groups()
        digits = max(len(part) for part in (m, n, k))
        if digits > 20:
            raise ShapeError(f"a dimension with {digits} digits is too large: at most {MAX_DIMENSION}")
        return cls(int(m), int(n), int(k))

    @property
    def flop(self) -> int:
        """Floating-point operations of the product, 2·M·N·K (a multiply and an add per term)."""
        return 2 * self.m * self.n * self.k

    @property
    def words(self) -> str:
        """As the window and pictures write it: "512×512×256". `str` gives it as the command line takes it."""
        return f"{self.m}×{self.n}×{self.k}"

    def __str__(self) -> str:
        return f"{self.m}x{self.n}x{self.k}"


def with_times_signs(text: str) -> str:
    """A text with the sizes in it as a person reads them: "at 64x64x64" becomes "at 64×64×64"."""
    return _IN_PROSE.sub(lambda size: size.group().replace("x", "×"), text)
