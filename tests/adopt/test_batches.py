"""Of a batch one product is described, and blocks along z that overwrite each other's results are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import AdoptionStep, KernelFinding
from gemmviz.adopt.look import look_at

pytestmark = pytest.mark.usefixtures("nvrtc")

TEXT = """__global__ void many(const float *A, const float *B, float *C, int M, int N, int K, int sA, int sB, int sC)
{
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    A += blockIdx.z * sA; B += blockIdx.z * sB; MOVED
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
void multiply(float *A, float *B, float *C, int M, int N, int K, int batch)
{
    many<<<dim3((N + 15) / 16, (M + 15) / 16, BLOCKS), dim3(16, 16)>>>(A, B, C, M, N, K, M * K, K * N, M * N);
}
"""


def quiet(step: AdoptionStep) -> None:
    del step


def looked(moved: str, blocks: str, of_host: str = "M * K, K * N, M * N") -> KernelFinding:
    text = TEXT.replace("MOVED", moved).replace("BLOCKS", blocks).replace("M * K, K * N, M * N", of_host)
    return look_at(Path("mine.cu"), text, "", 60.0, quiet).found[0]


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        (
            "batch",
            "launches as many blocks along z as batch says, which write the same elements of C: they race where ",
        ),
        ("8", "launches 8 blocks along z, which write the same elements of C: they race"),
    ],
)
def test_that_blocks_along_z_that_write_one_result_are_told_to_race(blocks: str, words: str) -> None:
    found = looked("", blocks)
    assert found.description is not None
    assert f"line 12 {words}" in found.description.otherwise
    assert not any("next product" in one for one in (*found.because, *found.notes))


def test_that_a_launch_of_several_products_is_compared_by_one_of_them() -> None:
    found = looked("C += blockIdx.z * sC;", "8")
    assert found.description is not None
    assert found.description.otherwise == ""
    assert found.because[-2:] == (
        "blocks along z go on to the next product, by sA, sB and sC: one product of 8 is described; "
        "two were run at 24x37x19 and 10x8x54, and both are right",
        "the grid: line 12 launches it so",
    )


@pytest.mark.parametrize(
    ("of_host", "moved", "words"),
    [
        ("M * K, K * N, M * K", "C += blockIdx.z * sC;", "C of the second product begins M * K = "),
        ("M * K, K * N, M * N", "C += blockIdx.z * M * K;", "C of the second product begins M * K = "),
        ("M * N, K * N, M * N", "C += blockIdx.z * sC;", "A of the second product begins M * N = "),
        ("M * K, M * K, M * N", "C += blockIdx.z * sC;", "B of the second product begins M * K = "),
        ("M * K, M * N, M * N", "C += blockIdx.z * sC;", "B of the second product begins M * N = "),
        ("K * N, K * N, M * N", "C += blockIdx.z * sC;", "A of the second product begins K * N = "),
    ],
)
def test_that_products_of_a_batch_that_overlap_are_told(of_host: str, moved: str, words: str) -> None:
    found = looked(moved, "batch", of_host)
    assert found.description is not None
    assert found.description.otherwise.startswith("line 12 launches as many blocks along z as batch says, each for a ")
    assert words in found.description.otherwise
    assert found.description.otherwise.endswith("they overlap")


def test_that_a_kernel_that_goes_on_to_the_next_product_by_itself_is_run_with_two() -> None:
    found = looked("C += blockIdx.z * M * N;", "batch", "M * K, K * N, 0")
    assert found.description is not None
    assert found.description.otherwise == ""
    assert found.because[-2].endswith("two were run at 24x37x19 and 10x8x54, and both are right")
