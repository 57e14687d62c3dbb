"""Every error that NVIDIA's compiler names, each at its line of the original file."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.compiler.nvidia.nvidia_log import errors_in, warnings_in
from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import CompileError, Source, full_reason
from gemmviz.domain.terms import Language
from gemmviz.explain.source.source_fault import compile_faults

HERE = Path("/home/somebody/mine.cu")


def test_that_errors_are_told_in_the_order_of_the_log_and_other_lines_are_none() -> None:
    log = (
        'kernel.cu(4): error: identifier "a" is undefined\n    x = a;\n        ^\n\n'
        "kernel.cu(5): warning #177-D: variable was declared but never referenced\n"
        'tile.cuh(9): error: expected a ";"\n2 errors detected in the compilation of "kernel.cu".\n'
    )
    assert errors_in(log, HERE, "kernel.cu") == (
        '/home/somebody/mine.cu:4: identifier "a" is undefined',
        'tile.cuh:9: expected a ";"',
    )
    assert errors_in("", HERE, "kernel.cu") == ()
    assert warnings_in(log, HERE, "kernel.cu") == (
        "/home/somebody/mine.cu:5: warning: variable was declared but never referenced",
    )
    assert warnings_in("", HERE, "kernel.cu") == ()


def test_that_a_full_reason_has_each_error_once_and_the_warnings_in_lines_of_their_own() -> None:
    error = CompileError("mine.cu:1: one (and 1 more)", ["mine.cu:1: one", "mine.cu:2: two"], ["mine.cu:3: warning: w"])
    assert full_reason(error) == "mine.cu:1: one (and 1 more)\nmine.cu:2: two\nmine.cu:3: warning: w"
    assert full_reason(CompileError("no line")) == "no line"
    assert full_reason(ValueError("other")) == "other"


@pytest.mark.usefixtures("nvrtc")
def test_that_a_compilation_that_fails_carries_all_of_them(tmp_path: Path) -> None:
    path = tmp_path / "two.cu"
    text = 'extern "C" __global__ void k(float *C)\n{\n    C[0] = a;\n    C[1] = b;\n}\n'
    with pytest.raises(CompileError, match=r"two\.cu:3: .*a.* is undefined \(and 1 more\)") as caught:
        compile_cuda(Source(path, text, "k", Language.CUDA), "sm_90")
    assert [error.partition(f"{path}:")[2].partition(":")[0] for error in caught.value.errors] == ["3", "4"]


@pytest.mark.usefixtures("nvrtc")
def test_that_a_brace_missing_at_the_end_is_told_at_the_last_line_of_code(tmp_path: Path) -> None:
    path = tmp_path / "open.cu"
    text = 'extern "C" __global__ void k(float *C)\n{\n    if (C) {\n        C[0] = 1;\n    }\n\n// the end\n\n'
    with pytest.raises(CompileError) as caught:
        compile_cuda(Source(path, text, "k", Language.CUDA), "sm_90")
    assert str(caught.value) == f'{path}:5: expected a "}}" to match the "{{" in line 2'
    assert compile_faults(str(caught.value), path)[0].line == 5


def test_that_an_error_behind_a_text_without_code_has_no_line() -> None:
    log = 'At end of source: error: expected a "}"\n\n1 error detected in the compilation of "kernel.cu".\n'
    assert errors_in(log, HERE, "kernel.cu", "", "// nothing\n") == (f'{HERE}: expected a "}}"',)
    assert errors_in(log, HERE, "kernel.cu", "", "{\n") == (f'{HERE}:1: expected a "}}"',)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("    float x = 1 // one\n\n    C[0] = x;\n", 3),
        ("    float x = 1 /* one\n    more */\n    C[0] = x;\n", 3),
        ("    float x = 1\n#pragma unroll\n    for (int i = 0; i < 3; ++i) C[0] = x;\n", 3),
        ("    float x = 1 float y = 2;\n    C[0] = x + y;\n", 3),
        ("    float x = 1;\n    C[0] = x\n", 4),
        ("    float x = (1\n    + 2\n    ;\n    C[0] = x;\n", 4),
    ],
)
@pytest.mark.usefixtures("nvrtc")
def test_that_a_missing_sign_stands_at_the_line_that_lacks_it(tmp_path: Path, body: str, line: int) -> None:
    path = tmp_path / "lacks.cu"
    text = f'extern "C" __global__ void k(float *C)\n{{\n{body}}}\n'
    with pytest.raises(CompileError, match=rf"lacks\.cu:{line}: expected a \"[;)]\"") as caught:
        compile_cuda(Source(path, text, "k", Language.CUDA), "sm_90")
    assert caught.value.errors[0].startswith(f"{path}:{line}: ")
