"""What a description is said to rest on, and what a result is said to be that is nearly right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.roles import Role
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.grounds import lines_of_others
from gemmviz.adopt.prove.launcher import BlockGeometry, Index
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Layout
from gemmviz.machine.memory import Array

SCORES = """__global__ void scores(const float *A, const float *B, float *C, int seq_q, int seq_k, int inner) {
    int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 8 + threadIdx.x;
    if (r >= seq_q || c >= seq_k) return;
    float s = 0; for (int k = 0; k < inner; ++k) s += A[r * inner + k] * B[k * seq_k + c];
    C[r * seq_k + c] = s;
}
"""
ROWS = Storage(layout=Layout.ROW, element=Element.FLOAT32)
PLAIN = Description("mm", (), (), ("A", "B", "C"), (ROWS, ROWS, ROWS, ROWS), ("1",), ("1",))
SHAPE = Shape(17, 33, 65)


class Off:
    """A kernel whose results are products that are off by so much."""

    def __init__(self, by: float) -> None:
        self._by = by

    def with_local(self, _: tuple[tuple[int, int], ...]) -> Off:
        return self

    def run(self, given: Sequence[int | float | Array], _: BlockGeometry, __: Index, ___: float) -> None:
        a, b, c = (one.bytes.view(np.float32) for one in given if isinstance(one, Array))
        product = a.reshape(SHAPE.m, SHAPE.k).astype(np.float64) @ b.reshape(SHAPE.k, SHAPE.n)
        c[:] = (product + self._by).ravel()


@pytest.mark.usefixtures("nvrtc")
def test_that_a_name_which_what_was_proven_belies_is_no_ground() -> None:
    found = look_at(Path("mine.cu"), SCORES, "", 90.0, lambda _: None).found[0]
    assert found.description is not None
    assert found.description.arguments[3:] == ("M", "N", "K")
    assert "inner sounds like the dimension that is summed over" in found.because
    assert not any("seq_k" in one for one in found.because)


GUARDED = """constexpr int EDGE = 8;
__global__ void square(const float *A, const float *B, float *C, int rows, int N, int K) {
    int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
    if (rows != N || r >= rows || c >= N) return;
    float s = 0; for (int k = 0; k < K; ++k) s += A[r * K + k] * B[k * N + c];
    C[r * N + c] = s;
}
void run(float *a, float *b, float *c, int n, int k) {
    const int WIDE = 16;
    square<<<dim3((n + WIDE - 1) / WIDE, (n + EDGE - 1) / EDGE), dim3(WIDE, EDGE)>>>(a, b, c, n, n, k);
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_constants_of_the_host_code_alone_and_a_guard_of_sizes_are_grounds() -> None:
    (found,) = look_at(Path("mine.cu"), GUARDED, "", 90.0, lambda _: None).found
    assert found.description is not None, found.reasons
    assert found.description.equal == (("M", "N"),)
    assert {
        "EDGE = 8: host code computes the block and grid of the launch in line 10 with it, and the "
        "kernel does not use it",
        "WIDE = 16: host code computes the block and grid of the launch in line 10 with it, and the "
        "kernel does not use it",
        "M = N: line 4 compares rows with N",
    } <= {*found.because}


@pytest.mark.parametrize(
    ("by", "is_right", "is_coarse"), [(0.0, True, False), (1e-4, False, True), (0.1, False, False)]
)
def test_that_results_which_are_a_little_off_are_coarse_and_not_wrong(
    by: float, is_right: bool, is_coarse: bool
) -> None:
    found = check(Off(by), PLAIN, SHAPE, 1.0)
    assert (found.is_right, found.is_coarse) == (is_right, is_coarse)


def test_that_a_matrix_that_is_addressed_with_the_lines_of_another_one_is_named() -> None:
    names = ["a", "lda", "b", "ldb", "c", "ldc"]
    roles = {place: Role(names[place], "") for place in (1, 3, 5)}
    found = lines_of_others(names, roles, ["A", "lda", "B", "ldc", "C", "ldc"])
    assert found == ["the kernel addresses C with ldb, not with ldc"]
    assert lines_of_others(names, roles, names) == []
