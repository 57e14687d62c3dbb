"""Sizes that a kernel's code treats apart are tried, and what is wrong there alone is no verified product."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import SizeRule
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove.sizes.shapes import compared_shapes
from gemmviz.domain.shape import Shape

TEXT = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = WHERE ? 0.0f : sum;
}
void run(const float *a, const float *b, float *c, int M, int N, int K) {
    mm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(a, b, c, M, N, K);
}
"""


def found_where(condition: str) -> KernelFinding:
    (found,) = look_at(Path("mine.cu"), TEXT.replace("WHERE", condition), "", 120.0, lambda _: None).found
    return found


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("condition", ["K == 77", "M == 777", "M == 83 && N == 91", "M * N == 3333"])
def test_that_a_kernel_that_is_wrong_at_a_size_that_its_code_names_is_not_described(condition: str) -> None:
    found = found_where(condition)
    assert not found.is_proven
    assert "wrong at other sizes" in "".join(found.reasons)


@pytest.mark.usefixtures("nvrtc")
def test_that_a_largest_size_beyond_the_usual_ones_is_found() -> None:
    found = found_where("M > 5000")
    assert found.description is not None
    assert [(rule.dimension, rule.most) for rule in found.description.rules if rule.most] == [("M", 5000)]


def test_that_sizes_keep_to_the_rules_and_to_dimensions_that_are_equal() -> None:
    rules, groups = (SizeRule("M"), SizeRule("K", 8)), (("M", "N"), ("K",))
    found = compared_shapes(Shape(64, 64, 128), {"M": {77}, "K": {30, 9000}}, rules, groups, {})
    assert found == [Shape(64, 64, 32), Shape(77, 77, 32), Shape(64, 64, 128), Shape(77, 77, 128)]
