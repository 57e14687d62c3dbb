"""A kernel that takes its numbers in a structure is refused with the structure's members and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.source.structures import FoundStructure, structure_called

HEAD = "typedef float real;\n"


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("struct P { int M, N, K; const float *A; float (*C)[4]; };", ("M", "N", "K", "A", "C")),
        ("typedef struct { real alpha; int sizes[3]; } P;", ("alpha", "sizes")),
        ("typedef struct Named { int M; } P;", ("M",)),
        ("template <typename T> struct P { T *A; int M; P() {} };", ("A", "M")),
        ("struct Q { int M; }; struct P;", ()),
        ("struct P {};", ()),
    ],
)
def test_that_members_of_a_structure_are_found_by_its_name(text: str, members: tuple[str, ...]) -> None:
    found = FoundStructure(2, members) if members else None
    assert structure_called("P", HEAD + text) == found


@pytest.mark.usefixtures("nvrtc")
def test_that_the_reason_names_the_members_and_where_they_are_defined() -> None:
    text = """struct Sizes { int M, N, K; };
__global__ void mm(const float *A, const float *B, float *C, const Sizes s) {
    int row = blockIdx.x, column = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < s.K; ++k) sum += A[row * s.K + k] * B[k * s.N + column];
    C[row * s.N + column] = sum;
}
"""
    for signature in ("const Sizes s", "int unused, const Sizes s"):
        (found,) = look_at(Path("mine.cu"), text.replace("const Sizes s", signature), "", 60.0, lambda _: None).found
        assert found.reasons == (
            "mine.cu:2: `const Sizes s` is a structure of M, N and K (line 1), and gemmviz gives no values of "
            "structures: pass its members as parameters of their own",
        )
