"""What the host code writes for block, grid and shared memory is taken for further values of parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import AdoptionStep, KernelFinding
from gemmviz.adopt.look import look_at

pytestmark = pytest.mark.usefixtures("nvrtc")

DYNAMIC = """template <int BM, int BK>
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float sm[];
    float *As = sm, *Bs = sm + BM * BK;
    int t = threadIdx.x, row = t / 16, col = t % 16;
    float sum[BM / 16] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = t; i < BM * BK; i += 256) {
            int r = blockIdx.y * BM + i / BK, c = k0 + i % BK;
            As[i] = r < M && c < K ? A[r * K + c] : 0;
        }
        for (int i = t; i < BK * 16; i += 256) {
            int r = k0 + i / 16, c = blockIdx.x * 16 + i % 16;
            Bs[i] = r < K && c < N ? B[r * N + c] : 0;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++)
            for (int i = 0; i < BM / 16; i++) sum[i] += As[(row + 16 * i) * BK + k] * Bs[k * 16 + col];
        __syncthreads();
    }
    for (int i = 0; i < BM / 16; i++) {
        int r = blockIdx.y * BM + row + 16 * i, c = blockIdx.x * 16 + col;
        if (r < M && c < N) C[r * N + c] = sum[i];
    }
}
void run(float *A, float *B, float *C, int M, int N, int K) {
    constexpr int EDGE = 32, DEEP = 8;
    size_t bytes = (EDGE * DEEP + DEEP * 16) * sizeof(float);
    mm<EDGE, DEEP><<<dim3((N + 15) / 16, (M + EDGE - 1) / EDGE), 256, bytes>>>(A, B, C, M, N, K);
}
"""
"""1536 bytes are also 24 * BK * BK, and 256 threads are also BM * BK."""

WIDE = """template <int TM, int TN>
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K)
{
    int r0 = (blockIdx.y * blockDim.y + threadIdx.y) * TM, c0 = (blockIdx.x * blockDim.x + threadIdx.x) * TN;
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            if (r0 + i >= M || c0 + j >= N) continue;
            float sum = 0;
            for (int k = 0; k < K; k++) sum += A[(r0 + i) * K + k] * B[k * N + c0 + j];
            C[(r0 + i) * N + c0 + j] = sum;
        }
}
void run(float *A, float *B, float *C, int M, int N, int K) {
    mm<2, 4><<<dim3((N + 31) / 32, (M + 15) / 16), dim3(8, 8)>>>(A, B, C, M, N, K);
}
"""
"""Blocks of 8 × 8 threads are also TM * TN × 2 * TM * TM."""


def quiet(step: AdoptionStep) -> None:
    del step


def found_in(text: str) -> KernelFinding:
    return look_at(Path("mine.cu"), text, "", 120.0, quiet).found[0]


def test_that_shared_memory_follows_the_expression_of_the_host_code() -> None:
    found = found_in(DYNAMIC)
    assert found.description is not None
    assert found.description.block == ("256",)
    assert found.description.grid == ("ceil_div(N, 16)", "ceil_div(M, BM)")
    assert found.description.shared_bytes == "(BM * BK + BK * 16) * 4"
    values = {one.name: one.choices for one in found.description.parameters}
    assert {16, 32, 64} <= {*values["BM"]}
    assert {8, 16} <= {*values["BK"]}
    assert not [one for one in found.notes if "guessed" in one]


def test_that_a_number_of_threads_in_the_host_code_stays_and_the_grid_follows_the_elements_of_a_thread() -> None:
    found = found_in(WIDE)
    assert found.description is not None
    assert found.description.block == ("8", "8")
    assert found.description.grid == ("ceil_div(N, 8 * TN)", "ceil_div(M, 8 * TM)")
    assert 1 in {one.name: one.choices for one in found.description.parameters}["TM"]


def test_that_a_value_that_fails_as_the_host_code_launches_it_is_said_to_fail_so() -> None:
    text = DYNAMIC.replace("sum[i] += ", "if (BM < 64) sum[i] += ")
    found = found_in(text)
    assert found.description is not None
    assert found.description.grid == ("ceil_div(N, 16)", "ceil_div(M, BM)")
    assert found.description.shared_bytes == "(BM * BK + BK * 16) * 4"
    left_out = {(one.name, one.value): one.because for one in found.description.values_left_out}
    assert left_out["BM", 64].endswith("; launched as in line 30")
