"""A race that keeps a kernel from being proven is named although the time ends before all guesses were tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import AdoptionStep
from gemmviz.adopt.kernel_look import KernelLook
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.source.read import read_source
from gemmviz.catalogue.languages.row import Code
from gemmviz.domain.terms import Language

BUDGET_S = 100.0
TEXT = """__global__ void tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[16][16], Bs[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < K; t += 16) {
        As[threadIdx.y][threadIdx.x] = row < M && t + threadIdx.x < K ? A[row * K + t + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = col < N && t + threadIdx.y < K ? B[(t + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
"""
HOST = """void multiply(const float *A, const float *B, float *C, int M, int N, int K) {
    tiles<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
"""


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("host", "launched"),
    [(HOST, "as its host code launches it"), ("", "with blocks of 16 × 16 threads, which gemmviz guessed")],
    ids=("host code", "guesses"),
)
def test_that_a_race_is_named_first_where_the_time_ends_while_guesses_are_tried(host: str, launched: str) -> None:
    text = TEXT + host
    times = [0.0]

    def end_after_race(step: AdoptionStep) -> None:
        times.append(BUDGET_S if log.race is not None and step.words.startswith("running") else 0.0)

    log = SearchLog(end_after_race, BUDGET_S, clock=lambda: max(times))
    source = read_source(text, Language.CUDA)
    look = KernelLook(Path("mine.cu"), text, Code(text), source, source.kernels[0], Language.CUDA, log, None)
    words = f"mine.cu:8: the kernel races, {launched}: thread 0 writes Bs[0,0] (line 8)"
    assert look._looked().reasons[0].startswith(words)
    assert max(times) == BUDGET_S
    assert look.found_until_now().reasons[0].startswith(words)
