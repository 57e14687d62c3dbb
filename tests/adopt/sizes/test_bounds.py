"""Sizes that follow a rule over two dimensions: a product of them, a number of tiles, squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove.readings import SIZES, ArgumentReading
from gemmviz.adopt.prove.sizes.bounds import limits_of_bounds
from gemmviz.adopt.prove.sizes.judged_sizes import JudgedSizes
from gemmviz.adopt.prove.sizes.size_rules import size_rules_of
from gemmviz.adopt.recordings.races import shape_to_record
from gemmviz.adopt.words import rule_texts, summary_of
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape

PLAIN = Description(
    "f",
    (),
    (),
    ("A", "B", "C", "M", "N", "K"),
    (Storage(), Storage(), Storage(), Storage()),
    ("16", "16"),
    ("ceil_div(N, 16)", "ceil_div(M, 32)"),
)
BASE = Shape(32, 48, 64)


def tiles(size: int, tile: int) -> int:
    return -(-size // tile)


@pytest.mark.parametrize(
    ("grid", "rules"),
    [
        (("1", "N * M"), ["M * N <= 65535"]),
        (("1", "1", "N * K"), ["N * K <= 65535"]),
        (("1", "ceil_div(N, 8) * ceil_div(M, 4)"), ["ceil_div(M, 4) * ceil_div(N, 8) <= 65535"]),
        (("N * M",), []),
        (("ceil_div(N, 16)", "M"), []),
    ],
)
def test_that_the_largest_grid_of_a_gpu_is_a_rule_for_the_sizes_of_a_description(
    grid: tuple[str, ...], rules: list[str]
) -> None:
    described = replace(PLAIN, grid=grid)
    limits = size_rules_of(described, BASE, lambda _: True)
    assert limits is not None
    described = replace(described, rules=limits.rules)
    assert [rule for rule, _ in rule_texts(described)] == rules
    assert all(one.allows(shape) for one in limits.rules for shape in limits.right)


@pytest.mark.parametrize(
    ("is_right", "rules"),
    [
        (lambda s: s.m * s.k <= 65535, ["M * K <= 65535"]),
        (lambda s: s.m * s.k < 40000 and s.n * s.k < 40000, ["M * K <= 39999", "N * K <= 39999"]),
        (lambda s: s.m * s.n <= 20000 and s.k % 4 == 0, ["K % 4 == 0", "M * N <= 20000"]),
        (lambda s: tiles(s.m, 32) * tiles(s.n, 16) <= 64, ["ceil_div(M, 32) * ceil_div(N, 16) <= 64"]),
        (lambda s: tiles(s.m, 32) + tiles(s.n, 16) <= 40, ["ceil_div(M, 32) + ceil_div(N, 16) <= 40"]),
    ],
)
def test_that_a_largest_product_or_number_of_tiles_is_found(
    is_right: Callable[[Shape], bool], rules: list[str]
) -> None:
    limits = limits_of_bounds(PLAIN, BASE, is_right)
    assert limits is not None
    found = replace(PLAIN, rules=limits.rules)
    assert [rule for rule, _ in rule_texts(found)] == rules
    assert "needs" in summary_of(found)
    assert limits.right
    assert all(map(is_right, limits.right))


@pytest.mark.parametrize(
    "is_right",
    [
        lambda s: s.m != s.n,
        lambda s: s.m * s.n * s.k % 7 != 0,
        lambda s: s.m <= s.n,
        lambda s: s.m < 300 or s.k < 300 or s.n < 5,
        lambda s: s.m < 0,
    ],
)
def test_that_sizes_that_follow_no_such_rule_get_none(is_right: Callable[[Shape], bool]) -> None:
    assert limits_of_bounds(PLAIN, BASE, is_right) is None


def test_that_a_size_that_did_not_end_is_no_largest_one() -> None:
    assert limits_of_bounds(PLAIN, BASE, lambda s: True if s.m * s.k < 60000 else None) is None


def test_that_such_a_rule_is_told_of_all_products_at_once_and_kept_by_recordings() -> None:
    rules = (SizeRule("M * K", most=900), SizeRule("N * K", most=900), SizeRule("K", 4))
    found = replace(PLAIN, rules=rules)
    assert summary_of(found).endswith("needs M * K and N * K each of at most 900")
    shape = shape_to_record(found, {"M": 268, "N": 260, "K": 524}, exactly=True)
    assert all(rule.allows(shape) for rule in rules)


def test_that_steps_between_right_sizes_are_those_of_one_dimension() -> None:
    nothing: Any = None
    judged = JudgedSizes(nothing, PLAIN, nothing, 1.0)
    judged.right += [Shape(48, 48, 64), Shape(80, 48, 64), Shape(32, 48, 65), Shape(48, 49, 64)]
    judged.wrong = dict.fromkeys([Shape(33, 48, 64), Shape(32, 50, 64), Shape(16, 48, 64)], "wrong")
    assert judged.steps_from(BASE) == (SizeRule("M", 16), SizeRule("N", 48))


TURNED = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[M == N ? row * N + column : column * M + row] = SUM;
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_for_squares_alone_needs_m_equal_to_n() -> None:
    (found,) = look_at(Path("mm.cu"), TURNED.replace("SUM", "sum"), "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    assert summary_of(found.description) == "C = A·B, needs M = N"


@pytest.mark.usefixtures("nvrtc")
def test_that_sizes_that_were_right_and_wrong_are_named_where_no_rule_is_found() -> None:
    text = TURNED.replace("M == N", "M > 0").replace("SUM", "(M + N + K) % 5 == 2 ? 2 * sum : sum")
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is None
    (reason,) = found.reasons
    assert "wrong at other sizes by a rule that gemmviz does not know, such as " in reason
    assert "; it was right at " in reason
    assert " and wrong at " in reason


PAIRS = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = K / 8 % 2 ? sum : sum * sum;
}
"""


@pytest.mark.slow
@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_that_is_wrong_with_one_k_is_tried_with_another() -> None:
    (found,) = look_at(Path("mm.cu"), PAIRS, "", 120, lambda _: None).found
    assert found.description is None
    (reason,) = found.reasons  # no race: sizes that leave parts of blocks over were not recorded
    assert "right at 128x192x136 with blocks of 16 × 16 threads" in reason
    assert "wrong at other sizes by a rule that gemmviz does not know" in reason


def test_that_another_k_has_an_odd_number_of_tiles() -> None:
    reading = ArgumentReading({3: SIZES["M"], 4: SIZES["N"], 5: SIZES["K"]}, {})
    other = reading.with_other_depth()
    assert other is not None
    assert other.numbers[5] // 8 % 2 == 1
    assert ArgumentReading({3: SIZES["M"]}, {}).with_other_depth() is None
