"""A variable that is read before anything was written to it is named, and one of which nothing depends is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.words import verdict_words
from gemmviz.compiler.nvidia.nvidia_log import unset_variables

KERNEL = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= M || j >= N) return;
    DECLARED
    for (int k = 0; k < K; ++k)
        SUM += A[i * K + k] * B[k * N + j];
    C[i * N + j] = RESULT;
}
"""
UNINITIALISED = "it reads what nothing has been written to"

pytestmark = pytest.mark.usefixtures("nvrtc")


def found(declared: str, total: str, result: str) -> KernelFinding:
    text = KERNEL.replace("DECLARED", declared).replace("SUM", total).replace("RESULT", result)
    return look_at(Path("mm.cu"), text, "", 90.0, print).found[0]


@pytest.mark.parametrize(
    ("declared", "total", "result", "line", "words"),
    [
        (
            "float s;",
            "s",
            "s",
            6,
            "a variable of its own: with blocks of 16 × 16 threads, what one block writes changes",
        ),
        ("float s[2];", "s[k & 1]", "s[0] + s[1]", 6, "a variable of its own: with blocks of 16 × 16 threads"),
        ("float s = 0.0f, t;", "s", "s + t", 7, "says NVIDIA's compiler: t is used before its value is set"),
    ],
)
def test_that_a_sum_that_begins_with_nothing_is_the_reason_told(
    declared: str, total: str, result: str, line: int, words: str
) -> None:
    one = found(declared, total, result)
    assert one.description is None
    assert one.reasons[0].startswith(f"mm.cu:{line}: {UNINITIALISED}, {words}")


def test_that_a_value_that_is_set_where_it_is_used_is_no_fault() -> None:
    assert found("float s = 0.0f, t; if (M > 99999) t = 2.0f;", "s", "M > 99999 ? s * t : s").is_verified


def test_that_a_warning_of_the_compiler_is_a_doubt_about_a_kernel_whose_results_are_right() -> None:
    one = found("float s = 0.0f, t; if (K < 0) s = t;", "s", "s")
    assert one.description is not None
    assert not one.is_verified
    assert verdict_words(one.description).startswith(
        "not verified: NVIDIA's compiler shows a hazard: uninitialised read in line 4"
    )


def test_that_warnings_of_other_files_and_of_other_sorts_are_no_unset_variables() -> None:
    log = """kernel.cu(5): warning #549-D: variable "s" is used before its value is set
other.h(6): warning #549-D: variable "t" is used before its value is set
kernel.cu(7): warning #177-D: variable "u" was declared but never referenced
"""
    assert unset_variables(log) == ((5, "s"),)
