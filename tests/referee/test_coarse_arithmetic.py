"""Arithmetic that is coarser than usual: a rounded input is named, and sums in half can be a note."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from broken_kernels import changed, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.engine.own_kernel_file import load_own_kernel
from gemmviz.measure.arithmetic.rounded_inputs import rounded_input_words
from gemmviz.referee.examinations.computes_in import ComputesIn
from gemmviz.referee.finding import Finding, Outcome, Ruling
from gemmviz.referee.subject import Subject
from gemmviz.referee.words import verdict_words

MACHINE = find_device("machine")
HALF_SUMS = """/*---
title = "mine"
entry = "mine"
{keys}
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
[operands.A]
type = "half"
[operands.B]
type = "half"
[operands.C]
type = "half"
---*/
#include <cuda_fp16.h>
extern "C" __global__ void mine(const half *A, const half *B, half *C, int M, int N, int K)
{{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    half acc = __float2half(0.0f);
    for (int k = 0; k < K; ++k) acc = __hfma(A[row * K + k], B[k * N + col], acc);
    C[row * N + col] = acc;
}}
"""


def half_sums(folder: Path, keys: str) -> Finding:
    path = folder / "mine.cu"
    path.write_text(HALF_SUMS.format(keys=keys), encoding="utf-8")
    kernel = load_own_kernel(path)
    return ComputesIn().examine(Subject(kernel, kernel.params({}), MACHINE))


def test_that_sums_in_half_are_a_note_where_no_arithmetic_is_claimed(tmp_path: Path) -> None:
    finding = half_sums(tmp_path, "")
    assert finding.outcome is Outcome.HELD
    assert verdict_words(Ruling("mine", (), "", "", (finding,))) == (
        "mine is right, but sums are rounded more coarsely than in float32 (in half), "
        "which `gemmviz run` takes for an error"
    )


def test_that_sums_in_half_fail_where_float_sums_are_claimed(tmp_path: Path) -> None:
    assert half_sums(tmp_path, 'arithmetic = "fp16"').outcome is Outcome.FAILED


def test_that_the_format_that_one_input_is_rounded_to_is_named(tmp_path: Path) -> None:
    body = changed("acc += A[row * K + k]", "acc += __bfloat162float(__float2bfloat16(A[row * K + k]))")
    kernel = kernel_of(tmp_path, body, head="#include <cuda_bf16.h>")
    finding = ComputesIn().examine(Subject(kernel, kernel.params({}), MACHINE))
    assert finding.reason.startswith("It computes with A rounded to bfloat16, which is less exact than the fp32")
    assert "tf32." not in finding.reason


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        ("0xFFFFFFF0", "20 of the 24 significant bits of A"),
        ("0xFFFFFFFE", "23 of the 24 significant bits of A"),
    ],
)
def test_that_bits_that_a_kernel_masks_off_are_counted(tmp_path: Path, mask: str, words: str) -> None:
    body = changed("acc += A[row * K + k]", f"acc += __int_as_float(__float_as_int(A[row * K + k]) & {mask})")
    kernel = kernel_of(tmp_path, body)
    finding = ComputesIn().examine(Subject(kernel, kernel.params({}), MACHINE))
    assert finding.outcome is Outcome.FAILED
    assert finding.reason == f"It computes with {words}, which is less exact than the fp32 it claims."


@pytest.mark.parametrize(("which", "words"), [("A", "A cut off to TF32 or half"), ("B", "B cut off to TF32 or half")])
def test_that_a_cut_input_is_told_from_a_rounded_one(which: str, words: str) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random((32, 16), np.float32), rng.random((16, 24), np.float32)
    cut = {name: (one.view(np.uint32) & 0xFFFFE000).view(np.float32) for name, one in (("A", a), ("B", b))}
    given = {"A": a, "B": b} | {which: cut[which]}
    assert rounded_input_words(a, b, given["A"].astype(np.float64) @ given["B"].astype(np.float64)) == words


def test_that_no_rounding_is_named_where_none_explains_the_result() -> None:
    a, b = np.ones((4, 4), np.float32), np.ones((4, 4), np.float32)
    assert rounded_input_words(a, b, np.zeros((4, 4))) == ""
