"""Kernels that break exactly one rule: the referee names that one, and no other but that launches end at a fault."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from broken_kernels import SUM, changed, failed_of, ruling_on

from gemmviz.referee.finding import Judgement

PRODUCT = "A[row * K + k] * B[k * N + col]"
HALF = "#include <cuda_fp16.h>"
TF32 = "__device__ float cut(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }"
ENDS, BOUNDS = "Runs to its end", "Stays inside its arrays"
STALE, ANSWERS = "Ignores what C held before", "Follows its inputs"
ARITHMETIC, ODD = "Computes in the arithmetic it claims", "Right at sizes nothing divides"


SIZES = "Right at the sizes it claims"


class Broken(NamedTuple):
    """A kernel's body, what stands before it, the rule that it breaks, and what the reason says."""

    body: str
    rule: str
    reason: str
    head: str = ""


BROKEN = {
    "multiples of 16": Broken(changed("k < K", "k < K / 16 * 16"), ODD, "at 17x19x23: "),
    "constant": Broken(changed("acc;\n", "3.0f;\n"), ANSWERS, "the result is that of the first inputs"),
    "adds to C": Broken(changed("] = acc", "] += acc"), STALE, "C full of NaNs"),
    "TF32": Broken(
        changed(PRODUCT, "cut(A[row * K + k]) * cut(B[k * N + col])"), ARITHMETIC, "inputs as TF32, cut off", TF32
    ),
    "half inputs": Broken(
        changed(PRODUCT, "__half2float(__float2half(A[row * K + k])) * __half2float(__float2half(B[k * N + col]))"),
        ARITHMETIC,
        "inputs as half, sums in float32",
        HALF,
    ),
    "half sums": Broken(
        changed(f"acc += {PRODUCT}", f"acc = __half2float(__float2half(acc + {PRODUCT}))"),
        ARITHMETIC,
        "inputs as float32, sums in half",
        HALF,
    ),
    "1500 products at most": Broken(changed("k < K", "k < min(K, 1500)"), SIZES, "at 32x32x4160: "),
    "rows below 512": Broken(changed("row < M", "row < min(M, 512)"), SIZES, "at 2112x32x32: "),
    "drops small products": Broken(
        changed(f"acc += {PRODUCT}", f"acc += fabsf({PRODUCT}) < 1e-6f ? 0.0f : {PRODUCT}"),
        "Within the error bound",
        "With random numbers up to 0.0001 at ",
    ),
    "skips zeros": Broken(
        changed("acc += A", "if (A[row * K + k] != 0.0f) acc += A"),
        "Hands NaN and infinity on",
        "elements that must not be finite are",
    ),
    "one too far": Broken(
        changed("= acc;", "= acc; if (row == M - 1 && col == N - 1) C[M * N] = 0.0f;"), BOUNDS, "of C, which has"
    ),
    "rows too far": Broken(changed("row < M && col < N", "col < N"), BOUNDS, "at 17x19x23"),
}


def test_that_a_right_kernel_is_right(tmp_path: Path) -> None:
    ruling = ruling_on(tmp_path, SUM)
    assert failed_of(ruling) == {}
    assert ruling.judgement is Judgement.RIGHT
    assert ruling.found_arithmetic == "inputs as float32, sums in float32"
    assert [finding.name for finding in ruling.not_examined] == ["Time beside the library"]


@pytest.mark.parametrize("name", BROKEN)
def test_that_exactly_the_broken_rule_is_named(tmp_path: Path, name: str) -> None:
    broken = BROKEN[name]
    found = failed_of(ruling_on(tmp_path, broken.body, head=broken.head))
    assert list(found) == ([BOUNDS, ENDS] if broken.rule is BOUNDS else [broken.rule])
    assert broken.reason in found[broken.rule]
