"""Sizes that are constants of a file, and what is done where they are too large to be proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.propose.constants import SizeConstant, size_constants, smaller_defines, too_large
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

KERNEL = "__global__ void k(float *A, float *B, float *C) { const int HALF_N = N / 2; C[N + K + A_TILE + HALF_N] = 0; }"


def constants(text: str) -> tuple[SizeConstant, ...]:
    source = read_source(f"{text}\n{KERNEL}\n", Language.CUDA)
    return size_constants(source.kernels[0], source.names, f"{text}\n{KERNEL}\n")


def test_that_constants_that_a_kernel_uses_may_be_sizes() -> None:
    text = "#ifndef N\n#define N 512\n#endif\nconstexpr int K = N * 2;\n#define A_TILE 64\n#define OTHER 100\n"
    assert constants(text) == (
        SizeConstant("N", 512, True),
        SizeConstant("K", 1024, False),
        SizeConstant("HALF_N", 256, False),
    )


def test_that_a_tile_of_the_inner_dimension_is_no_size_of_a_matrix() -> None:
    assert [SizeConstant(name, 8, True).role for name in ("BLOCK_SIZE_K", "TILE_K", "K", "SIZE_K")] == [
        "",
        "",
        "K",
        "K",
    ]


def test_that_small_sizes_stay_and_large_ones_are_replaced_where_the_file_allows_it() -> None:
    small, large = SizeConstant("N", 1024, True), SizeConstant("K", 8192, True)
    assert smaller_defines([small]) == ()
    assert smaller_defines([small, large]) == (("N", 256), ("K", 320))
    assert smaller_defines([large, SizeConstant("M", 8192, True)]) == (("K", 256), ("M", 256))
    assert too_large([small, large]) == ""


@pytest.mark.parametrize("is_guarded", [False, True])
def test_that_large_sizes_that_cannot_be_replaced_are_refused(is_guarded: bool) -> None:
    sizes = [SizeConstant("N", 8192, False), SizeConstant("K", 4096, is_guarded)]
    assert smaller_defines(sizes) == ()
    assert too_large(sizes).startswith("a product with N = 8192, K = 4096 takes too long on the PTX machine: put the")
    assert "between #ifndef N and #endif" in too_large(sizes)


def test_that_the_largest_of_the_sizes_is_the_one_to_make_smaller() -> None:
    values = {"M": 16, "N_ALL": 4096, "K_ALL": 8192, "M_ALL": 512}
    sizes = [SizeConstant(name, value, False) for name, value in values.items()]
    assert "put the definition of K_ALL between #ifndef K_ALL and #endif" in too_large(sizes)


def test_that_sizes_may_be_arguments_of_the_template() -> None:
    text = """template <int M, int N, int K> __global__ void mm(const float *A, const float *B, float *C) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < K; ++k) s += A[row * K + k] * B[k * N + col];
    if (row < M) C[row * N + col] = s;
}
void run(float *A) { mm<128, 96, 64><<<dim3(6, 8), dim3(16, 16)>>>(A, A, A); }
"""
    source = read_source(text, Language.CUDA)
    searched = SearchedKernel(Path("mm.cu"), text, Language.CUDA, source, source.kernels[0])
    named = [(one.name, one.value) for one in searched.sizes_of_body]
    assert named == [("M", 128), ("N", 96), ("K", 64)]
    launched = source.launches[0].template
    sizes = searched.unnamed_sizes(searched.types(launched), launched)
    assert [(place, one.role, one.value) for place, one in sizes.items()] == [(3, "M", 128), (4, "N", 96), (5, "K", 64)]
