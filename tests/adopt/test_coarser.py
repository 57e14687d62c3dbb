"""A result that is near the product, and outside its bound, is told with the arithmetic that would give it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at

pytestmark = pytest.mark.usefixtures("nvrtc")
KERNEL = """#include <cuda_fp16.h>
__device__ float cut(float x) { return __int_as_float(__float_as_int(x) & 0xffffe000); }
__global__ void mm(const REAL *A, const REAL *B, REAL *C, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || column >= N) return;
    SUM sum = 0.0f;
    for (int k = 0; k < K; ++k) { REAL a = A[row * K + k], b = B[k * N + column]; sum = TERM; }
    C[row * N + column] = sum;
}
"""


@pytest.mark.parametrize(
    ("real", "kept", "term", "words"),
    [
        ("double", "float", "sum + a * b", ", an error as large as that of sums in float32"),
        ("float", "half", "__float2half(__half2float(sum) + a * b)", ", an error as large as that of sums in half"),
        ("float", "float", "sum + cut(a) * cut(b)", ", as with A and B cut off to TF32 or half"),
        ("float", "float", "sum + a * __half2float(__float2half(b))", ", as with B rounded to TF32 or half"),
    ],
)
def test_that_a_coarser_arithmetic_is_named(real: str, kept: str, term: str, words: str) -> None:
    text = KERNEL.replace("REAL", real).replace("SUM", kept).replace("TERM", term)
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is None
    assert f"{words}, with A and B random " in found.reasons[0], found.reasons
    assert "-2.75455, not -2.75455" not in found.reasons[0]


def test_that_a_wrong_sum_is_put_down_to_no_arithmetic() -> None:
    text = (
        KERNEL.replace("REAL", "float")
        .replace("SUM", "float")
        .replace("TERM", "sum + a * b * (k == 100 ? 0.5f : 1.0f)")
    )
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is None
    assert not any("rounded to" in one or "sums in" in one for one in found.reasons)
