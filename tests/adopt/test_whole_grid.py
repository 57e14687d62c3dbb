"""Kernels whose loop takes as many tiles as the grid has blocks: one block alone shows no whole sum."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove.machine import first_blocks
from gemmviz.adopt.words import summary_of

pytestmark = pytest.mark.usefixtures("nvrtc", "no_further_values")
_SQUARE = """#define EDGE 16
__global__ void tiles(const float *left, const float *right, float *out, int n) {
    __shared__ float a[EDGE][EDGE], b[EDGE][EDGE];
    int row = blockIdx.y * EDGE + threadIdx.y, column = blockIdx.x * EDGE + threadIdx.x;
    float sum = 0.0f;
    for (int tile = 0; tile < gridDim.x; ++tile) {
        a[threadIdx.y][threadIdx.x] = left[row * n + tile * EDGE + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = right[(tile * EDGE + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < EDGE; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    out[row * n + column] = sum;
}
"""
_LAUNCH = """void run(const float *left, const float *right, float *out, int n) {
    dim3 block(EDGE, EDGE), grid(n / EDGE, n / EDGE);
    tiles << < grid, block >> > (left, right, out, n);
}
"""
_RECTANGULAR = """__global__ void tiles(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float a[16][16], b[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x, x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < gridDim.x * 16; k += 16) {
        a[y][x] = row < M && k + x < K ? A[row * K + k + x] : 0.0f;
        b[y][x] = k + y < K && column < N ? B[(k + y) * N + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
        __syncthreads();
    }
    if (row < M && column < N) C[row * N + column] = sum;
}
"""


def described(text: str) -> Description:
    (found,) = look_at(Path("tiles.cu"), text, "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    return found.description


def test_that_the_grid_of_the_host_code_says_how_many_tiles_there_are() -> None:
    description = described(_SQUARE + _LAUNCH)
    assert description.arguments == ("A", "B", "C", "K")
    assert [(rule.dimension, rule.multiple) for rule in description.rules] == [("M", 16)]
    assert description.equal == (("M", "N"), ("M", "K"))


def test_that_without_host_code_a_thread_for_each_element_of_a_square_is_tried() -> None:
    assert summary_of(described(_RECTANGULAR)).startswith("C = A·B, right where N >= K")


def test_that_the_first_blocks_of_a_grid_are_numbered_as_in_the_whole() -> None:
    assert first_blocks((2, 2, 1), (3, 4, 2)) == [0, 1, 3, 4]
    assert first_blocks((9, 1, 2), (3, 4, 2)) == [0, 1, 2, 12, 13, 14]
