"""A parameter is alpha or beta only if it scales whatever its value: large, tiny, negative or 0."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.sidecar import sidecar_text

pytestmark = pytest.mark.usefixtures("nvrtc")
KERNEL = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void gemm(int M, int N, int K, float alpha, const float *A, const float *B, float beta,
                     float *C) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f, held = C[row * N + column];
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    unsigned sm = 0;
    C[row * N + column] = RESULT;
}
"""
USUAL = "alpha * sum + beta * held"


def found_of(result: str) -> KernelFinding:
    (found,) = look_at(Path("mm.cu"), KERNEL.replace("RESULT", result), "", 120, lambda _: None).found
    return found


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("alpha * sum + fminf(beta, 1.5f) * held", "but not with beta = 2: "),
        ("alpha * sum + fminf(beta, 100.0f) * held", "but not with beta = 1024: "),
        ("fmaxf(alpha, -100.0f) * sum + beta * held", "but not with alpha = -1024: "),
        ("(alpha < 0.0f || alpha > 0.01f ? alpha : 0.0f) * sum + beta * held", "but not with alpha = 0.000976562: "),
    ],
)
def test_that_a_clamped_factor_is_named_with_the_value_that_shows_it(result: str, words: str) -> None:
    found = found_of(result)
    assert found.description is None
    assert f"{words.split()[3]} does not act as such: it is right with alpha = 1.5" in found.reasons[0]
    assert words in found.reasons[0]


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (
            "beta < 0.0f ? alpha * sum : alpha * sum + beta * held",
            "beta does not act as such: with alpha = 1.5 and beta = -0.75 what one block wrote is alpha·A·B, with "
            "beta = 1.25 it is not",
        ),
        (
            "fabsf(alpha) * sum + beta * held",
            "alpha does not act as such: with alpha = 1.5 and beta = -0.75 what one block wrote is alpha·A·B + beta·C, "
            "with alpha = -0.875 it is not",
        ),
        ("alpha * (sum + beta * held)", "alpha does not act as such: "),
        (
            "alpha * alpha * sum + beta * held",
            "alpha does not act as such: with alpha = 1.5 and beta = -0.75 what one block wrote is "
            "1.5·alpha·A·B + beta·C, with alpha = -0.875 it is not: alpha may act twice",
        ),
        (
            "alpha * sum + (beta == 0.0f ? 0.0f : held)",
            "beta does not act as such: with alpha = 1.5 and beta = 0.5 it is right with beta = 1 in place of 0.5, so "
            "beta may be ignored",
        ),
    ],
)
def test_that_what_one_value_alone_scales_is_no_factor(result: str, words: str) -> None:
    found = found_of(result)
    assert found.description is None
    (reason,) = found.reasons
    assert reason.startswith(f"mm.cu:3: {words}")


def test_that_an_alpha_that_acts_twice_is_no_function_of_the_product() -> None:
    text = KERNEL.replace(" float beta,", "").replace("RESULT", "alpha * alpha * sum").replace(", held = C", "; //")
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    (reason,) = found.reasons
    assert reason.startswith(
        "mm.cu:3: alpha does not act as such: with alpha = 1.5 what one block wrote is 1.5·alpha·A·B"
    )


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (
            "__half2float(__float2half(alpha)) * sum + beta * held",
            "alpha is rounded to half or TF32 before it multiplies",
        ),
        (
            "alpha * sum + __bfloat162float(__float2bfloat16(beta)) * held",
            "beta is rounded to bfloat16 before it multiplies",
        ),
    ],
)
def test_that_a_factor_that_a_coarser_type_holds_is_named_with_the_type(result: str, words: str) -> None:
    found = found_of(result)
    assert found.description is None
    assert words in found.reasons[0]
    assert "sums in" not in found.reasons[0]


def test_that_a_tiny_factor_is_tried_with_nothing_beside_it() -> None:
    found = found_of("alpha * sum + (beta == 0.0f ? 0.0f : rintf(beta * 1048576.0f) / 1048576.0f * held)")
    assert found.description is None
    assert "beta does not act as such where it is tiny: at " in found.reasons[0]


