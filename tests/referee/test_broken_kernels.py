"""Kernels that break one rule: the referee names that one, and no other but those that a kernel cannot hold then."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from broken_kernels import SUM, changed, failed_of, ruling_on

from gemmviz.referee.finding import Judgement

PRODUCT = "A[row * K + k] * B[k * N + col]"
HALF = "#include <cuda_fp16.h>"
TF32 = "__device__ float cut(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }"
BOUNDS = "Stays inside its arrays"
STALE, ANSWERS = "Ignores what C held before", "Follows its inputs"
ARITHMETIC, BOUND = "Computes in the arithmetic it claims", "Within the error bound"
SIZES, ODD = "Right at the sizes it claims", "Right at sizes nothing divides"


class Broken(NamedTuple):
    """A kernel's body, the rules that it breaks with a part of what each reason says, and what stands before it."""

    body: str
    reasons: dict[str, str]
    head: str = ""


BROKEN = {
    "multiples of 16": Broken(changed("k < K", "k < K / 16 * 16"), {SIZES: "at 72x72x72: ", ODD: "at 17x19x23: "}),
    "constant": Broken(changed("acc;\n", "3.0f;\n"), {ANSWERS: "the result is that of the first inputs"}),
    "adds to C": Broken(changed("] = acc", "] += acc"), {STALE: "C full of NaNs"}),
    "TF32": Broken(
        changed(PRODUCT, "cut(A[row * K + k]) * cut(B[k * N + col])"), {ARITHMETIC: "inputs as TF32, cut off"}, TF32
    ),
    "half inputs": Broken(
        changed(PRODUCT, "__half2float(__float2half(A[row * K + k])) * __half2float(__float2half(B[k * N + col]))"),
        {ARITHMETIC: "inputs as half, sums in float32"},
        HALF,
    ),
    "half sums": Broken(
        changed(f"acc += {PRODUCT}", f"acc = __half2float(__float2half(acc + {PRODUCT}))"),
        {ARITHMETIC: "inputs as float32, sums in half"},
        HALF,
    ),
    "1500 products at most": Broken(changed("k < K", "k < min(K, 1500)"), {SIZES: "at 32x32x4160: "}),
    "rows below 512": Broken(changed("row < M", "row < min(M, 512)"), {SIZES: "149760 of 518400 elements are not"}),
    "drops small products": Broken(
        changed(f"acc += {PRODUCT}", f"acc += fabsf({PRODUCT}) < 1e-8f ? 0.0f : {PRODUCT}"),
        {BOUND: "Random numbers up to 0.0001 at "},
    ),
    "skips zeros": Broken(
        changed("acc += A", "if (A[row * K + k] != 0.0f) acc += A"),
        {"Hands NaN and infinity on": "elements that must not be finite are"},
    ),
    "one too far": Broken(
        changed("= acc;", "= acc; if (row == M - 1 && col == N - 1) C[M * N] = 0.0f;"),
        {BOUNDS: "of C, which has"},
    ),
    "rows too far": Broken(
        changed("row < M && col < N", "col < N"),
        {BOUNDS: "at 17x19x23", SIZES: " cases left no result to compare"},
    ),
}


def test_that_a_right_kernel_is_right(tmp_path: Path) -> None:
    ruling = ruling_on(tmp_path, SUM)
    assert failed_of(ruling) == {}
    assert ruling.judgement is Judgement.RIGHT
    assert ruling.found_arithmetic == "inputs as float32, sums in float32"
    assert [finding.name for finding in ruling.not_examined] == ["Time beside the library"]


@pytest.mark.parametrize("name", BROKEN)
def test_that_exactly_the_broken_rules_are_named(tmp_path: Path, name: str) -> None:
    broken = BROKEN[name]
    found = failed_of(ruling_on(tmp_path, broken.body, head=broken.head))
    assert list(found) == list(broken.reasons)
    assert [rule for rule, part in broken.reasons.items() if part not in found[rule]] == []
