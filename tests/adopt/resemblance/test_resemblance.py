"""What is no product of two matrices is named by what it looks like, with what can be done."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gemmviz.adopt.finding import AdoptionStep, KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.other_operations import sounds_like
from gemmviz.adopt.source.read import read_source
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Language
from gemmviz.measure.bench import Bench, make_inputs

DATA = Path(__file__).parents[2] / "data" / "adopt" / "other"
pytestmark = pytest.mark.usefixtures("nvrtc")

LOOKS_LIKE = {
    "gemv.cu: gemv": (
        "it looks like a product of a matrix and a vector: in a trial each of 64 elements that were compared is a row "
        "of A times x; describe it as a product with one column: "
        'args = ["A", "B", "C", "M", "K"], constraints = ["N == 1"]'
    ),
    "gemv_without_launch.cu: rows_of": "it looks like a product of a matrix and a vector: in a trial each of 64 ",
    "gemv_alpha.cu: gemv_warp": (
        "is alpha times a row of a times x plus beta times what was there; describe it as a product with one column: "
        'args = ["M", "K", "alpha", "A", "lda", "B", "beta", "C"], constraints = ["N == 1"]'
    ),
    "batch_strides.cu: bmm": "its results are products, but do not show what strideA stands for: say in host code",
    "axpy.cu: saxpy": "a sum of vectors (axpy): in a trial each of 58 elements that were compared is a·x + y",
    "axpy.cu: hadamard": "an operation on each element by itself: in a trial each of 59 elements that were compared is",
    "behind.cu: gelu": "a product with GELU of each element behind it: in a trial each of 60 elements that",
    "behind.cu: dequantised": "is A·B·scale[column]; gemmviz compares results with alpha·A·B + beta·C only",
    "behind.cu: trmm": "with a triangular matrix on the left: in a trial each of 60 elements that were",
    "behind.cu: lower": "is A·B, and only elements on and below the diagonal were written; let it write",
    "behind.cu: rows_of_softmax": "a product with a softmax of each row behind it: in a trial each of ",
    "no_matrices.cu: batch": "`const float *const *A` is an array of pointers, as of a batch, and gemmviz gives",
    "no_matrices.cu: complexes": "its matrices are of complex numbers (cuFloatComplex), and gemmviz gives",
    "no_matrices.cu: pairs": "its matrices are of float2; where these are complex numbers, take real and imaginary",
    "no_matrices.cu: spmm": "rows and where point to int, and gemmviz gives kernels matrices of float",
    "no_matrices.cu: quantised": "A and B point to signed char, and gemmviz gives kernels matrices of float",
    "changed.cu: symm": "is A (its lower triangle alone, which stands for both)·B; let it read every element of",
    "changed.cu: tiled_a": "a product of a matrix that is stored in tiles: in a trial each of 60 elements that were",
    "changed.cu: padded": "is A (lines K + 1 elements apart)·B; let it take the distance between lines as a parameter",
    "changed.cu: squared": "is A·B + C·C; gemmviz compares results with alpha·A·B + beta·C only: leave C out, or add",
    "changed.cu: magnitudes": "is |A|·B; gemmviz describes products of two matrices only, of their elements as they",
    "changed.cu: tropical": "is the largest A[row,k] + B[k,column] over k < 640; gemmviz describes products of two",
    "changed.cu: syrk": "is alpha·A·Aᵀ + beta·C, and only elements on and below the diagonal were written; let it",
    "changed.cu: one_element": "threads changed 1 element of C; C[0] is ",
    "changed.cu: waves": "; nearest is A·B, which is ",
    "conv.cu: conv1d": "a convolution in one dimension: in a trial each of 13 elements that were compared is the sum",
    "conv.cu: conv2d": "the name conv2d sounds like a convolution; gemmviz describes products of two matrices only",
    "linear_layer.cu: linear": "is max(0, x·wᵀ + bias[column]); gemmviz compares results with alpha·A·B + beta·C only",
    "outer.cu: outer": 'a product with K = 1: args = ["A", "B", "C", "M", "N"], constraints = ["K == 1"]',
    "outer.cu: gemm_bias_relu": "is max(0, A·B + bias[column]); gemmviz compares results with alpha·A·B + beta·C only",
    "outer.cu: first_column_only": "elements are wrong (column 0 alone is right); C[0,1] was not written",
    "outer.cu: upper": "it was compared with alpha·A·B + beta·C for every order of its pointers and numbers",
    "reduce.cu: reduce_sum": "a reduction: in a trial the one element that it wrote is the sum of in + out[0]",
    "reduce.cu: dot": 'start = "zero" in [operands.C]: args = ["A", "B", "C", "K"], constraints = ["M == 1", "N == 1"]',
    "softmax.cu: softmax": "a normalisation (softmax): in a trial each of 512 rows that it wrote adds up to 1",
    "transpose.cu: transpose": "a transposition: in a trial each of 58 elements that were compared is in with rows and",
}
AS_PRODUCTS = {
    "gemv.cu": ('args = ["A", "B", "C", "M", "K"]\nconstraints = ["N == 1"]', '["256"]\ngrid = ["ceil_div(M, 256)"]'),
    "gemv_alpha.cu": (
        'args = ["M", "K", "alpha", "A", "lda", "B", "beta", "C"]\nconstraints = ["N == 1"]',
        '["32", "8"]\ngrid = ["ceil_div(M, 8)"]',
    ),
}


def quiet(step: AdoptionStep) -> None:
    del step


@cache
def looked(name: str) -> tuple[KernelFinding, ...]:
    path = DATA / name
    return look_at(path, path.read_text(encoding="utf-8"), "", 40.0, quiet).found


@pytest.mark.parametrize("what", LOOKS_LIKE)
def test_that_a_kernel_is_named_by_what_it_looks_like(what: str) -> None:
    name, kernel = what.split(": ")
    found = next(one for one in looked(name) if one.kernel == kernel)
    assert not found.is_proven
    assert any(LOOKS_LIKE[what] in reason for reason in found.reasons), found.reasons


@pytest.mark.parametrize("name", AS_PRODUCTS)
def test_that_what_can_be_done_makes_the_kernel_run(name: str) -> None:
    told, launch = AS_PRODUCTS[name]
    assert all(line in looked(name)[0].reasons[0] for line in told.splitlines())
    path = DATA / name
    kernel = described_kernel(path, path.read_text(encoding="utf-8"), f"{told}\n[launch]\nblock = {launch}\n")
    with Bench() as bench:
        inputs = make_inputs(Shape(77, 1, 45), Fill.NORMAL, 9)
        run = bench.run(kernel, kernel.params({}), find_device("machine"), inputs)[0]
    assert run.accuracy.passed


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        (
            "spmv_csr(const int *row_ptr, const float *x, float *y, int n)",
            "the name spmv_csr sounds like a product with",
        ),
        ("k(const float *q, float softmax_scale, float *o)", "the name softmax_scale sounds like attention; "),
        ("sgemm(const float *A, const float *B, float *C, int M)", ""),
        ("k(const float *A, const float *B, float *C, int M, int rowOffset)", ""),
        (
            "k(const float *v, const int *rowOffsets, const unsigned *cols, const float *x, float *y)",
            "the name rowOffsets sounds like a product with a sparse matrix",
        ),
        ("tile_matmul(const float *A, const float *value, float *mvp, int colour)", ""),
        ("paddingAdd(const float *A, float *B, int rows)", ""),
        ("k(const float *A, float *B, int padding)", "the name padding sounds like a convolution"),
    ],
)
def test_that_names_of_other_operations_are_told(signature: str, words: str) -> None:
    kernel = read_source(f"__global__ void {signature} {{ }}", Language.CUDA).kernels[0]
    found = sounds_like(kernel)
    assert found[0].words.startswith(words) if words else not found, found


_LAYER = """__global__ void linear(const float *x, const float *w, const float *bias, float *y, int batch, int in_f,
                       int out_f)
{
    int o = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y * blockDim.y + threadIdx.y;
    if (o >= out_f || b >= batch) return;
    float s = bias[PLACE];
    for (int i = 0; i < in_f; i++) s += x[b * in_f + i] * w[o * in_f + i];
    y[b * out_f + o] = s;
}
"""


@pytest.mark.parametrize(("place", "side"), [("o", "column"), ("b", "row")])
def test_that_a_bias_of_rows_and_one_of_columns_are_told_apart(place: str, side: str) -> None:
    (found,) = look_at(Path("linear.cu"), _LAYER.replace("PLACE", place), "", 60.0, quiet).found
    (reason,) = found.reasons
    assert f"linear.cu:1: it looks like a product with a bias for each {side} behind it: " in reason
    assert f"is x·wᵀ + bias[{side}]; " in reason
    assert f"leave out bias, which has one element for each {side} of the result" in reason


@pytest.mark.usefixtures("nvrtc")
def test_that_a_launch_that_adds_up_a_part_of_each_sum_is_told_with_the_part() -> None:
    text = """__global__ void part(
    const float *A, const float *B, float *C, int M, int N, int K, int begin, int count) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = begin; k < begin + count; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] += sum;
}
void run(float *a, float *b, float *c, int M, int N, int K) {
    dim3 grid((N + 15) / 16, (M + 15) / 16);
    for (int i = 0; i < 4; ++i) part<<<grid, dim3(16, 16)>>>(a, b, c, M, N, K, i * (K / 4), K / 4);
}
"""
    (found,) = look_at(Path("part.cu"), text, "", 60, quiet).found
    assert found.description is None
    assert found.reasons[0].startswith("part.cu:1: it looks like a part of a product (split K): in a trial each of ")
    assert "is A·B with k from 0 to 159 alone, of 640; " in found.reasons[0]


@pytest.mark.usefixtures("nvrtc")
def test_that_a_part_of_sums_is_told_of_as_many_terms_as_the_matrices_have() -> None:
    """The kernel asks for the size of its grid, so that it is tried with sizes a quarter as large: K is 160."""
    text = """__global__ void first(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, count = gridDim.x;
    if (row >= M || col >= N || count == 0) return;
    float sum = 0.0f;
    for (int k = 0; k < (K + 1) / 2; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
void run(float *a, float *b, float *c, int M, int N, int K) {
    first<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(a, b, c, M, N, K);
}
"""
    (found,) = look_at(Path("first.cu"), text, "", 60, quiet).found
    assert "is A·B with k from 0 to 79 alone, of 160; " in found.reasons[0]


def test_that_one_block_of_a_kernel_whose_blocks_wait_for_each_other_is_no_vector() -> None:
    text = (
        "__device__ volatile int flag[4096];\n"
        "__global__ void chain(const float *A, const float *B, float *C, int M, int N, int K)\n{\n"
        "int b = blockIdx.x;\n"
        "if (b < gridDim.x - 1) { if (threadIdx.x == 0) while (flag[b + 1] == 0); __syncthreads(); }\n"
        "for (int c = threadIdx.x; c < N; c += blockDim.x) "
        "{ float s = 0; for (int k = 0; k < K; k++) s += A[b * K + k] * B[k * N + c]; C[b * N + c] = s; }\n"
        "__syncthreads(); if (threadIdx.x == 0) { __threadfence(); flag[b] = 1; }\n}\n"
        "void run(const float *A, const float *B, float *C, int M, int N, int K)\n"
        "{ chain<<<M, 64>>>(A, B, C, M, N, K); }\n"
    )
    (reason,) = look_at(Path("mine.cu"), text, "", 60.0, lambda _: None).found[0].reasons
    assert "vector" not in reason
    assert "waits for a value that a block which starts later may set" in reason


def test_that_blocks_of_one_row_each_are_a_product_with_a_vector_and_no_dot_product() -> None:
    text = """__global__ void rows(const float *mat, const float *vec, float *out, int M, int N) {
    int row = blockIdx.x;
    if (row >= M) return;
    float sum = 0.0f;
    for (int k = threadIdx.x; k < N; k += 32) sum += mat[row * N + k] * vec[k];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0) out[row] = sum;
}
void run(const float *mat, const float *vec, float *out, int M, int N) { rows<<<M, 32>>>(mat, vec, out, M, N); }
"""
    (reason,) = look_at(Path("rows.cu"), text, "", 60, quiet).found[0].reasons
    assert "it looks like a product of a matrix and a vector: in a trial each of 64 elements" in reason
    assert reason.endswith('args = ["A", "B", "C", "M", "K"], constraints = ["N == 1"]')
