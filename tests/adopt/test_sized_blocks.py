"""A block may have as many threads as a size says: host code launches it so, or no other block is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.geometry import blocks_of
from gemmviz.adopt.source.read import read_source
from gemmviz.adopt.words import rule_texts
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
