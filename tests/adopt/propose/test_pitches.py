"""Sizes that the source of a kernel fixes although it takes numbers: lines of arrays, constants called K."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.constants import SizeConstant
from gemmviz.adopt.propose.pitches import pitches_of, with_fixed_sizes
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

BODY = """{
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (r < M && c < N) {
        float s = 0;
        for (int k = 0; k < K; k++) s += A_OF * B_OF;
        C_OF = s;
    }
}
void run(float *a, float *b, float *c, int M, int N) {
    mm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(a, b, c, M, N);
}
"""
ARRAYS = BODY.replace("A_OF", "A[r][k]").replace("B_OF", "B[k][c]").replace("C_OF", "C[r][c]")
LISTS = BODY.replace("A_OF", "A[r * K + k]").replace("B_OF", "B[k * N + c]").replace("C_OF", "C[r * N + c]")


def test_that_the_lines_of_arrays_are_read_from_the_signature() -> None:
    text = "#define W 96\n__global__ void f(float A[][64], float (*B)[W], float *C[8], float D[32], float E[4][8]) {}"
    source = read_source(text, Language.CUDA)
    assert pitches_of(source.kernels[0], source.names) == {0: 64, 1: 96, 4: 8}


def test_that_a_number_is_given_what_the_source_fixes_for_its_dimension_and_no_other_is() -> None:
    fixed = {3: SizeConstant("K", 512, is_guarded=False)}
    numbers = with_fixed_sizes({0: 512, 1: 768, 2: 640}, {0: "M", 1: "N", 2: "K"}, fixed)
    assert numbers == {0: 896, 1: 768, 2: 512, 3: 512}


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        (
            f"__global__ void mm(const float (*A)[64], float B[][96], float C[][96], int M, int N, int K) {ARRAYS}",
            "NK",
        ),
        (f"#define K 64\n__global__ void mm(const float *A, const float *B, float *C, int M, int N) {LISTS}", "K"),
    ],
)
def test_that_a_size_that_the_source_fixes_is_a_limit(text: str, fixed: str) -> None:
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    assert dict(found.description.fixed) == {name: {"N": 96, "K": 64}[name] for name in fixed}
    assert found.description.otherwise == ""
    assert found.description.grid == ("ceil_div(N, 16)", "ceil_div(M, 16)")


@pytest.mark.parametrize(
    ("sizes", "tried"),
    [("int rows, int cols", True), ("int p, int q", True), ("int M, int N", True), ("int p, int q, int r", False)],
)
def test_that_a_plain_number_is_tried_as_the_size_that_no_parameter_is(sizes: str, tried: bool) -> None:
    body = "for (int k = 0; k < 64; ++k) C[0] += A[k] * B[k];"
    text = f"__global__ void mm(const float *A, const float *B, float *C, {sizes}) {{ {body} }}"
    source = read_source(text, Language.CUDA)
    searched = SearchedKernel(Path("mm.cu"), text, Language.CUDA, source, source.kernels[0])
    assert [one.value for one in searched.unnamed_sizes(searched.types()).values()] == ([64] if tried else [])
