"""Conditions of host code that hold of all sizes, since these are at least 1."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove.host.launch_terms import over_sizes
from gemmviz.adopt.prove.host.positive_sizes import truth_for_sizes


@pytest.mark.parametrize(
    ("condition", "truth"),
    [
        ("N >= 0", True),
        ("0 <= N", True),
        ("N > 0 and M != 0", True),
        ("M * N > 0", True),
        ("ceil_div(N, 16) >= 1", True),
        ("N + 1 >= 2", True),
        ("not N < 1", True),
        ("N == 0", False),
        ("0 >= K", False),
        ("N > 0 and K <= 0", False),
        ("N < 1 or M >= 1", True),
        ("N > 1", None),
        ("N - 1 >= 0", None),
        ("N % 4 == 0", None),
        ("lda >= 0", None),
        ("N >= M", None),
        ("N > 0 and N > 16", None),
        ("N != 1", None),
    ],
)
def test_that_a_condition_is_settled_where_it_holds_of_all_sizes_or_of_none(condition: str, truth: bool | None) -> None:
    assert truth_for_sizes(ast.parse(condition, mode="eval").body) is truth


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ceil_div(n, 16) if n >= 0 else 0", "ceil_div(N, 16)"),
        ("0 if n <= 0 else ceil_div(n, 16)", "ceil_div(N, 16)"),
        ("2 if n > 64 else 1", "2 if N > 64 else 1"),
    ],
)
def test_that_only_what_holds_for_sizes_is_left_of_a_conditional(text: str, found: str) -> None:
    assert over_sizes(text, {"n": "N"}) == found


@pytest.mark.usefixtures("nvrtc")
def test_that_a_proposed_grid_has_no_condition_that_all_sizes_meet() -> None:
    text = """#define CEIL_DIV(x, y) ((x) >= 0 ? (x + y - 1) / y : 0)
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= M || j >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = sum;
}
void run(float *a, float *b, float *c, int m, int n, int k) {
    mm<<<dim3(CEIL_DIV(n, 16), CEIL_DIV(m, 16)), dim3(16, 16)>>>(a, b, c, m, n, k);
}
"""
    (found,) = look_at(Path("mm.cu"), text, "", 90.0, lambda _: None).found
    assert found.description is not None, found.reasons
    assert found.description.grid == ("ceil_div(N, 16)", "ceil_div(M, 16)")