def test_that_factors_of_half_matrices_may_be_rounded_as_the_matrices_are() -> None:
    text = (
        KERNEL.replace("float *", "__half *")
        .replace("float alpha", "__half alpha")
        .replace("float beta", "__half beta")
    )
    text = text.replace("held = C", "held = (float)C").replace("A[row * K + k] * B", "(float)A[row * K + k] * (float)B")
    text = text.replace("RESULT", "alpha * (__half)sum + beta * (__half)held")
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is not None, found.reasons


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (
            "beta == 0.0f ? alpha * sum : sum + beta * held",
            "alpha does not act as such: with alpha = 1 the result is C = A·B + beta·C, with alpha = 1.5 and beta = 0 "
            "it is not: at ",
        ),
        (
            "alpha == 0.0f ? 0.0f : sum + beta * held",
            "alpha does not act as such: with alpha = 1 the result is C = A·B + beta·C, with alpha = 0 and beta = 0.5 "
            "it is not: at ",
        ),
    ],
)
def test_that_a_parameter_that_changes_the_result_is_no_constant(result: str, words: str) -> None:
    found = found_of(result)
    assert found.description is None
    assert found.reasons[0].startswith(f"mm.cu:3: {words}"), found.reasons


def test_that_a_parameter_that_changes_nothing_is_given_a_constant() -> None:
    found = found_of("sum + beta * held")
    assert found.description is not None, found.reasons
    assert found.description.arguments[3] == "1.0"


def test_that_what_reads_a_register_of_the_gpu_says_so_with_its_line() -> None:
    smid = found_of(f'([&] {{ asm("mov.u32 %0, %%smid;" : "=r"(sm)); return sm > 100 ? 1.0f : {USUAL}; }}())')
    assert smid.notes[-1] == "reads %smid (line 10): on another GPU its results may differ; not judged"
    assert not any("reads %" in one for one in found_of(USUAL).notes)


def test_that_a_kernel_that_writes_nothing_with_one_alpha_is_told_with_it() -> None:
    (found,) = look_at(
        Path("mm.cu"),
        KERNEL.replace("RESULT", f"{USUAL};\n").replace("    if (row >=", "    if (alpha < 0.0f || row >="),
        "",
        120,
        lambda _: None,
    ).found
    assert found.reasons[0].endswith("is alpha·A·B + beta·C, with alpha = -0.875 it changed nothing")


def test_that_a_beta_that_changes_nothing_is_said_to_have_no_effect() -> None:
    found = found_of("alpha * sum")
    assert found.description is not None
    assert found.description.formula == "C = alpha·A·B"
    assert "beta has no effect: with beta = 0.5 the result is the same, and C is not added" in found.notes
    added = found_of("alpha * sum + held")
    words = "beta has no effect: with beta = 0.5 the result is the same, and C is added whatever beta is"
    assert words in added.notes


def without_factors(result: str) -> KernelFinding:
    text = KERNEL.replace(" float alpha,", "").replace(" float beta,", "").replace("RESULT", result)
    return look_at(Path("mm.cu"), text, "", 120, lambda _: None).found[0]


def test_that_a_kernel_that_multiplies_c_by_the_constant_0_is_described_so() -> None:
    found = without_factors("1 * sum + 0 * held")
    assert found.description is not None, found.reasons
    assert found.description.formula == "C = A·B + 0·C"
    assert "C is read and multiplied by 0, so a NaN in it stays one: its description begins C as zeros" in found.notes
    assert 'beta = 0.0\n[operands.C]\nstart = "zero"\n' in sidecar_text(found.description)


def test_that_a_constant_too_small_for_elements_of_c_up_to_1_is_not_taken_for_0() -> None:
    found = without_factors("sum + 1.0e-12f * held")
    assert found.description is None
    assert "is not a number (NaN)" in found.reasons[0]
