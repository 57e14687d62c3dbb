"""Kernels that macros make are read where the macros are used, and compiled from the file as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import AdoptionStep
from gemmviz.adopt.look import look_at
from gemmviz.adopt.source.read import read_source
from gemmviz.adopt.source.written_macros import with_kernels_written_out
from gemmviz.compiler.device_code import device_code
from gemmviz.domain.terms import Language

TEXT = """#define SIZES int M, int N, int K
#define ARGS const float *A, const float *B, float *C, SIZES
#define KERNEL(NAME, T) \\
__global__ void NAME##_##T(const T *A, const T *B, T *C, int M, int N, int K) \\
{ \\
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x; \\
    T acc = 0; \\
    for (int k = 0; k < K && row < M && col < N; ++k) acc += A[row * K + k] * B[k * N + col]; \\
    if (row < M && col < N) C[row * N + col] = acc; \\
}
#define OF_DOUBLES(NAME) KERNEL(NAME, double)
KERNEL(
    gemm, float)
OF_DOUBLES(gemm)

void run(const float *A, const float *B, float *C, int M, int N, int K) {
    gemm_float<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
#define HEAD(NAME) extern "C" __global__ void NAME(ARGS)
HEAD(by_head) { C[threadIdx.x] = A[0] * B[0]; }
"""


def quiet(step: AdoptionStep) -> None:
    del step


def test_that_kernels_stand_on_the_lines_that_use_their_macros() -> None:
    source = read_source(TEXT, Language.CUDA)
    assert {one.entry: one.line for one in source.kernels} == {"gemm_float": 12, "gemm_double": 14, "by_head": 20}
    head = next(one for one in source.kernels if one.entry == "by_head")
    assert [one.name for one in head.parameters if one.is_pointer] == ["A", "B", "C"]
    assert (source.launches[0].kernel, source.launches[0].line) == ("gemm_float", 17)
    assert with_kernels_written_out(TEXT).count("\n") == TEXT.count("\n")


def test_that_a_file_without_such_macros_stays_as_it_is() -> None:
    text = (
        "#define TILE 16\n#define AT(r, c) A[(r) * K + (c)]\n__global__ void k(float *A, int K) { AT(0, 1) = TILE; }\n"
    )
    assert with_kernels_written_out(text) == text


def test_that_the_uses_of_such_macros_are_code_of_the_device_and_what_follows_is_not() -> None:
    kept = device_code(TEXT, lambda name: bool(name)).text
    assert "OF_DOUBLES(gemm)" in kept
    assert "gemm, float)" in kept
    assert "<<<" not in kept


@pytest.mark.usefixtures("nvrtc")
def test_that_such_a_kernel_is_proven() -> None:
    (found,) = look_at(Path("mine.cu"), TEXT, "gemm_float", 90.0, quiet).found
    assert found.description is not None, found.reasons
    assert found.description.arguments == ("A", "B", "C", "M", "N", "K")
