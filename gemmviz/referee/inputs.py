"""The inputs that a kernel is judged with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gemmviz.domain.edge_case_magnitudes import spread_magnitudes
from gemmviz.domain.elements import element_name
from gemmviz.domain.operands import Matrix, Operands, make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill

SEED = 20
"""Of the first random inputs; others count on from here."""
_MOST_PRODUCTS = 128
"""Products of whole numbers in a sum, so that it stays below 256, which every format holds exactly."""

_MOST_QUARTERS = 28
"""Products of halves in a sum, each of 2.25 at most, so that it stays below 64."""


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Inputs with the words for them."""

    words: str
    operands: Operands


def whole_numbers(shape: Shape, seed: int) -> Given:
    """Random whole numbers from -1 to 1, or to 2 where K is small: every partial sum is below 256 and so exact in every
    format and every order. Where K is large, all but 128 columns of A are zero.
    """
    rng = np.random.default_rng(seed)
    most = 2 if shape.k <= _MOST_PRODUCTS // 2 - 1 else 1
    a = rng.integers(-most, most, (shape.m, shape.k), endpoint=True).astype(np.float32)
    b = rng.integers(-most, most, (shape.k, shape.n), endpoint=True).astype(np.float32)
    if shape.k > _MOST_PRODUCTS:
        kept = rng.permutation(shape.k)[:_MOST_PRODUCTS]
        mask = np.zeros(shape.k, bool)
        mask[kept] = True
        a[:, ~mask] = 0.0
    return Given("small whole numbers", Operands(a, b, Fill.INTEGERS, seed))


def halves(shape: Shape, seed: int) -> Given:
    """Random multiples of 0.5 from -1.5 to 1.5, with at most _MOST_QUARTERS columns of A that are not zero: every
    partial sum is a multiple of 0.25 below 64, and so exact in every format and every order.
    """
    rng = np.random.default_rng(seed)
    a, b = (
        (rng.integers(-3, 3, size, endpoint=True) / 2).astype(np.float32)
        for size in ((shape.m, shape.k), (shape.k, shape.n))
    )
    a[:, rng.permutation(shape.k)[_MOST_QUARTERS:]] = 0.0
    return Given("halves and negative halves", Operands(a, b, Fill.INTEGERS, seed))


def random_numbers(shape: Shape, fill: Fill, seed: int) -> Given:
    """The numbers of a fill."""
    return Given(f"{fill} random numbers", make_operands(shape, fill, seed))


def small_numbers(shape: Shape, scale: float, seed: int) -> Given:
    """Uniform random numbers that are multiplied by `scale`."""
    made = make_operands(shape, Fill.UNIFORM, seed)
    factor = np.float32(scale)
    return Given(f"random numbers up to {scale:g}", Operands(made.a * factor, made.b * factor, Fill.UNIFORM, seed))


def magnitudes(shape: Shape, most: int, seed: int) -> Given:
    """Random numbers of both signs whose magnitudes are spread evenly over 2^-most to 2^most."""
    rng = np.random.default_rng(seed)

    def matrix(rows: int, columns: int) -> Matrix:
        made: Matrix = spread_magnitudes((rows, columns), most, rng).astype(np.float32)
        return made

    words = f"magnitudes from 2^-{most} to 2^{most}"
    return Given(words, Operands(matrix(shape.m, shape.k), matrix(shape.k, shape.n), Fill.NORMAL, seed))


def denormal_numbers(shape: Shape, seed: int) -> tuple[Given, Given]:
    """Whole numbers times powers of two, so that every sum is exact: products below 2^-126, and elements of A below it
    whose products are not.
    """
    return _scaled(shape, seed, "denormal results", -70, -70), _scaled(shape, seed, "denormal inputs", -140, 60)


def tiny_numbers(shape: Shape, seed: int) -> tuple[Given, Given]:
    """Whole numbers times powers of two: one matrix far below any threshold for zeros, yet of numbers that keep all
    their bits in float32, and the other one so large that sums are near 1.
    """
    of_a = _scaled(shape, seed, "A of whole numbers times 2^-80, B times 2^80", -80, 80)
    return of_a, _scaled(shape, seed, "A of whole numbers times 2^80, B times 2^-80", 80, -80)


def _scaled(shape: Shape, seed: int, words: str, a: int, b: int) -> Given:
    """Small whole numbers times such powers of two."""
    one = whole_numbers(shape, seed).operands
    return Given(words, Operands(np.ldexp(one.a, a), np.ldexp(one.b, b), Fill.INTEGERS, seed))


def zeros(shape: Shape) -> Given:
    a, b = np.zeros((shape.m, shape.k), np.float32), np.zeros((shape.k, shape.n), np.float32)
    return Given("zeros", Operands(a, b, Fill.INTEGERS))


def ones(shape: Shape) -> Given:
    a, b = np.ones((shape.m, shape.k), np.float32), np.ones((shape.k, shape.n), np.float32)
    return Given("ones", Operands(a, b, Fill.INTEGERS))


def identities(shape: Shape, seed: int) -> tuple[Given, Given]:
    """A and then B with ones on its diagonal and zeros elsewhere, times whole numbers."""
    one = whole_numbers(shape, seed).operands
    diagonal_a = Operands(np.eye(shape.m, shape.k, dtype=np.float32), one.b, Fill.INTEGERS, seed)
    diagonal_b = Operands(one.a, np.eye(shape.k, shape.n, dtype=np.float32), Fill.INTEGERS, seed)
    return Given("A = identity", diagonal_a), Given("B = identity", diagonal_b)


def single_elements(shape: Shape) -> list[Given]:
    """A and B with one element each that is not zero, in corners, in the middle and beside it; others give zeros."""
    found = []
    places = {(0, 0, 0), (shape.m - 1, shape.n - 1, shape.k - 1), (shape.m // 2, shape.n // 3, shape.k // 2)}
    places |= {(shape.m - 1, 0, shape.k // 2), (0, shape.n - 1, shape.k - 1)}
    for i, j, k in sorted(places):
        for name in "AB":
            rest = whole_numbers(shape, 1 + i + j + k).operands
            a, b = rest.a.copy(), rest.b.copy()
            matrix, (row, column) = (a, (i, k)) if name == "A" else (b, (k, j))
            matrix[...] = 0.0
            matrix[row, column] = 3.0
            words = f"only {element_name(name, row, column)} not zero"
            found.append(Given(words, Operands(a, b, Fill.INTEGERS, 1 + i + j + k)))
    return found
