"""What is said about the launch in host code is what comes of that launch."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import SizeRule
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.outcome import AdoptOutcome

pytestmark = pytest.mark.usefixtures("nvrtc")
KERNEL = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * STEP + threadIdx.y, column = blockIdx.x * STEP + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}
void run(float *a, float *b, float *c, int M, int N, int K) {
    mm<<<dim3((N + STEP - 1) / STEP, (M + STEP - 1) / STEP), dim3(16, 16)>>>(a, b, c, GIVEN);
}
"""
OF_CONSTANTS = """#define HEIGHT 64
#define WIDTH 96
#define DEPTH 40
__global__ void mm(const float *A, const float *B, float *C) {
    int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < DEPTH; ++k) sum += A[row * DEPTH + k] * B[k * WIDTH + column];
    C[row * WIDTH + column] = sum;
}
void run(float *a, float *b, float *c) { mm<<<dim3(WIDTH / 8, HEIGHT / 8), dim3(8, 8)>>>(a, b, c); }
"""
HEAD_OF_MAIN = """int main() {
    float *a, *b, *c; const int M = 40, N = 24, K = 10;"""
IN_SHARED = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    extern __shared__ float row[];
    for (int k = threadIdx.x; k < K; k += blockDim.x) row[k] = A[blockIdx.x * K + k];
    __syncthreads();
    for (int column = threadIdx.x; column < N; column += blockDim.x) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += row[k] * B[k * N + column];
        C[blockIdx.x * N + column] = sum;
    }
}
void run(float *a, float *b, float *c, int M, int N, int K) { mm<<<M, 128, K>>>(a, b, c, M, N, K); }
"""


def found_of(text: str) -> KernelFinding:
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    return found


def test_that_a_launch_whose_blocks_overlap_is_described_as_it_is() -> None:
    found = found_of(KERNEL.replace("STEP", "15").replace("GIVEN", "M, N, K")).description
    assert found is not None
    assert (found.block, found.otherwise) == (("16", "16"), "")
    assert found.grid == ("ceil_div(N, 15)", "ceil_div(M, 15)")
    assert not found.has_races  # the blocks write equal values


def test_that_sizes_that_the_host_code_exchanges_are_named() -> None:
    found = found_of(KERNEL.replace("STEP", "16").replace("GIVEN", "M, K, N")).description
    assert found is not None
    assert found.otherwise.startswith(
        "line 9 exchanges N and K: it gives the kernel K for N and N for K, and launches a grid of "
        "ceil_div(K, 16) × ceil_div(M, 16) blocks, in the names of the kernel. "
        "With that launch the result is wrong at "
    )


def test_that_a_main_whose_size_breaks_a_rule_is_not_verified() -> None:
    text = KERNEL.replace("STEP", "16").replace("GIVEN", "M, N, K").replace("k < K", "k < K / 4 * 4")
    text = text.replace("void run(float *a, float *b, float *c, int M, int N, int K) {", HEAD_OF_MAIN)
    found = found_of(text)
    assert found.outcome is AdoptOutcome.RIGHT_IN_ANOTHER_LAUNCH
    assert found.description is not None
    assert SizeRule("K", 4) in found.description.rules
    assert found.description.otherwise.startswith(
        "line 10 launches it for 40x24x10, where the result is wrong: 960 of 960 elements are wrong; "
    )


def test_that_a_launch_of_constants_is_held_against_the_size_that_its_grid_is_for() -> None:
    found = found_of(OF_CONSTANTS)
    assert found.description is not None
    assert found.description.otherwise == ""
    assert found.because[-1].endswith("line 10 launches as many, 12 × 8 blocks, for 64x96x40")


def test_that_elements_counted_for_bytes_of_shared_memory_are_named() -> None:
    found = found_of(IN_SHARED).description
    assert found is not None
    assert found.shared_bytes == "K * 4"
    assert found.otherwise.startswith("line 11 launches it with K bytes of dynamic shared memory. With that")


def test_that_a_grid_over_a_number_that_only_the_caller_knows_is_not_accused() -> None:
    """`batch` is called like a number of products, of which one is tried; the kernel does not use it."""
    text = """__global__ void linear(float *y, const float *x, const float *w, int batch, int inner, int outer)
{
    int o = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
    if (o >= outer) return;
    float sum = 0;
    for (int i = 0; i < inner; ++i) sum += x[b * inner + i] * w[o * inner + i];
    y[b * outer + o] = sum;
}
void run(float *y, float *x, float *w, int rows, int I, int O) {
    linear<<<dim3((O + 127) / 128, rows), 128>>>(y, x, w, rows, I, O);
}
"""
    (found,) = look_at(Path("mine.cu"), text, "", 90.0, lambda _: None).found
    assert found.description is not None
    assert not found.description.otherwise
    words = "only its caller knows rows, and gemmviz tried the kernel with 1 there"
    assert f"the launch in line 10 was not compared with the one described here: {words}" in found.left_out
    assert not any("batch" in one for one in found.because)


def test_that_the_length_of_a_part_is_what_the_host_code_computes_whatever_it_is_called() -> None:
    text = """__global__ void parts(int M, int N, int K, const float *A, const float *B, float *C, int kchunk)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (y >= M || x >= N) return;
    float sum = 0;
    int first = blockIdx.z * kchunk, end = min(K, first + kchunk);
    for (int k = first; k < end; ++k) sum += A[y * K + k] * B[k * N + x];
    atomicAdd(C + y * N + x, sum);
}
void run(int M, int N, int K, const float *A, const float *B, float *C) {
    int splits = 4, chunk = (K + splits - 1) / splits;
    dim3 b(16, 16), g((N + 15) / 16, (M + 15) / 16, splits);
    parts<<<g, b>>>(M, N, K, A, B, C, chunk);
}
"""
    (found,) = look_at(Path("mine.cu"), text, "", 90.0, lambda _: None).found
    assert found.description is not None, found.reasons
    assert found.description.arguments[-1] == "ceil_div(K, 4)"
    assert found.description.grid == ("ceil_div(N, 16)", "ceil_div(M, 16)", "4")
