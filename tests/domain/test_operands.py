import hashlib
from fractions import Fraction

import numpy as np
import pytest

from gemmviz.domain.operands import as_bfloat16, integer_limit, make_operands
from gemmviz.domain.shape import MAX_DIMENSION, Shape
from gemmviz.domain.terms import Fill

SHAPE = Shape(33, 17, 9)
SEEDED = (Fill.UNIFORM, Fill.NORMAL, Fill.INTEGERS, Fill.INTEGERS_2147)


def digest(fill: Fill, seed: int) -> str:
    operands = make_operands(SHAPE, fill, seed)
    both = b"".join(matrix.astype("<f4").tobytes() for matrix in (operands.a, operands.b))
    return hashlib.sha256(both).hexdigest()[:16]


@pytest.mark.parametrize("fill", Fill)
@pytest.mark.parametrize("shape", [SHAPE, Shape(1, 1, 1), Shape(1, 40, 3), Shape(5, 1, 2)], ids=str)
def test_that_every_fill_gives_float32_matrices_of_the_shape(fill: Fill, shape: Shape) -> None:
    operands = make_operands(shape, fill, 0)
    assert operands.a.shape == (shape.m, shape.k)
    assert operands.b.shape == (shape.k, shape.n)
    for matrix in (operands.a, operands.b):
        assert matrix.dtype == np.float32
        assert matrix.flags.c_contiguous
        assert np.isfinite(matrix).all()


@pytest.mark.parametrize(
    ("fill", "expected"),
    [
        (Fill.UNIFORM, "c3d69e9d3d7200b9"),
        (Fill.NORMAL, "a10ac903f10b583f"),
        (Fill.INTEGERS, "920fb886553ddc33"),
        (Fill.INTEGERS_2147, "e0965d27758674dd"),
    ],
)
def test_that_a_seed_gives_the_same_bits_everywhere(fill: Fill, expected: str) -> None:
    assert digest(fill, 42) == expected


@pytest.mark.parametrize("fill", SEEDED)
def test_that_another_seed_gives_other_matrices(fill: Fill) -> None:
    assert len({digest(fill, seed) for seed in (0, 1, 2**63)}) == 3


@pytest.mark.parametrize("fill", SEEDED)
def test_that_a_and_b_differ(fill: Fill) -> None:
    operands = make_operands(Shape(8, 8, 8), fill, 3)
    assert not np.array_equal(operands.a, operands.b)


def test_that_blocks_do_not_show_in_a_long_matrix() -> None:
    shape = Shape(1, 1, 2**20 + 3)
    a = make_operands(shape, Fill.INTEGERS_2147, 5).a[0]
    drawn = np.random.Generator(np.random.PCG64(5)).integers(2148, size=shape.k, dtype=np.uint32)
    np.testing.assert_array_equal(a, drawn)
    assert make_operands(shape, Fill.COUNTING, 0).a[0, -1] == shape.k


def test_that_uniform_numbers_fill_zero_to_one() -> None:
    a = make_operands(Shape(300, 1, 300), Fill.UNIFORM, 0).a
    assert 0.0 <= a.min() < 0.001
    assert 0.999 < a.max() < 1.0
    assert a.mean() == pytest.approx(0.5, abs=0.01)


def test_that_normal_numbers_have_mean_0_and_deviation_1() -> None:
    a = make_operands(Shape(300, 1, 300), Fill.NORMAL, 0).a.astype(np.float64)
    assert a.mean() == pytest.approx(0.0, abs=0.02)
    assert a.std() == pytest.approx(1.0, abs=0.02)
    assert (np.abs(a) > 1.96).mean() == pytest.approx(0.05, abs=0.005)


def test_that_a_ramp_goes_from_0_to_1_in_even_steps() -> None:
    operands = make_operands(Shape(2, 3, 4), Fill.RAMP, 0)
    for matrix in (operands.a, operands.b):
        expected = [np.float32(float(Fraction(i, matrix.size - 1))) for i in range(matrix.size)]
        assert matrix.ravel().tolist() == expected


