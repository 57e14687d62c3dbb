"""NaN and infinity in one element: where they must arrive, and what a split into two numbers makes of an infinity."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import changed, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.referee.examinations.not_finite import NotFinite
from gemmviz.referee.finding import Finding, Outcome
from gemmviz.referee.subject import Subject


def found_of(folder: Path, body: str, keys: str = "") -> Finding:
    kernel = kernel_of(folder, body, keys=keys)
    return NotFinite().examine(Subject(kernel, kernel.params({}), find_device("machine")))


@pytest.mark.parametrize(
    ("factor", "is_right"),
    [("B[min(k, K - 1) * N + col]", False), ("(k < K ? B[k * N + col] : 0.0f)", True)],
)
def test_that_zeros_that_fill_up_a_tile_meet_no_infinity(tmp_path: Path, factor: str, is_right: bool) -> None:
    body = changed("k < K", "k < (K + 7) / 8 * 8").replace("A[row * K + k]", "(k < K ? A[row * K + k] : 0.0f)")
    finding = found_of(tmp_path, body.replace("B[k * N + col]", factor))
    failed = [(case.tried, case.shape) for case in finding.cases if case.failed]
    assert failed == ([] if is_right else [("infinity in B[22,6]", "17x19x23")])
    assert is_right or "14 of 14 elements that must be infinite are NaN" in finding.reason


@pytest.mark.parametrize("arithmetic", ["fp32", "tf32x3"])
def test_that_infinity_may_become_nan_where_elements_are_split_in_two(tmp_path: Path, arithmetic: str) -> None:
    big = "__uint_as_float(__float_as_uint(A[row * K + k]) & 0xffffe000)"
    body = changed("+= A[row * K + k] *", f"+= ({big} + (A[row * K + k] - {big})) *")
    finding = found_of(tmp_path, body, f'arithmetic = "{arithmetic}"')
    if arithmetic == "tf32x3":
        assert finding.outcome is Outcome.HELD
        assert finding.reason.endswith("Of an infinity NaN may come, since the kernel splits each element in two.")
    else:
        assert {case.tried.split(" in ")[0] for case in finding.cases if case.failed} == {"infinity"}
        assert "elements that must be infinite are NaN" in finding.reason
