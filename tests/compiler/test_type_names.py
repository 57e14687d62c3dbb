"""Types of 16 bits that a source uses and leaves to its author's program."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.compiler.includes import included_files
from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import Source
from gemmviz.compiler.type_names import declared_types
from gemmviz.domain.terms import Language

BF16 = "#include <cuda_bf16.h>\n"
KERNEL = "__global__ void k(const {type} *A, {type} *C) {{ C[0] = A[0]; }}\n"


def declared(text: str, folder: Path, language: Language = Language.CUDA, *, is_foreign: bool = True) -> str:
    suffix = ".cl" if language is Language.OPENCL else ".cu"
    source = Source(folder / f"mine{suffix}", text, "k", language, is_foreign=is_foreign)
    return declared_types(source, included_files(source))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (KERNEL.format(type="bf16"), f"{BF16}typedef __nv_bfloat16 bf16;\n"),
        (KERNEL.format(type="bfloat16"), f"{BF16}typedef __nv_bfloat16 bfloat16;\n"),
        (KERNEL.format(type="__nv_bfloat16"), BF16),
        (KERNEL.format(type="half"), "#include <cuda_fp16.h>\n"),
        (
            "#ifdef X\ntypedef __nv_bfloat16 bf16;\n#endif\n" + KERNEL.format(type="bf16"),
            f"{BF16}typedef __nv_bfloat16 bf16;\n",
        ),
        (f"struct bf16 {{ short bits; }};\n{KERNEL.format(type='bf16')}", ""),
        (f"typedef unsigned short bf16;\n{KERNEL.format(type='bf16')}", ""),
        (f"#define bf16 float\n{KERNEL.format(type='bf16')}", ""),
        ("__global__ void k(int half) { /* bf16 */ int bf16 = half; }\n", ""),
        (KERNEL.format(type="float"), ""),
    ],
)
def test_that_a_name_is_declared_where_the_source_says_nothing_else(text: str, found: str, tmp_path: Path) -> None:
    assert declared(text, tmp_path) == found


def test_that_files_that_it_includes_are_read_as_well(tmp_path: Path) -> None:
    (tmp_path / "types.h").write_text("struct bf16 { short bits; };\n", encoding="utf-8")
    assert declared(f'#include "types.h"\n{KERNEL.format(type="bf16")}', tmp_path) == ""


def test_that_kernels_that_gemmviz_brings_and_other_languages_get_none(tmp_path: Path) -> None:
    assert declared(KERNEL.format(type="half"), tmp_path, is_foreign=False) == ""
    assert declared("def k(half): pass\n", tmp_path, Language.PYTHON) == ""


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("head", ["", "#ifdef X\ntypedef nv_bfloat16 bf16;\n#endif\n", "typedef __nv_bfloat16 bf16;\n"])
def test_that_such_a_source_compiles(head: str, tmp_path: Path) -> None:
    source = Source(tmp_path / "mine.cu", head + KERNEL.format(type="bf16"), "k", Language.CUDA, is_foreign=True)
    assert compile_cuda(source, "sm_90a").parameters[0].nbytes == 8


@pytest.mark.usefixtures("nvrtc")
def test_that_half_is_a_type_of_opencl_c(tmp_path: Path) -> None:
    text = "__kernel void k(__global const half *A, __global float *C) { C[0] = vload_half(1, A); }\n"
    source = Source(tmp_path / "mine.cl", text, "k", Language.OPENCL, is_foreign=True)
    assert [one.nbytes for one in compile_cuda(source, "sm_90a").parameters] == [8, 8]
