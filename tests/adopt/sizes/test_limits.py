"""Rules for sizes are found by trying, and none is told that sizes break."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.look import look_at
from gemmviz.adopt.outcome import AdoptOutcome, outcome_of
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.sizes.elements import limits_of_elements
from gemmviz.adopt.prove.sizes.examples import with_examples, with_guards, with_remainders
from gemmviz.adopt.prove.sizes.judged_sizes import JudgedSizes
from gemmviz.adopt.prove.sizes.limits import limits_of
from gemmviz.adopt.reasons import Reason
from gemmviz.adopt.words import rule_texts, summary_of, verdict_words
from gemmviz.domain.edge_case_sizes import FORMS, LONG, ODD
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Layout

PLAIN = Description(
    "f",
    (),
    (),
    ("M", "N", "K", "alpha", "A", "B", "beta", "C"),
    (Storage(), Storage(), Storage(), Storage()),
    ("16",),
    ("1",),
)
BASE = Shape(256, 384, 128)


@pytest.mark.parametrize(
    ("is_right", "rules"),
    [
        (lambda s: s.m > 0, [1, 1, 1]),
        (lambda s: s.m % 64 == 0 and s.k % 4 == 0, [64, 1, 4]),
        (lambda s: s.n % 128 == 0, [1, 128, 1]),
    ],
)
def test_that_the_least_multiples_that_work_are_found(is_right: Callable[[Shape], bool], rules: list[int]) -> None:
    found = limits_of(PLAIN, BASE, is_right)
    assert found is not None
    assert [rule.multiple for rule in found.rules] == rules
    assert [rule.least for rule in found.rules] == [1, 1, 1]


@pytest.mark.parametrize(
    "is_right",
    [
        lambda s: s.m != s.n,
        lambda s: s.k != s.m or s.k == 1,
        lambda s: s.m % 16 != 8 and s.n % 16 != 8,
        lambda s: s.m <= s.n + 500,
        lambda s: not (s.m > 700 and s.n > 700),
        lambda s: not (s.m == s.n == s.k and s.m > 64),
        lambda s: s.m * s.n <= 18000 or s.k > 20,
        lambda s: s.n % (8 if s.n > 1024 else 4) == 0,
        lambda s: bool(s.m % 128 or s.n % 128),
        lambda s: bool(s.m % 128 or s.k % 128),
        lambda s: s.k % 32 != 29,
        lambda s: s.m % 32 != 11,
        lambda s: s.n % 32 != 22,
        lambda s: min(s.m, s.n, s.k) <= 300,
    ],
    ids=(
        "M = N",
        "K = M",
        "remainder 8",
        "M beyond N",
        "far corner",
        "cubes",
        "many elements",
        "N beyond 1024",
        "tiles of C",
        "tiles of A",
        "K = 29",
        "M = 11",
        "N = 22",
        "all large",
    ),
)
def test_that_a_coincidence_at_some_sizes_is_no_rule(is_right: Callable[[Shape], bool]) -> None:
    assert limits_of(PLAIN, Shape(64, 96, 128), is_right) is None


def test_that_all_dimensions_are_tried_large_at_once_until_one_size_takes_too_long() -> None:
    def found(slow: int) -> set[Shape]:
        limits = limits_of(PLAIN, Shape(64, 96, 128), lambda s: None if min(s.m, s.n, s.k) > slow else True)
        assert limits is not None
        return {one for one in limits.right if min(one.m, one.n, one.k) > 256}

    assert found(2048) == {Shape(301, 309, 307), Shape(520, 528, 516)}
    assert found(400) == {Shape(301, 309, 307)}
    assert not found(300)


def test_that_a_size_that_took_too_long_is_no_bound() -> None:
    found = limits_of(PLAIN, BASE, lambda s: None if s.k >= 1024 else True)
    assert found is not None
    assert [rule.most for rule in found.rules] == [0, 0, 0]
    wrong = limits_of(PLAIN, BASE, lambda s: None if s.k >= 2048 else s.k <= 512)
    assert wrong is not None
    assert [rule.most for rule in wrong.rules] == [0, 0, 512]


def test_that_beside_a_large_fixed_size_no_product_is_tried_that_takes_minutes() -> None:
    tried: list[Shape] = []
    found = limits_of(replace(PLAIN, fixed=(("N", 4096),)), Shape(32, 4096, 128), lambda one: tried.append(one) is None)
    assert found is not None
    assert [(rule.dimension, rule.multiple, rule.least, rule.most) for rule in found.rules] == [
        ("M", 1, 1, 0),
        ("K", 1, 1, 0),
    ]
    large = [one for one in tried if max(one.m, one.k) >= 512]
    assert {Shape(LONG, 4096, 3), Shape(3, 4096, LONG)} <= {*large}
    assert max(one.m * one.n * one.k for one in large) <= 1 << 26
    tried.clear()
    fixed = (("N", 4096), ("K", 4096))
    assert limits_of(replace(PLAIN, fixed=fixed), Shape(16, 4096, 4096), lambda one: tried.append(one) is None)
    assert max(one.m for one in tried) <= 32


def test_that_a_first_size_beyond_the_largest_tried_is_no_bound() -> None:
    found = limits_of(PLAIN, Shape(256, 3072, 128), lambda s: s.n > 0)
    assert found is not None
    assert found.rules[1].most == 0


def test_that_a_least_size_is_found() -> None:
    found = limits_of(PLAIN, BASE, lambda s: s.k % 8 == 0 and s.k >= 16)
    assert found is not None
    assert found.rules[2] == SizeRule("K", 8, 16)


def test_that_a_largest_size_is_found() -> None:
    found = limits_of(PLAIN, BASE, lambda s: s.k <= 600)
    assert found is not None
    assert found.rules == (SizeRule("M"), SizeRule("N"), SizeRule("K", most=600))
    described = replace(PLAIN, rules=found.rules)
    assert summary_of(described) == "C = alpha·A·B + beta·C, needs K of at most 600"
    assert [rule for rule, _ in rule_texts(described)] == ["K <= 600"]


def test_that_a_bound_beyond_every_size_but_the_longest_is_found() -> None:
    found = limits_of(PLAIN, BASE, lambda s: s.k <= 4096)
    assert found is not None
    assert found.rules[2] == SizeRule("K", most=4096)


def test_that_the_sizes_that_the_referee_examines_are_tried() -> None:
    tried: set[Shape] = set()

    def is_right(shape: Shape) -> bool:
        tried.add(shape)
        return True

    assert limits_of(PLAIN, BASE, is_right) is not None
    assert {Shape(*one) for one in (*ODD, *FORMS)} <= tried
    assert {max(getattr(one, name) for one in tried) for name in "mnk"} == {LONG}


@pytest.mark.parametrize(
    "is_right",
    [
        lambda s: not (s.m == s.n == s.k and s.m % 32 == 0 and s.k % 64),
        lambda s: bool(s.m % 256 or s.n % 256 or s.k % 64),
    ],
    ids=("cubes", "large tiles"),
)
def test_that_a_faster_way_for_cubes_or_large_tiles_is_tried(is_right: Callable[[Shape], bool]) -> None:
    assert limits_of(PLAIN, Shape(128, 192, 64), is_right) is None


def test_that_a_wrong_size_is_named_once() -> None:
    wrong = {Shape(32, 32, 32): "wrong"}
    sizes = JudgedSizes(cast(CompiledKernel, None), PLAIN, cast(SearchLog, None), 1.0, [BASE], wrong, Reason("wrong"))
    assert sizes.fault.words == "wrong; it was right at 256x384x128, too"


@pytest.mark.parametrize(
    ("most", "multiple", "told"), [(387, 1, 387), (388, 1, 388), (1500, 16, 1488), (2047, 1, 2047)]
)
def test_that_the_largest_size_is_told_to_the_last_multiple(most: int, multiple: int, told: int) -> None:
    tried: list[int] = []

    def is_right(shape: Shape) -> bool:
        tried.append(shape.n)
        return shape.n <= most and shape.n % multiple == 0

    found = limits_of(PLAIN, BASE, is_right)
    assert found is not None
    assert found.rules[1] == SizeRule("N", multiple, most=told)
    assert {told, told + multiple} <= set(tried)


def test_that_multiples_need_not_be_powers_of_two() -> None:
    found = limits_of(PLAIN, Shape(192, 384, 128), lambda s: s.m % 96 == 0)
    assert found is not None
    assert found.rules[0] == SizeRule("M", 96)


def test_that_no_rule_is_told_where_sizes_fail_together() -> None:
    assert limits_of(PLAIN, BASE, lambda s: s.m % 2 == 0 or s.n % 2 == 0) is None
    assert limits_of(PLAIN, BASE, lambda s: s == BASE) is None


def test_that_dimensions_that_must_be_equal_change_together() -> None:
    square = replace(PLAIN, equal=(("M", "N"), ("M", "K")))
    tried: list[Shape] = []

    def is_right(shape: Shape) -> bool:
        tried.append(shape)
        return shape.m % 16 == 0

    found = limits_of(square, Shape(128, 128, 128), is_right)
    assert found is not None
    assert found.rules == (SizeRule("M", 16),)
    assert all(shape.m == shape.n == shape.k for shape in tried)


def test_that_a_description_is_said_in_one_sentence() -> None:
    turned = Storage(Element.FLOAT32, Layout.COLUMN)
    rules = (SizeRule("M", 128), SizeRule("N", 128), SizeRule("K", 8, 16))
    described = replace(PLAIN, storages=(Storage(), turned, Storage(), Storage()), rules=rules)
    assert summary_of(described) == (
        "C = alpha·A·B + beta·C, B column-major, needs M and N in multiples of 128 and K of 8, needs K of at least 16"
    )
    assert [rule for rule, _ in rule_texts(described)] == ["M % 128 == 0", "N % 128 == 0", "K % 8 == 0", "K >= 16"]
    half = Storage(Element.HALF, Layout.COLUMN)
    of_half = replace(PLAIN, arguments=("A", "B", "C", "M"), storages=(half, half, half, half), equal=(("M", "N"),))
    assert summary_of(of_half) == "C = A·B, all matrices column-major, all matrices in half, needs M = N"
    assert summary_of(PLAIN) == "C = alpha·A·B + beta·C, takes every size that was tried"


@pytest.mark.usefixtures("nvrtc")
def test_that_a_rule_for_the_number_of_elements_is_proven_and_a_launch_that_rounds_down_is_told_as_it_is() -> None:
    text = """__global__ void flat(const float *A, const float *B, float *C, int M, int N, int K) {
    int i = blockIdx.x * 256 + threadIdx.x, row = i / N, col = i % N;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[i] = sum;
}
void run(float *a, float *b, float *c, int M, int N, int K) { flat<<<M * N / 256, 256>>>(a, b, c, M, N, K); }
"""
    (found,) = look_at(Path("flat.cu"), text, "", 60.0, print).found
    assert found.description is not None
    assert summary_of(found.description) == "C = A·B, needs M * N in multiples of 256"
    assert rule_texts(found.description)[0][0] == "M * N % 256 == 0"
    assert found.because[-1] == "the grid: line 7 launches M * N // 256 blocks, as many at the sizes that it takes"


FLAT = replace(PLAIN, grid=("ceil_div(M * N, 256)",))


@pytest.mark.parametrize(
    ("is_right", "rules"),
    [
        (lambda s: s.m * s.n % 256 == 0, (SizeRule("M * N", 256), SizeRule("K"))),
        (lambda s: s.m * s.n % 64 == 0 and s.k % 8 == 0, (SizeRule("M * N", 64), SizeRule("K", 8))),
        (lambda s: s.m * s.n % 256 == 0 and s.m != s.n, None),
        (lambda s: s.n % 256 == 0, None),
        (lambda _: True, None),
    ],
)
def test_that_a_rule_for_the_number_of_elements_leaves_out_what_is_wrong_alone(
    is_right: Callable[[Shape], bool], rules: tuple[SizeRule, ...] | None
) -> None:
    found = limits_of_elements(FLAT, is_right)
    assert (found.rules if found is not None else None) == rules
    assert limits_of_elements(PLAIN, is_right) is None, "its grid is told by another number"


def test_that_a_kernel_that_counts_in_16_bits_is_tried_beyond_them() -> None:
    def is_right(shape: Shape) -> bool:
        return shape.m <= 65535 and shape.n <= 32767

    counting = limits_of(PLAIN, BASE, is_right, has_16_bits=True)
    assert counting is not None
    assert {one.dimension: one.most for one in counting.rules} == {"M": 65535, "N": 32767, "K": 0}
    plain = limits_of(PLAIN, BASE, is_right)
    assert plain is not None
    assert not any(one.most for one in plain.rules)


def test_that_a_multiple_has_the_smallest_wrong_size_that_it_alone_leaves_out_as_its_example() -> None:
    rules = (SizeRule("M", 16), SizeRule("N"), SizeRule("K", 8))
    wrong = [Shape(33, 16, 16), Shape(17, 16, 16), Shape(1, 1, 1), Shape(16, 16, 12)]
    m, n, k = with_examples(rules, {one: f"so at {one}" for one in wrong})
    assert (m.example, n.example, k.example) == ("17x16x16", "", "16x16x12")
    assert (m.fault, n.fault, k.fault) == ("so at 17x16x16", "", "so at 16x16x12")
    described = replace(PLAIN, rules=(m, n, k))
    assert rule_texts(described) == [("M % 16 == 0", "wrong at 17x16x16"), ("K % 8 == 0", "wrong at 16x16x12")]


def test_that_too_small_a_size_is_no_example_of_one_that_is_no_multiple() -> None:
    (rule,) = with_examples([SizeRule("K", 8, least=16)], {Shape(16, 16, 8): "past the end of A"})
    assert (rule.example, rule.fault) == ("", "")
    (rule,) = with_examples([SizeRule("K", 8, least=16)], dict.fromkeys((Shape(16, 16, 8), Shape(16, 16, 17)), "wrong"))
    assert rule.example == "16x16x17"


@pytest.mark.parametrize(
    ("wrong", "remainders"), [({2, 3}, (2, 3)), ({1, 2, 3}, ()), ({2, 3, 6}, ()), ({2, 3, 6, 7}, (2, 3))]
)
def test_that_remainders_that_go_wrong_are_told_where_others_are_right(
    wrong: set[int], remainders: tuple[int, ...]
) -> None:
    def is_right(shape: Shape) -> bool:
        return (shape.k - BASE.k) % (8 if max(wrong) > 4 else 4) not in wrong

    known = [Shape(BASE.m, BASE.n, BASE.k + 1)] if 1 not in wrong else []
    (rule,) = with_remainders([SizeRule("K", 4)], BASE, known, is_right)
    assert rule.remainders == remainders


def test_that_a_rule_of_remainders_is_a_doubt_and_refuses_no_size_that_is_right() -> None:
    rule = SizeRule("K", 4, example="8x8x6", remainders=(2, 3))
    assert [rule.allows(Shape(8, 8, k)) for k in (4, 5, 6, 7)] == [True, True, False, False]
    described = replace(PLAIN, rules=(rule,))
    assert rule_texts(described) == [("K % 4 != 2 and K % 4 != 3", "wrong at 8x8x6")]
    assert "needs" not in summary_of(described)
    assert "wrong where K leaves 2 or 3 when divided by 4" in summary_of(described)
    assert outcome_of(described) is AdoptOutcome.RIGHT_WITH_DOUBTS
    assert verdict_words(described).startswith("right, but wrong where K leaves 2 or 3 when divided by 4, as at 8x8x6,")


NAMES = ("m", "n", "k", "alpha", "A", "B", "beta", "C")


@pytest.mark.parametrize(
    ("rule", "guards", "line"),
    [
        (SizeRule("M", 8, example="9x1x1"), {"m": 5}, 5),
        (SizeRule("M", 16, example="17x1x1"), {"m": 5}, 5),
        (SizeRule("M", 8, example="9x1x1"), {"n": 5}, 0),
        (SizeRule("M", 4, example="9x1x1"), {"m": 5}, 0),
        (SizeRule("M", 8), {"m": 5}, 0),
        (SizeRule("K", 8, example="1x1x9"), {"k": 7}, 7),
        (SizeRule("K", 4, example="1x1x9"), {"k": 7}, 0),
    ],
    ids=("guarded", "several blocks", "another guard", "part of a block", "right", "tiles of K", "a vector of K"),
)
def test_that_a_guard_that_no_allowed_size_needs_leaves_a_rule_in_doubt(
    rule: SizeRule, guards: dict[str, int], line: int
) -> None:
    described = replace(PLAIN, grid=("ceil_div(N, 32)", "ceil_div(M, 8)"))
    (found,) = with_guards([rule], described, NAMES, guards)
    assert found.guarded == line
