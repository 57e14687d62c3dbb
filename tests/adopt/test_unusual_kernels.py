"""Kernels that do usual things in an unusual way are described, or refused with what keeps them from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.words import summary_of

pytestmark = pytest.mark.usefixtures("nvrtc")
PLACE = "int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;"
LAST_ROWS_FIRST = f"""__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {{
    {PLACE}
    if (i >= M || j >= N) return;
    const float *row = A + (M - 1) * K - i * K;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += row[k] * B[k * N + j];
    C[(M - 1 - i) * N + j] = sum;
}}
"""
COMPLEX = f"""__global__ void mm(const float2 *A, const float2 *B, float2 *C, int M, int N, int K) {{
    {PLACE}
    if (i >= M || j >= N) return;
    float2 sum = {{0.0f, 0.0f}};
    for (int k = 0; k < K; ++k) {{
        float2 a = A[i * K + k], b = B[k * N + j];
        sum.x += a.x * b.x - a.y * b.y;
        sum.y += a.x * b.y + a.y * b.x;
    }}
    C[i * N + j] = sum;
}}
"""
CALLED_ALIKE = """__global__ void mm(const float *A, const float *B, float *C, int N, int n) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k) sum += A[i * N + k] * B[k * n + j];
    C[i * n + j] = sum;
}
void run(float *a, float *b, float *c, int rows, int columns, int depth) {
    mm<<<dim3(columns / 16, rows / 16), dim3(16, 16)>>>(a, b, c, depth, columns);
}
"""
OF_COMPILE_LINE = f"""#ifndef N
#error "compile with -DN=..."
#endif
__global__ void mm(const float *A, const float *B, float *C) {{
    {PLACE}
    if (i >= N || j >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k) sum += A[i * N + k] * B[k * N + j];
    C[i * N + j] = sum;
}}
"""
ROW_OF_64 = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float row[64];
    for (int k = threadIdx.x; k < K; k += 32) row[k] = A[blockIdx.x * K + k];
    __syncthreads();
    for (int j = threadIdx.x; j < N; j += 32) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += row[k] * B[k * N + j];
        C[blockIdx.x * N + j] = sum;
    }
}
void run(float *a, float *b, float *c, int m, int n, int k) { mm<<<m, 32>>>(a, b, c, m, n, k); }
"""
IMAGES = """__kernel void mm(int M, int N, int K, __read_only image2d_t A, __read_only image2d_t B, __global float *C) {
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    C[get_global_id(0)] = read_imagef(A, s, (int2)(0, 0)).x * read_imagef(B, s, (int2)(0, 0)).x;
}
"""


def found(text: str, name: str = "mm.cu") -> KernelFinding:
    return look_at(Path(name), text, "", 90.0, print).found[0]


def test_that_blocks_may_begin_at_the_last_rows() -> None:
    one = found(LAST_ROWS_FIRST)
    assert one.description is not None
    assert summary_of(one.description) == "C = A·B, takes every size that was tried"
    assert one.description.grid == ("ceil_div(N, 16)", "ceil_div(M, 16)")


def test_that_numbers_with_names_alike_may_be_different_sizes() -> None:
    described = found(CALLED_ALIKE).description
    assert described is not None
    assert described.arguments == ("A", "B", "C", "K", "N")
    assert not described.equal


def test_that_complex_matrices_are_named_and_not_what_follows_from_them() -> None:
    (reason,) = found(COMPLEX).reasons
    assert reason.startswith("mm.cu:1: its matrices are of float2; where these are complex numbers")


def test_that_a_size_of_the_compile_line_is_asked_for() -> None:
    (reason,) = found(OF_COMPILE_LINE).reasons
    words = "mm.cu:4: its sizes come from the compile line, which a description cannot give: write them into the file"
    assert reason.startswith(f"{words}, such as `#define N ")


def test_that_an_image_is_called_one() -> None:
    assert "`__read_only image2d_t` is an image" in found(IMAGES, "mm.cl").reasons[0]


def test_that_a_kernel_whose_shared_memory_holds_short_sums_alone_is_tried_with_such_and_is_no_vector() -> None:
    fits, short = found(ROW_OF_64.replace("64", "256")), found(ROW_OF_64)
    assert fits.description is not None
    assert summary_of(fits.description) == "C = A·B, needs K of at most 256"
    assert not any("vector" in one for one in short.reasons)


BEHIND = """struct Same { __device__ float of(float x) const { return x; } };
struct Twice { float x; __device__ float of(float y) const { return y; } };
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K, TYPE behind) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = behind.of(sum);
}
"""


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("kind", ["Same", "Twice"])
def test_that_a_structure_without_members_needs_no_value_and_one_with_members_is_refused(kind: str) -> None:
    (found,) = look_at(Path("mm.cu"), BEHIND.replace("TYPE", kind), "", 60.0, lambda _: None).found
    if kind == "Twice":
        assert found.description is None
        assert "`Twice behind` is a structure" in found.reasons[0]
        return
    assert found.description is not None, found.reasons
    assert found.description.arguments[-1] == "0"
    assert "behind: a structure without members, which needs no value" in found.because
