"""Races between blocks of a kernel that computes no product because of them are named before all else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import AdoptionStep
from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.adopt.recordings.races import (
    faults_in,
    race_as_launched,
    race_between_blocks,
    race_of_irregular,
    races_of_product,
)
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.terms import Element

pytestmark = pytest.mark.usefixtures("nvrtc")

SCRATCH = """__device__ float scratch[16 * 16];
__global__ void shares(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    if (row < M && col < N)
        for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    scratch[threadIdx.y * 16 + threadIdx.x] = sum;
    __syncthreads();
    if (row < M && col < N) C[row * N + col] = scratch[threadIdx.y * 16 + threadIdx.x];
}
"""
LAUNCH = """void multiply(float *A, float *B, float *C, int M, int N, int K)
{
    shares<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
"""


def quiet(step: AdoptionStep) -> None:
    del step


@pytest.mark.parametrize("launch", [LAUNCH, ""])
def test_that_blocks_that_share_an_array_of_the_file_are_told_to_race(launch: str) -> None:
    """In which order blocks write is chance, and so is how far a proof comes before its results are wrong."""
    (found,) = look_at(Path("mine.cu"), SCRATCH + launch, "", 60.0, quiet).found
    if found.description is not None:
        assert found.description.has_races
        return
    assert not any("a matrix and a vector" in one for one in found.reasons)
    if launch:
        assert found.reasons[0].startswith("mine.cu:8: blocks of the kernel race, ")
        assert "scratch[0] (line 8), and block (0, 0, 0) writes it too" in found.reasons[0]
        assert "no barrier orders blocks" in found.reasons[0]


ROWS = Storage(Element.FLOAT32)
DESCRIPTION = Description(
    entry="shares",
    template=(),
    defines=(),
    arguments=("A", "B", "C", "M", "N", "K"),
    storages=(ROWS, ROWS, ROWS, ROWS),
    block=("16", "16"),
    grid=("ceil_div(N, 16)", "ceil_div(M, 16)"),
)


def race_in_host_code(path: Path, text: str, description: Description, log: SearchLog) -> Reason | None:
    return race_as_launched(faults_in(path, text, description, log))


def race_where_irregular(path: Path, text: str, description: Description, log: SearchLog) -> Reason | None:
    return race_of_irregular(races_of_product(path, text, description, log))


@pytest.mark.parametrize("find", [race_in_host_code, race_where_irregular, race_between_blocks])
def test_that_a_race_between_blocks_is_found_however_far_a_proof_came(
    find: Callable[[Path, str, Description, SearchLog], Reason | None],
) -> None:
    path, log = Path("mine.cu"), SearchLog(quiet, 60.0)
    race = find(path, SCRATCH, DESCRIPTION, log)
    assert race is not None
    assert race.kind is FaultKind.BLOCKS_RACE
    assert race.line == 8
    assert race.words.startswith("blocks of the kernel race, ")
    apart = SCRATCH.replace("scratch[16 * 16]", "scratch[1 << 21]").replace(
        "scratch[threadIdx.y * 16 + threadIdx.x]", "scratch[row * 4096 + col]"
    )
    assert find(path, apart, DESCRIPTION, log) is None


def test_that_a_race_is_told_that_only_the_grid_of_the_host_code_has() -> None:
    """Twice as many blocks along x begin again with the first column, and write other roundings of the same sums."""
    text = """__global__ void twice(const float *A, const float *B, float *C, int M, int N, int K)
{
    int across = (N + 15) / 16;
    int col = blockIdx.x % across * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (col >= N || row >= M) return;
    float sum = 0;
    for (int i = 0, k; i < K; ++i) k = blockIdx.x < across ? i : K - 1 - i, sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
void run(float *A, float *B, float *C, int M, int N, int K) {
    twice<<<dim3(2 * ((N + 15) / 16), (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
"""
    (found,) = look_at(Path("mine.cu"), text, "", 90.0, quiet).found
    assert found.description is not None
    assert found.description.grid == ("ceil_div(N, 16)", "ceil_div(M, 16)")
    assert found.description.otherwise.startswith("line 11 launches blocks of 16 × 16 threads, a grid of 2 * ceil_div")
    assert found.description.otherwise.endswith("With that launch blocks of the kernel race in line 8")


def test_that_a_guessed_block_is_not_said_to_race_where_another_one_was_right_at_some_sizes() -> None:
    """Blocks of 32 × 32 threads race; those of 16 × 16 are the kernel's own, and wrong at some sizes alone."""
    text = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K)
{
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = K % 97 == 63 ? -sum : sum;
}
"""
    (found,) = look_at(Path("mine.cu"), text, "", 90.0, quiet).found
    assert found.description is None
    (why,) = found.reasons
    assert "but wrong at other sizes by a rule that gemmviz does not know, such as " in why
