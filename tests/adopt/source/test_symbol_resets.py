"""What host code sets in a variable of the device is told where later launches of a kernel go wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.source.symbol_resets import reset_words, set_by_host_words

COUNTED = """__device__ int ticket;
__global__ void counted(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int next;
    int across = (N + 15) / 16, all = across * ((M + 15) / 16);
    for (;;) {
        if (threadIdx.x == 0 && threadIdx.y == 0) next = atomicAdd(&ticket, 1);
        __syncthreads();
        int own = next;
        __syncthreads();
        if (own >= all) return;
        int row = own / across * 16 + threadIdx.y, col = own % across * 16 + threadIdx.x;
        if (row >= M || col >= N) continue;
        float sum = 0;
        for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
void go(float *A, float *B, float *C, int M, int N, int K) {
    int zero = 0;
    cudaMemcpyToSymbol(ticket, &zero, sizeof zero);
    counted<<<4, dim3(16, 16)>>>(A, B, C, M, N, K);
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_a_counter_that_host_code_resets_is_told_with_its_line() -> None:
    (found,) = look_at(Path("mine.cu"), COUNTED, "", 90.0, lambda _: None).found
    assert found.reasons[0].endswith(
        "; line 21 sets ticket by cudaMemcpyToSymbol, and gemmviz launches the kernel alone: reset it in the kernel, "
        "when its last block ends"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cudaMemcpyToSymbol(ticket, &zero, 4);", "line 1 sets ticket by cudaMemcpyToSymbol"),
        ("hipMemcpyToSymbolAsync(HIP_SYMBOL(ticket), &zero, 4);", "line 1 sets ticket by hipMemcpyToSymbolAsync"),
        (
            "cudaGetSymbolAddress((void **)&at, ticket);\ncudaMemsetAsync(at, 0, 4, stream);",
            "line 2 sets ticket by cudaMemsetAsync",
        ),
        ("cudaMemcpyToSymbol(other, &zero, 4);", ""),
        ("cudaMemset(C, 0, 4);", ""),
    ],
)
def test_that_a_variable_that_host_code_sets_is_found_with_its_line(text: str, words: str) -> None:
    assert reset_words(text, {"ticket"}) == words


def test_that_sizes_that_host_code_sets_are_all_told() -> None:
    text = "cudaMemcpyToSymbol(dM, &M, 4); cudaMemcpyToSymbol(dN, &N, 4);\ncudaMemcpyToSymbol(dK, &K, 4);"
    assert set_by_host_words(text, {"dM", "dK"}).startswith(
        "; host code sets dM and dK by cudaMemcpyToSymbol in lines 1 and 2, and gemmviz launches the kernel alone, "
    )
    assert set_by_host_words(text, {"M"}) == ""
