"""A grid of constants in host code is tried as it is written, and described where the kernel's blocks go on with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove.grid import Cover, sizes_to_go_on
from gemmviz.domain.shape import Shape

ELEMENTS = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < M * N; i += 4 * 64) {
        float s = 0; for (int k = 0; k < K; ++k) s += A[i / N * K + k] * B[k * N + i % N];
        C[i] = s;
    }
}
void run(const float *A, const float *B, float *C, int M, int N, int K) { mm<<<4, 64>>>(A, B, C, M, N, K); }
"""
TILES = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int rows = (M + 7) / 8, columns = (N + 7) / 8;
    for (int tile = blockIdx.x; tile < rows * columns; tile += 4) {
        int r = tile / columns * 8 + threadIdx.y, c = tile % columns * 8 + threadIdx.x;
        float s = 0; for (int k = 0; k < K; ++k) s += r < M && c < N ? A[r * K + k] * B[k * N + c] : 0;
        if (r < M && c < N) C[r * N + c] = s;
    }
}
int main() { mm<<<4, dim3(8, 8)>>>(nullptr, nullptr, nullptr, 100, 100, 100); }
"""
ENOUGH = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    if (r >= M || c >= N) return;
    float s = 0; for (int k = 0; k < K; ++k) s += A[r * K + k] * B[k * N + c];
    C[r * N + c] = s;
}
int main() { mm<<<dim3(16, 16), dim3(16, 16)>>>(nullptr, nullptr, nullptr, 256, 256, 256); }
"""
BASE = Shape(64, 96, 128)


def described(text: str) -> Description:
    found = look_at(Path("mine.cu"), text, "", 90.0, lambda _: None).found[0].description
    assert found is not None
    return found


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(("text", "block"), [(ELEMENTS, ("64",)), (TILES, ("8", "8"))], ids=["elements", "tiles"])
def test_that_blocks_which_step_by_a_constant_are_launched_as_the_host_code_does(
    text: str, block: tuple[str, ...]
) -> None:
    found = described(text)
    assert (found.block, found.grid, found.otherwise, found.has_races) == (block, ("4",), "", False)


@pytest.mark.usefixtures("nvrtc")
def test_that_blocks_enough_for_one_size_are_no_grid_of_all() -> None:
    assert described(ENOUGH).grid == ("ceil_div(N, 16)", "ceil_div(M, 16)")


def test_that_blocks_have_to_begin_again_along_each_axis() -> None:
    cover = Cover(16, 16, ((0, 16), (16, 0)))
    assert sizes_to_go_on(("8", "4"), cover, "M", BASE, {}) == [BASE, Shape(64, 288, 128), Shape(128, 96, 128)]
    assert sizes_to_go_on(("8", "4"), cover, "N", BASE, {"M": 64}) == [BASE, Shape(64, 192, 128)]


def test_that_a_grid_that_grows_is_tried_at_no_further_sizes() -> None:
    assert sizes_to_go_on(("N // 16", "4"), Cover(16, 16, ((0, 16), (16, 0))), "M", BASE, {}) == []
