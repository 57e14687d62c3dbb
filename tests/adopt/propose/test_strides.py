"""A stride along rows and one along columns are read as a leading dimension and 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.strides import stride_roles
from gemmviz.adopt.source.kernels import SignatureParameter

RESULT = "fabsf(sum) + 0.5f * c[i * incc + j * otherc]"
TEXT = """__global__ void gemm(int m, int n, int k, const float *a, int INC_a, int OTHER_a, const float *b, int INC_b,
                     int OTHER_b, float *c, int INC_c, int OTHER_c) {
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= m || j >= n) return;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += a[i * INC_a + p * OTHER_a] * b[p * INC_b + j * OTHER_b];
    c[i * INC_c + j * OTHER_c] = RESULT;
}
"""


def parameters(*names: str) -> list[SignatureParameter]:
    return [SignatureParameter(name, "int", "int", is_pointer=False, is_const=False) for name in names]


@pytest.mark.parametrize("names", [("rsa", "csa"), ("rs_a", "cs_a"), ("row_stride_A", "col_stride_A")])
def test_that_strides_are_those_of_row_major_matrices_then_of_column_major_ones(names: tuple[str, str]) -> None:
    assert stride_roles(parameters("m", *names)) == [{1: "lda", 2: "unit"}, {1: "unit", 2: "lda"}]


def test_that_a_stride_without_the_other_one_is_none() -> None:
    assert stride_roles(parameters("rsa", "csb", "rows")) == []


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_with_strides_and_no_host_code_is_proven() -> None:
    text = TEXT.replace("INC_", "rs").replace("OTHER_", "cs").replace("RESULT", "sum")
    (found,) = look_at(Path("mine.cu"), text, "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    given = ("M", "N", "K", "A", "lda", "1", "B", "ldb", "1", "C", "ldc", "1")
    assert found.description.arguments == given


@pytest.mark.usefixtures("nvrtc")
def test_that_elements_that_share_an_address_by_guessed_numbers_are_no_race() -> None:
    text = TEXT.replace("INC_", "inc").replace("OTHER_", "other").replace("RESULT", RESULT)
    (found,) = look_at(Path("mine.cu"), text, "", 60, lambda _: None).found
    assert found.description is None
    assert not any("race" in one for one in found.reasons)
