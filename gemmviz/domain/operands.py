"""The inputs of a product: A and B, made from a fill and a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill

Matrix = NDArray[np.float32]
"""Shape (rows, columns), C-contiguous."""

LARGEST_2147 = 2147
"""The tutorial divides rand() by 10^6, and 2^31 - 1 by 10^6 is 2147."""

_EXACT = 2**24
"""Up to here a float32 holds every whole number."""

_BLOCK_ELEMENTS = 2**20


@dataclass(frozen=True, slots=True, eq=False)
class Operands:
    """A of shape (M, K) and B of shape (K, N), float32, C-contiguous; `fill` and `seed` say what else is random."""

    a: Matrix
    b: Matrix
    fill: Fill = Fill.UNIFORM
    seed: int = 0

    def random_c(self) -> Matrix:
        """What a C that begins random holds, shape (M, N): uniform in [0, 1), or where A and B hold whole numbers, some
        from 0 to 15. The same fill and seed give the same bits everywhere, and other ones than A and B have.
        """
        rng = np.random.Generator(np.random.PCG64([self.seed, 1]))
        c = np.empty((self.a.shape[0], self.b.shape[1]), np.float32)
        if self.fill in (Fill.UNIFORM, Fill.NORMAL, Fill.RAMP):
            rng.random(out=c, dtype=np.float32)
        else:
            _fill_blocks(c, lambda start, stop: rng.integers(15, size=stop - start, dtype=np.uint32, endpoint=True))
        return c


def make_operands(shape: Shape, fill: Fill, seed: int) -> Operands:
    """A and B as `fill` says; `Fill` has the words for each.

    The seeded fills draw A and then B, each in row-major order, from one PCG64 generator (O'Neill,
    HMC-CS-2014-0905) as NumPy seeds it. The same seed gives the same bits everywhere; the other fills take
    no notice of it.
    Index fills are computed in float64 and rounded once. Check the memory first (`gemmviz.domain.memory`).

    Raises:
        ValueError: the seed is negative.
        MemoryError: the matrices do not fit.
    """
    if seed < 0:
        raise ValueError(f"the seed is {seed}: give a whole number of 0 or more")
    a = np.empty((shape.m, shape.k), dtype=np.float32)
    b = np.empty((shape.k, shape.n), dtype=np.float32)
    rng = np.random.Generator(np.random.PCG64(seed))
    match fill:
        case Fill.UNIFORM:
            rng.random(out=a, dtype=np.float32)
            rng.random(out=b, dtype=np.float32)
        case Fill.NORMAL:
            # Drawn in float64: the tails go through the platform's log1p, whose last bit the rounding hides.
            _fill_each(a, b, lambda start, stop: rng.standard_normal(stop - start))
        case Fill.INTEGERS:
            _fill_with_integers(rng, integer_limit(shape.k), a, b)
        case Fill.INTEGERS_2147:
            _fill_with_integers(rng, LARGEST_2147, a, b)
        case Fill.RAMP:
            _fill_blocks(a, lambda start, stop: _indices(start, stop) / max(1, a.size - 1))
            _fill_blocks(b, lambda start, stop: _indices(start, stop) / max(1, b.size - 1))
        case Fill.COUNTING:
            _fill_each(a, b, lambda start, stop: _indices(start + 1, stop + 1))
        case Fill.INDEX_TWOS:
            _fill_blocks(a, _indices)
            b[...] = 2.0
        case Fill.ROW_COLUMN:
            a[...] = np.arange(shape.m, dtype=np.float32)[:, np.newaxis]
            b[...] = np.arange(shape.n, dtype=np.float32)
        case Fill.ONES:
            a[...] = 1.0
            b[...] = 1.0
    return Operands(a, b, fill, seed)


def as_bfloat16(matrix: Matrix) -> NDArray[np.uint16]:
    """The bits of each element in bfloat16, of the same shape: rounded to nearest, ties to even; a NaN stays one.

    A block of rows at a time, so that temporaries stay small beside the matrix.
    """
    flat = np.ascontiguousarray(matrix).reshape(-1).view(np.uint32)
    out = np.empty(flat.size, np.uint16)
    for start in range(0, flat.size, _BLOCK_ELEMENTS):
        bits = flat[start : start + _BLOCK_ELEMENTS]
        halfway = np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
        upper = (bits + halfway) >> np.uint32(16)
        is_nan = (bits & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)
        out[start : start + bits.size] = np.where(is_nan, (bits >> np.uint32(16)) | np.uint32(0x40), upper)
    return out.reshape(matrix.shape)


def integer_limit(k: int) -> int:
    """The largest whole number x, at least 1, for which K products x·x sum to less than 2^24.

    For the largest K, 2^24, the limit is 1 and the sum at most 2^24, which a float32 holds exactly too.
    """
    return max(1, isqrt((_EXACT - 1) // k))


_Values = Callable[[int, int], NDArray[np.float64] | NDArray[np.uint32]]
"""The elements from index `start` up to `stop` in row-major order, shape (stop - start,)."""


def _fill_with_integers(rng: np.random.Generator, largest: int, a: Matrix, b: Matrix) -> None:
    # 32-bit draws leave nothing over between two calls, so the stream does not depend on the blocks.
    _fill_each(a, b, lambda start, stop: rng.integers(largest, size=stop - start, dtype=np.uint32, endpoint=True))


def _fill_each(a: Matrix, b: Matrix, values: _Values) -> None:
    _fill_blocks(a, values)
    _fill_blocks(b, values)


def _fill_blocks(matrix: Matrix, values: _Values) -> None:
    """In blocks, so that a float64 temporary stays small beside the matrix."""
    flat = matrix.reshape(-1)
    for start in range(0, flat.size, _BLOCK_ELEMENTS):
        stop = min(start + _BLOCK_ELEMENTS, flat.size)
        flat[start:stop] = values(start, stop)


def _indices(start: int, stop: int) -> NDArray[np.float64]:
    return np.arange(start, stop, dtype=np.float64)