def test_that_the_ramp_of_a_single_element_is_0() -> None:
    assert make_operands(Shape(1, 2, 1), Fill.RAMP, 0).a.tolist() == [[0.0]]
    assert make_operands(Shape(1, 2, 1), Fill.RAMP, 0).b.tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize(
    ("fill", "a", "b"),
    [
        (Fill.ONES, [[1, 1], [1, 1], [1, 1]], [[1, 1, 1, 1], [1, 1, 1, 1]]),
        (Fill.COUNTING, [[1, 2], [3, 4], [5, 6]], [[1, 2, 3, 4], [5, 6, 7, 8]]),
        (Fill.ROW_COLUMN, [[0, 0], [1, 1], [2, 2]], [[0, 1, 2, 3], [0, 1, 2, 3]]),
        (Fill.INDEX_TWOS, [[0, 1], [2, 3], [4, 5]], [[2, 2, 2, 2], [2, 2, 2, 2]]),
    ],
)
def test_that_the_tutorials_fills_are_theirs(fill: Fill, a: list[list[int]], b: list[list[int]]) -> None:
    operands = make_operands(Shape(3, 4, 2), fill, 0)
    assert operands.a.tolist() == a
    assert operands.b.tolist() == b


def test_that_the_dot_preset_sums_to_the_tutorials_figure() -> None:
    operands = make_operands(Shape(1, 1, 1024), Fill.INDEX_TWOS, 0)
    assert (operands.a.astype(np.float64) @ operands.b).item() == 1_047_552


@pytest.mark.parametrize("k", [1, 2, 3, 17, 1055, 2**12, 2**22, 2**23 + 1, MAX_DIMENSION - 1])
def test_that_integers_stay_exact_and_no_larger_ones_would(k: int) -> None:
    limit = integer_limit(k)
    assert limit >= 1
    assert k * limit**2 < 2**24 <= k * (limit + 1) ** 2


def test_that_the_longest_k_still_has_ones() -> None:
    assert integer_limit(MAX_DIMENSION) == 1


@pytest.mark.parametrize(("k", "limit"), [(9, 1365), (2**22, 1)])
def test_that_integers_use_their_whole_range(k: int, limit: int) -> None:
    a = make_operands(Shape(2 if k > 1000 else 3000, 1, k), Fill.INTEGERS, 1).a
    assert (a.min(), a.max()) == (0, limit)
    assert np.array_equal(a, np.floor(a))


def test_that_integers_2147_reach_from_0_to_2147() -> None:
    a = make_operands(Shape(300, 1, 300), Fill.INTEGERS_2147, 0).a
    assert (a.min(), a.max()) == (0, 2147)


def test_that_a_negative_seed_is_refused_with_its_value() -> None:
    with pytest.raises(ValueError, match=r"seed is -1: give a whole number of 0 or more"):
        make_operands(SHAPE, Fill.ONES, -1)


@pytest.mark.parametrize(
    ("value", "bits"),
    [
        (1.0, 0x3F80),
        (-2.5, 0xC020),
        (1.0 + 2.0**-8, 0x3F80),  # a tie, to even
        (1.0 + 3 * 2.0**-8, 0x3F82),  # a tie, to even
        (1.0 + 2.0**-8 + 2.0**-20, 0x3F81),
        (3.4028235e38, 0x7F80),  # beyond the largest
        (float("inf"), 0x7F80),
        (1e-45, 0x0000),
        (-0.0, 0x8000),
    ],
)
def test_that_bfloat16_is_rounded_to_nearest_with_ties_to_even(value: float, bits: int) -> None:
    assert as_bfloat16(np.full((1, 3), value, np.float32)).tolist() == [[bits] * 3]


def test_that_a_nan_stays_one_in_bfloat16() -> None:
    payloads = np.array([[0x7F800001, 0xFFFFFFFF, 0x7FC00000]], np.uint32).view(np.float32)
    as_float = (as_bfloat16(payloads).astype(np.uint32) << 16).view(np.float32)
    assert np.isnan(as_float).all()
