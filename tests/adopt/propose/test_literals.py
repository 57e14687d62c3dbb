"""Sizes that are plain numbers of a kernel or of its launch, and what is said of numbers that were tried."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.constants import SizeConstant, literal_sizes, size_constants, too_large
from gemmviz.adopt.source.read import read_source
from gemmviz.adopt.words import summary_of
from gemmviz.domain.terms import Language

pytestmark = pytest.mark.usefixtures("nvrtc")
GUARDED = """__global__ void matmul(float *a, float *b, float *c) {
    int id = blockIdx.x * blockDim.x + threadIdx.x, row = id / 48, col = id % 48;
    if (row < 32) {
        float s = START;
        for (int i = 0; i < 24; i++) s += a[row * 24 + i] * b[i * 48 + col];
        c[row * 48 + col] = s;
    }
}
void run(float *a, float *b, float *c) { matmul<<<6, 256>>>(a, b, c); }
"""
OPEN = """__global__ void mm(const float *a, const float *b, float *c) {
    __shared__ float as[16][16], bs[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float s = 0;
    for (int k0 = 0; k0 < 64; k0 += 16) {
        as[threadIdx.y][threadIdx.x] = a[row * 64 + k0 + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k0 + threadIdx.y) * 96 + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) s += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * 96 + col] = s;
}
void run(float *a, float *b, float *c) { mm<<<dim3(6, 3), dim3(16, 16)>>>(a, b, c); }
"""
IN_SIGNATURE = """#define HEIGHT 64
#define WIDTH 96
#define DEPTH 40
__global__ void mm(float A[HEIGHT][DEPTH], float B[DEPTH][WIDTH], float C[HEIGHT][WIDTH]) {
    int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 8 + threadIdx.x;
    float s = 0;
    for (int k = 0; k < DEPTH; k++) s += A[i][k] * B[k][j];
    C[i][j] = s;
}
"""
STRIDED = """__global__ void mm(const float *a, const float *b, float *c, unsigned n, unsigned m, unsigned p) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n * p; i += gridDim.x * blockDim.x) {
        float s = 0;
        for (unsigned k = 0; k < m; k++) s += a[i / p * m + k] * b[k * p + i % p];
        c[i] = s;
    }
}
void run(float *a, float *b, float *c) { mm<<<80, 128>>>(a, b, c, 100, 200, 300); }
"""


def found_of(text: str) -> KernelFinding:
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    return found


def summary(text: str) -> str:
    found = found_of(text)
    assert found.description is not None, found.reasons
    assert not found.description.otherwise
    return summary_of(found.description)


def test_that_numbers_of_the_body_are_sizes_where_nothing_else_is() -> None:
    assert summary(GUARDED.replace("START", "0")) == "C = A·B, needs M = 32, N = 48 and K = 24"


def test_that_the_edge_of_a_tile_is_not_taken_for_the_number_of_rows() -> None:
    assert summary(OPEN) == "C = A·B, needs N = 96 and K = 64, needs M in multiples of 16"


def test_that_a_number_may_be_more_than_one_size() -> None:
    squares = OPEN.replace("96", "64").replace("dim3(6, 3)", "dim3(4, 4)")
    assert summary(squares) == "C = A·B, needs N = 64 and K = 64, needs M in multiples of 16"


def test_that_what_is_no_product_of_these_numbers_names_their_lines() -> None:
    reasons = found_of(
        GUARDED.replace("START", "i0").replace("24 + i]", "24 + i + (i & 1)]").replace("i0", "1")
    ).reasons
    assert "where the sizes tried were those of the file (48 in line 2, 32 in line 3 and 24 in line 5)" in reasons[0]


def test_that_constants_of_the_signature_are_sizes() -> None:
    assert summary(IN_SIGNATURE) == "C = A·B, needs M = 64, N = 96 and K = 40"


def test_that_a_number_in_a_launch_is_a_size_where_named_sizes_are_numbers_too() -> None:
    assert summary(STRIDED).startswith("C = A·B, takes every size")


def test_that_a_kernel_that_cannot_run_says_which_numbers_it_was_given() -> None:
    beyond = STRIDED.replace("a[i / p * m + k]", "a[i / p * m + k + n * m * p]")
    (reason, *_) = found_of(beyond).reasons
    assert "where gemmviz gave n = " in reason


def test_that_a_wrong_element_is_named_with_size_right_value_and_inputs() -> None:
    wrong = IN_SIGNATURE.replace("C[i][j] = s;", "C[i][j] = i == 63 && j == 95 ? s + 1 : s;")
    (reason, *_) = found_of(wrong).reasons
    assert "at 64x96x40: 1 of 6144 elements are wrong; C[63,95] is " in reason
    assert re.search(r" is -?[\d.]+, right is -?[\d.]+, with A and B random from -1 to 1 \(seed 1\)", reason)


def test_that_numbers_without_a_name_are_told_by_their_lines() -> None:
    text = "#define N 4096\n__global__ void k(float *A, float *B, float *C)\n{ C[N] = A[9000] * B[7 + 4096]; }"
    source = read_source(text, Language.CUDA)
    named = size_constants(source.kernels[0], source.names, text)
    sizes = literal_sizes(source.kernels[0], named)
    assert sizes == (SizeConstant("9000", 9000, False, 3),)
    assert too_large(sizes) == (
        "a product with 9000 in line 3 takes too long on the PTX machine: make these numbers parameters of the kernel, "
        "so that smaller ones can be tried"
    )
