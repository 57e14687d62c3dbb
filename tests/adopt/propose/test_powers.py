"""A dimension that must be a power of two is a limit that is found by trying, and no other one is told in its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.powers import takes_powers
from gemmviz.adopt.prove.sizes.size_rules import size_rules_of
from gemmviz.adopt.source.read import read_source
from gemmviz.adopt.words import rule_texts, summary_of
from gemmviz.catalogue.expressions import evaluate
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

PLAIN = Description("f", (), (), ("M", "N", "K", "A", "B", "C"), (Storage(),) * 4, ("16",), ("1",))
MASKED = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int id = blockIdx.x * 256 + threadIdx.x, i = id >> (31 - __clz(N)), j = id & (N - 1);
    if (i >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = sum;
}
void run(float *a, float *b, float *c, int m, int n, int k) { mm<<<(m * n + 255) / 256, 256>>>(a, b, c, m, n, k); }
"""


def is_power(size: int) -> bool:
    return not size & (size - 1)


@pytest.mark.parametrize(
    ("is_right", "rules"),
    [
        (lambda s: is_power(s.n), (SizeRule("M"), SizeRule("N", is_power=True), SizeRule("K"))),
        (
            lambda s: is_power(s.n) and 16 <= s.n <= 1024 and s.k % 8 == 0,
            (SizeRule("M"), SizeRule("N", least=16, most=1024, is_power=True), SizeRule("K", 8)),
        ),
        (lambda s: is_power(s.k), (SizeRule("M"), SizeRule("N"), SizeRule("K", is_power=True))),
        (lambda s: is_power(s.n) and s.n != 64, None),
        (lambda s: is_power(s.n) and s.m != 29, None),
        (lambda s: is_power(s.n) and is_power(s.k), None),
        (lambda s: is_power(s.n) and s.m <= s.n, None),
        (lambda s: s.n in (128, 192, 256), None),
    ],
    ids=("N", "N from 16 to 1024", "K", "not 64", "M is not 29", "N and K", "M up to N", "some sizes"),
)
def test_that_a_power_of_two_is_told_where_every_other_size_is_wrong(
    is_right: Callable[[Shape], bool], rules: tuple[SizeRule, ...] | None
) -> None:
    found = size_rules_of(PLAIN, Shape(96, 128, 64), is_right)
    assert (found.rules if found is not None else None) == rules
    assert found is None or all(is_right(one) for one in found.right)


def test_that_the_rule_is_written_so_that_a_header_leaves_other_sizes_out() -> None:
    rule = SizeRule("N", is_power=True)
    ((text, _),) = rule_texts(Description("f", (), (), (), (Storage(),) * 4, (), (), rules=(rule,)))
    right = [size for size in range(1, 300) if evaluate(text, {"N": size})]
    assert right == [1, 2, 4, 8, 16, 32, 64, 128, 256]
    assert right == [size for size in range(1, 300) if rule.allows(Shape(3, size, 5))]


@pytest.mark.parametrize(
    ("body", "is_so"),
    [
        ("C[threadIdx.x & (N - 1)] = 0.0f;", True),
        ("for (int s = K / 2; s; s >>= 1) C[s] = 0.0f;", True),
        ("C[__clz(N)] = 0.0f;", True),
        ("C[threadIdx.x & 31] = 0.0f;", False),
        ("C[N - 1] = 0.0f;", False),
    ],
)
def test_that_powers_are_tried_where_the_source_masks_or_halves(body: str, is_so: bool) -> None:
    text = f"int other(int N) {{ return 5 & (N - 1); }}\n__global__ void k(float *C, int N, int K) {{\n{body}\n}}\n"
    assert takes_powers(text, read_source(text, Language.CUDA).kernels[0]) is is_so


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_that_masks_its_columns_is_described_with_its_limit() -> None:
    (found,) = look_at(Path("mm.cu"), MASKED, "", 90.0, print).found
    assert found.description is not None, found.reasons
    assert summary_of(found.description) == "C = A·B, needs N to be a power of two"
    assert not found.description.hazards
