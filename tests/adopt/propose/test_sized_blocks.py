"""A block may have as many threads as a size says: host code launches it so, or no other block is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.geometry import blocks_of
from gemmviz.adopt.prove.readings import SIZES, ArgumentReading
from gemmviz.adopt.source.read import read_source
from gemmviz.adopt.words import rule_texts, summary_of
from gemmviz.domain.terms import Language

KERNEL = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int i = blockIdx.x, j = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = sum;
}
"""
HOST = "void run(float *a, float *b, float *c, int m, int n, int k) { mm<<<m, n>>>(a, b, c, m, n, k); }\n"


def sized(text: str) -> list[tuple[str, ...]]:
    source = read_source(text, Language.CUDA)
    kernel = source.kernels[0]
    launch = next(iter(source.launches_of(kernel)), None)
    return [one.block_words for one in blocks_of(kernel, launch, {}, source.names) if one.block_words]


def test_that_a_block_of_a_size_is_tried_as_host_code_launches_it() -> None:
    assert sized(KERNEL + HOST) == [("{4}",)]
    assert sized(KERNEL + HOST.replace("<<<m, n>>>", "<<<m, dim3(32, (k + 31) / 32)>>>")) == [
        ("32", "ceil_div({5}, 32)")
    ]
    assert sized(KERNEL + HOST.replace("<<<m, n>>>", "<<<m, 256>>>")) == []


TREE = """__global__ void sums(const float *A, const float *B, float *C, int N, int K) {
    extern __shared__ float part[];
    int row = blockIdx.y, column = blockIdx.x, k = threadIdx.x;
    part[k] = A[row * K + k] * B[k * N + column];
    for (int half = K >> 1; half > 0; half >>= 1) {
        __syncthreads();
        if (k < half) part[k] += part[k + half];
    }
    if (k == 0) C[row * N + column] = part[0];
}
int main() { int M = 32, N = 48, K = 128; sums<<<dim3(N, M), K, K * sizeof(float)>>>(a, b, c, N, K); }
"""


def test_that_a_block_of_a_constant_size_that_the_kernel_is_given_is_tried_over_that_size() -> None:
    assert sized(TREE) == [("{4}",)]
    assert sized(TREE.replace("M), K,", "M), 128,")) == []


@pytest.mark.slow
@pytest.mark.usefixtures("nvrtc")
def test_that_a_thread_for_each_term_is_described_over_k() -> None:
    (found,) = look_at(Path("mm.cu"), TREE, "", 120.0, print).found
    assert found.description is not None, found.reasons
    assert (found.description.block, found.description.shared_bytes) == (("K",), "K * 4")
    assert "needs K to be a power of two" in summary_of(found.description)
    assert not found.description.otherwise


def test_that_a_power_of_two_is_tried_where_a_kernel_takes_n_and_k_alone() -> None:
    reading = ArgumentReading({3: SIZES["N"], 4: SIZES["K"]}, {})
    powers = [reading.with_power(name) for name in "NK"]
    assert [dict(one.numbers) for one in powers if one is not None] == [{3: 512, 4: 640}, {3: 768, 4: 512}]
    assert ArgumentReading({3: SIZES["N"], 4: 1088}, {}).with_power("N") is None
    assert ArgumentReading({3: SIZES["N"]}, {}).with_power("K") is None


def test_that_a_block_of_a_row_is_tried_only_where_the_source_says_no_other() -> None:
    assert sized(KERNEL) == [("{4}",)]
    assert sized(KERNEL.replace("j = threadIdx.x", "j = blockIdx.y * 32 + threadIdx.x")) == []
    assert sized(KERNEL.replace("j = threadIdx.x", "j = blockIdx.y * blockDim.x + threadIdx.x")) == []
    assert sized(KERNEL.replace("int N", "int width_of_it")) == []


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("host", [HOST, ""], ids=("with host code", "without"))
def test_that_a_kernel_with_a_thread_for_each_column_is_described_with_the_largest_n(host: str) -> None:
    (found,) = look_at(Path("mm.cu"), KERNEL + host, "", 90.0, print).found
    assert found.description is not None, found.reasons
    assert (found.description.block, found.description.grid) == (("N",), ("M",))
    assert [rule for rule, _ in rule_texts(found.description)] == ["N <= 1024"]
    assert not found.description.hazards
