"""A kernel that is right in another launch than its host code's is described, and the launch of the file is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
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
        "line 11 launches rows<32> with blocks of 32 x 32 threads, and so launched it was not"
    )
    assert verdict_words(found) == "right, but not as its host code launches it"
    assert sidecar_text(found).startswith("# Line 11 launches rows<32> with blocks of 32 x 32 threads")


def test_that_a_grid_that_is_wrong_is_named(tmp_path: Path) -> None:
    found = described(tmp_path, 32, EXCHANGED)
    assert found.otherwise.startswith(
        "line 11 launches a grid of ceil_div(M, 32) x ceil_div(N, 32) blocks, which is wrong"
    )
    assert verdict_words(found) == "right, but not as its host code launches it"


def test_that_nothing_is_said_of_a_launch_that_is_right(tmp_path: Path) -> None:
    found = described(tmp_path, 32, RIGHT_GRID)
    assert (found.otherwise, verdict_words(found)) == ("", "verified")
