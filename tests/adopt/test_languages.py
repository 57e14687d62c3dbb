"""PTX and CuPy's raw kernels are described like CUDA files; what Triton and Numba kernels compute is not found out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from stored_ptx import DATA

from gemmviz.adopt.finding import Findings
from gemmviz.adopt.look import look_at
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.source.ptx import read_ptx
from gemmviz.adopt.words import call_words, summary_of
from gemmviz.catalogue.loader import described_kernel


def ignore(step: object) -> None:
    del step


def found(path: Path, text: str | None = None) -> Findings:
    text = path.read_text(encoding="utf-8") if text is None else text
    return look_at(path, text, "", 60.0, ignore)


def test_that_ptx_tells_its_parameters_and_what_they_point_to() -> None:
    (kernel,) = read_ptx((DATA / "tiled.ptx").read_text(encoding="utf-8")).kernels
    assert (kernel.name, kernel.line, kernel.block_axes, kernel.grid_axes, kernel.bound) == (
        "matmul",
        17,
        "xy",
        "xy",
        "64",
    )
    kinds = [(one.type, one.is_pointer, one.is_const) for one in kernel.parameters]
    assert kinds[:3] == [("float", True, True), ("float", True, True), ("float", True, False)]
    assert [kind for kind, *_ in kinds[3:]] == ["int", "int", "int", "float"]


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("name", "summary", "call"),
    [
        ("tiled.ptx", "C = alpha·A·B, takes every size that was tried", "matmul(A, B, C, M, N, K, alpha)"),
        ("cupy_tiled.py", "C = A·B, takes every size that was tried", "matmul(A, B, C, M, N, K)"),
    ],
)
def test_that_ptx_and_raw_kernels_are_described(name: str, summary: str, call: str) -> None:
    path = DATA / name
    (one,) = found(path).found
    assert one.description is not None, one.reasons
    assert (summary_of(one.description), call_words(one.description)) == (summary, call)
    kernel = described_kernel(path, path.read_text(encoding="utf-8"), sidecar_text(one.description))
    assert kernel.entry == "matmul"
    assert ("TILE = 16: the option -DTILE=16" in one.because) == name.endswith(".py")
    assert ("the block: line 36 launches it so" in one.because) == name.endswith(".py")


@pytest.mark.usefixtures("nvrtc")
def test_that_a_thread_for_each_row_gets_a_grid_for_more_rows_than_one_block_has_threads() -> None:
    text = """__kernel void by_rows(const int n, __global const float *a, __global const float *b, __global float *c) {
    int row = get_global_id(0);
    if (row >= n) return;
    for (int column = 0; column < n; ++column) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
        c[row * n + column] = sum;
    }
}
"""
    (one,) = found(Path("rows.cl"), text).found
    assert one.description is not None, one.reasons
    assert (one.description.block[0], one.description.grid) == ("256", ("ceil_div(M, 256)",))


@pytest.mark.parametrize(
    ("name", "what"), [("triton_matmul.py", "a Triton kernel"), ("numba_tiled.py", "a Numba kernel")]
)
def test_that_python_is_not_run_to_find_out_what_it_computes(name: str, what: str) -> None:
    words = f"it holds {what}, and what such kernels compute is not found out: describe it in {name}.toml"
    assert re.search(re.escape(words), found(DATA / name).fault)


def test_that_python_without_a_kernel_is_named() -> None:
    assert "there is no GPU kernel in it" in found(Path("mine.py"), "import os\n").fault
    assert "mine.py:1: it is not Python" in found(Path("mine.py"), "def k(:\n").fault


def test_that_ptx_that_was_cut_off_is_named_with_its_last_line() -> None:
    text = (DATA / "tiled.ptx").read_text(encoding="utf-8")
    cut = "\n".join(text.splitlines()[:40])
    assert found(Path("cut.ptx"), cut).fault == (
        "cut.ptx: line 40: the file ends within a kernel, matmul: it was cut off; copy all of it"
    )


def test_that_an_instruction_of_ptx_without_a_semicolon_is_named_with_its_line() -> None:
    lines = (DATA / "tiled.ptx").read_text(encoding="utf-8").splitlines()
    ends = [number for number, line in enumerate(lines, 1) if line.strip().startswith(("ld.param", "mul.", "st."))]
    for number in (ends[1], ends[-1]):
        broken = [line.replace(";", "") if at == number else line for at, line in enumerate(lines, 1)]
        assert found(Path("broken.ptx"), "\n".join(broken)).fault == (
            f"broken.ptx: line {number}: the instruction has no semicolon behind it: write one"
        )


def test_that_a_python_file_that_does_not_end_is_given_up_within_the_time_limit(tmp_path: Path) -> None:
    file = tmp_path / "endless.py"
    text = "import cupy as cp\nsrc = '__global__ void mm() {'\nwhile True: src += ' '\nk = cp.RawKernel(src, 'mm')\n"
    file.write_text(text, encoding="utf-8")
    fault = look_at(file, text, "", 2.0, lambda _: None, may_run_python=True).fault
    assert "did not end within 2 s" in fault
