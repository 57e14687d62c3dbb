"""A kernel that is right in another launch than its host code's is described, and the launch of the file is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.words import verdict_words

pytestmark = pytest.mark.usefixtures("nvrtc")
KERNEL = """template <int EDGE>
__global__ void rows(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * EDGE + threadIdx.y, column = blockIdx.x * EDGE + threadIdx.x;
    float sum = 0.0f;
    if (row >= M || column >= N) return;
    for (int k = EDGE > FIRST ? 1 : 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K) {
    dim3 block(32, 32);
    rows<32><<<dim3(GRID), block>>>(A, B, C, M, N, K);
}
"""
RIGHT_GRID, EXCHANGED = "(N + 31) / 32, (M + 31) / 32", "(M + 31) / 32, (N + 31) / 32"


def described(folder: Path, first: int, grid: str) -> Description:
    """The kernel, which forgets the first product in blocks of more than `first` rows, with a grid in its host code."""
    path, text = folder / "rows.cu", KERNEL.replace("FIRST", str(first)).replace("GRID", grid)
    (found,) = look_at(path, text, "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    return found.description


def test_that_a_launch_with_other_arguments_of_the_template_is_named(tmp_path: Path) -> None:
    found = described(tmp_path, 16, RIGHT_GRID)
    assert found.otherwise.startswith(
        "line 11 launches rows<32> with blocks of 32 × 32 threads. With that launch it was not"
    )
    assert verdict_words(found) == "right, but not as its host code launches it"
    assert sidecar_text(found).startswith("# Line 11 launches rows<32> with blocks of 32 × 32 threads")


def test_that_a_grid_that_is_wrong_is_named(tmp_path: Path) -> None:
    found = described(tmp_path, 32, EXCHANGED)
    assert found.otherwise.startswith(
        "line 11 launches a grid of ceil_div(M, 32) × ceil_div(N, 32) blocks. With that launch the result is wrong"
    )
    assert verdict_words(found) == "right, but not as its host code launches it"


def test_that_nothing_is_said_of_a_launch_that_is_right(tmp_path: Path) -> None:
    found = described(tmp_path, 32, RIGHT_GRID)
    assert (found.otherwise, verdict_words(found)) == ("", "verified")


ELEMENTS = """__global__ void each(const float *A, const float *B, float *C, int M, int N, int K) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= M * N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[i / N * K + k] * B[k * N + i % N];
    C[i] = sum;
}
void run(const float *A, const float *B, float *C, int n, int width) {
    LAUNCH;
}
"""


def of_elements(launch: str) -> KernelFinding:
    """What is found out about a kernel with a thread for each element."""
    (found,) = look_at(Path("each.cu"), ELEMENTS.replace("LAUNCH", launch), "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    return found


def test_that_a_grid_of_constants_is_held_against_the_sizes_of_its_launch() -> None:
    found = of_elements("each<<<32, 128>>>(A, B, C, 64, 64, 64)")
    assert found.description is not None
    assert (found.description.grid, found.description.otherwise) == (("ceil_div(M * N, 128)",), "")
    assert found.because[-1].endswith("line 9 launches as many, 32 blocks, for 64x64x64")


def test_that_a_grid_of_constants_that_is_too_small_for_the_sizes_of_its_launch_is_named() -> None:
    found = of_elements("each<<<31, 128>>>(A, B, C, 64, 64, 64)")
    assert found.description is not None
    assert found.description.otherwise.startswith(
        "line 9 launches a grid of 31 blocks. With that launch the result is wrong at 64x64x64: "
    )


def test_that_a_grid_of_constants_for_sizes_that_change_is_wrong_at_others() -> None:
    found = of_elements("each<<<32, 128>>>(A, B, C, n, n, n)")
    assert found.description is not None
    assert found.description.otherwise.startswith(
        "line 9 launches a grid of 32 blocks. With that launch the result is wrong at "
    )


def test_that_the_source_of_block_and_grid_is_told() -> None:
    assert of_elements("each<<<(n * n + 127) / 128, 128>>>(A, B, C, n, n, n)").because == (
        "the block: line 9 launches it so",
        "the grid: what one and two blocks along each axis wrote; line 9 launches ceil_div(M * M, 128) blocks",
    )
    assert of_elements("each<<<n, width>>>(A, B, C, n, n, n)").because[0] == (
        "the block: line 9 launches width threads, and width = 32 was tried for it"
    )
