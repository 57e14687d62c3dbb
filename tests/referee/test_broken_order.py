"""Kernels whose result depends on an order or on launches before, or that change what they read."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import SUM, changed, failed_of, ruling_on

RACES, SAME_BITS = "Free of races", "Gives the same bits each time"


@pytest.mark.parametrize(
    ("statement", "words"),
    [("if (row == 0) __trap();", "the kernel ended itself by a trap"), ("assert(row < 0);", "row < 0")],
    ids=["trap", "assertion"],
)
def test_that_a_kernel_that_ends_itself_is_named_and_nothing_else_is_said(
    tmp_path: Path, statement: str, words: str
) -> None:
    ruling = ruling_on(tmp_path, f"    {statement}\n{SUM}", head="#include <cassert>")
    found = failed_of(ruling)
    assert list(found) == ["Runs to its end"]
    assert words in found["Runs to its end"]
    told = {one.reason for one in ruling.not_examined}
    assert told >= {"It would find nothing more: “Runs to its end” failed."}


def test_that_a_race_is_named_by_its_line(tmp_path: Path) -> None:
    shared = "    __shared__ volatile float one[16];\n    one[threadIdx.x] = 1.0f;\n"
    found = failed_of(ruling_on(tmp_path, shared + changed("= acc;", "= acc * one[threadIdx.x];")))
    assert list(found) == [RACES]
    assert "one[threadIdx.x]" in found[RACES] or "line" in found[RACES]


def test_that_an_atomic_sum_is_named_with_its_line(tmp_path: Path) -> None:
    body = changed("k = 0; k < K; ++k", "k = blockIdx.z; k < K; k += 4").replace(
        "C[row * N + col] = acc;", "atomicAdd(&C[row * N + col], acc);"
    )
    ruling = ruling_on(tmp_path, body, keys='c_begins = "zero"', grid='["ceil_div(N, 16)", "ceil_div(M, 16)", "4"]')
    found = failed_of(ruling)
    assert list(found) == [SAME_BITS]
    line = next(n for n, text in enumerate((tmp_path / "mine.cu").read_text().splitlines(), 1) if "atomicAdd" in text)
    assert f"Atomic operations (line {line})" in found[SAME_BITS]


def test_that_a_remembered_result_is_named(tmp_path: Path) -> None:
    head = "__device__ int launches; __device__ float kept[1 << 20];"
    body = (
        changed(
            "C[row * N + col] = acc;",
            "const int at = row * N + col;\n        if (launches == 0) kept[at] = acc;\n        C[at] = kept[at];",
        )
        + "\n    if (row == 0 && col == 0) launches = 1;"
    )
    found = failed_of(ruling_on(tmp_path, body, head=head))
    assert "Follows its inputs" in found


def test_that_a_changed_input_is_named(tmp_path: Path) -> None:
    body = """    for (int j = threadIdx.x; j < N; j += 32) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[blockIdx.x * K + k] * B[k * N + j];
        C[blockIdx.x * N + j] = acc;
    }
    __syncthreads();
    if (threadIdx.x == 0) ((float *)A)[blockIdx.x * K] = 7.0f;"""
    found = failed_of(ruling_on(tmp_path, body, block='["32"]', grid='["M"]'))
    assert list(found) == ["Leaves its inputs as they are"]
    assert "A changed" in found["Leaves its inputs as they are"]


def test_that_a_claimed_size_that_does_not_compile_is_named(tmp_path: Path) -> None:
    found = failed_of(
        ruling_on(
            tmp_path,
            '    static_assert(DEPTH % 64 == 0, "only whole tiles");\n' + SUM,
            keys='[defines]\nDEPTH = "K"',
        )
    )
    assert list(found) == ["Runs to its end"]
    assert "only whole tiles" in found["Runs to its end"]
