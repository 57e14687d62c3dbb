"""NVIDIA's compiler without a GPU: code, resources, errors at their lines, templates, and sources that defeat it."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gemmviz.compiler.expanded_size import MOST_TOKENS, check_macros
from gemmviz.compiler.nvidia import nvrtc, wheels
from gemmviz.compiler.nvidia.nvrtc import CompiledCode, compile_cuda
from gemmviz.compiler.nvidia.nvrtc_process import OUT_OF_MEMORY
from gemmviz.compiler.nvidia.wheels import find_nvrtc
from gemmviz.compiler.ptx.kernels import PtxParameter
from gemmviz.compiler.source import CompileError, CompilerMissingError, CompileTimeoutError, Source
from gemmviz.domain.terms import CodeForm, Language

pytestmark = pytest.mark.usefixtures("nvrtc")

KERNEL = 'extern "C" __global__ void k(const float *A, float *C, int n)'


def source(text: str, entry: str = "k", path: Path = Path("/home/somebody/mine.cu"), **defines: int) -> Source:
    return Source(path, text, entry, Language.CUDA, tuple(defines.items()))


def compiled(text: str, entry: str = "k", target: str = "sm_90a", **defines: Any) -> CompiledCode:
    return compile_cuda(source(text, entry, **defines), target)


def fault_of(text: str, entry: str = "k") -> str:
    with pytest.raises(CompileError) as caught:
        compiled(text, entry)
    return str(caught.value)


def test_that_code_comes_with_its_parameters_and_what_it_takes() -> None:
    made = compiled(f"{KERNEL} {{ __shared__ float s[T]; s[n] = A[n]; __syncthreads(); C[n] = s[T - 1 - n]; }}", T=64)
    assert made.cubin.startswith(b"\x7fELF")
    assert ".target sm_90a" in made.ptx
    assert made.parameters == (PtxParameter(8, 8), PtxParameter(8, 8), PtxParameter(4, 4))
    assert made.resources.static_shared_bytes == 256
    assert 0 < made.resources.registers < 64
    assert made.words == f"NVRTC {made.release} for sm_90a, {made.resources.registers} registers, no spills"
    assert '.file\t1 "kernel.cu"' in made.ptx, "no folder of this run stands in the code"


def test_that_code_as_written_keeps_every_load_of_the_source() -> None:
    text = f"{KERNEL} {{\n float x = A[n];\n float y = A[n];\n C[n] = x + y;\n}}\n"
    made = {form: compile_cuda(source(text), "sm_90", form) for form in CodeForm}
    loads = {form: len(re.findall(r"\bld(?:\.global)?(?:\.nc)?\.f32", code.ptx)) for form, code in made.items()}
    assert loads == {CodeForm.AS_WRITTEN: 2, CodeForm.AS_COMPILED: 1}
    assert "as written (-G)" in made[CodeForm.AS_WRITTEN].words


@pytest.mark.parametrize("target", ["sm_75", "sm_100a", "sm_121"])
def test_that_old_and_new_architectures_are_compiled_for(target: str) -> None:
    assert f".target {target}" in compiled(f"{KERNEL} {{ C[n] = A[n]; }}", target=target).ptx


@pytest.mark.parametrize(
    ("entry", "symbol"), [("tile<16>", "_Z4tileILi16EEvPf"), ("mine::move<float, SIZE>", "_ZN4mine4moveIfLi8EEEvPT_")]
)
def test_that_a_template_is_instantiated_by_its_name(entry: str, symbol: str, tmp_path: Path) -> None:
    text = (
        "template <int N> __global__ void tile(float *C) { C[0] = N; }\n"
        "namespace mine { template <typename T, int N> __global__ void move(T *C) { C[0] = N; } }\n"
    )
    first = compile_cuda(source(text, entry, SIZE=8), "sm_90", cache=tmp_path)
    assert first.symbol == symbol
    assert compile_cuda(source(text, entry, SIZE=8), "sm_90", cache=tmp_path) == first
    assert fault_of(text, "tile<wrong>").startswith("/home/somebody/mine.cu: the entry 'tile<wrong>': identifier")


def test_that_what_nvcc_knows_without_a_toolkits_headers_is_known() -> None:
    includes = "".join(
        f"#include <{name}>\n"
        for name in (
            "stdint.h",
            "cstdint",
            "assert.h",
            "stdio.h",
            "math.h",
            "float.h",
            "limits.h",
            "cuda_runtime.h",
            "cuda_fp16.h",
            "mma.h",
            "cuda.h",
        )
    )
    made = compiled(
        f"{includes}{KERNEL} {{ uint a = n; ulong b = a; std::uint32_t c = b; int64_t d = INT_MAX; assert(n > 0);\n"
        'printf("%d", n); C[c] = isinf(A[d]) ? INFINITY : FLT_MAX; }'
    )
    assert "__assertfail" in made.ptx
    assert "vprintf" in made.ptx


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"// one\n{KERNEL} {{\n\n    C[0] = nothing;\n}}", ':4: identifier "nothing" is undefined'),
        (f'{KERNEL} {{\n    asm volatile("bogus.x;");\n}}', ":2: Unknown modifier '.x'"),
        (
            f"{KERNEL} {{ __shared__ float s[100000]; s[n] = A[n]; C[n] = s[0]; }}",
            ": Entry function 'k' uses too much shared data (400000 bytes, ",
        ),
        (
            "__global__ void other(float *C) { C[0] = 1; }",
            ": the entry 'k' is not in the file; it defines other",
        ),
        ('#include "../secret.h"\n', ':1: #include "../secret.h": a path that leaves the folder'),
        (
            "#define E0 1\n"
            + "".join(f"#define E{i} (E{i - 1} + E{i - 1})\n" for i in range(1, 23))
            + f"{KERNEL} {{ C[0] = E22; }}\n",
            ":24: with its macros the file has more than 300000 words",
        ),
    ],
)
def test_that_an_error_stands_at_its_line_of_the_original(text: str, place: str) -> None:
    assert fault_of(text).startswith(f"/home/somebody/mine.cu{place}")


def test_that_a_compilation_that_never_ends_is_ended() -> None:
    endless = f"{KERNEL} {{ float x = A[n]; {'x = x * x + A[n]; ' * 100_000} C[0] = x; }}"
    with pytest.raises(CompileTimeoutError, match=r"^compiling did not end within 0\.5 s: "):
        compile_cuda(replace(source(endless), limit_s=0.5), "sm_90")


def test_that_a_compiler_out_of_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "_MEMORY_BYTES", 2**30)
    large = f"{KERNEL} {{ {'C[n] += A[n] * A[n + 1];' * 5000} }}"
    monkeypatch.setattr(nvrtc, "_run", lambda *_: (OUT_OF_MEMORY, ""))
    assert "the compiler needs more than 1 GiB of memory" in fault_of(large)
    monkeypatch.setattr(nvrtc, "_run", lambda *_: (-11, ""))
    assert fault_of(large).startswith("/home/somebody/mine.cu: the compiler crashed on it (")


def test_that_a_header_beside_the_kernel_is_found_and_belongs_to_the_key(tmp_path: Path) -> None:
    mine = replace(source('#include "tile.cuh"\n' + KERNEL + " { C[0] = WIDTH; }"), path=tmp_path / "mine.cu")
    cache = tmp_path / "cache"
    for width in ("4.0f", "8.0f", "4.0f"):
        (tmp_path / "tile.cuh").write_text(f"#define WIDTH {width}\n", encoding="utf-8")
        compile_cuda(mine, "sm_90", cache=cache)
    assert len(list(cache.iterdir())) == 2


@pytest.mark.parametrize("harm", ["kernel.cubin", "kernel.ptx", "facts.json"])
def test_that_a_damaged_entry_of_the_cache_is_made_anew(tmp_path: Path, harm: str) -> None:
    one = source(f"{KERNEL} {{ C[n] = A[n]; }}")
    first = compile_cuda(one, "sm_90", cache=tmp_path)
    (folder,) = tmp_path.iterdir()
    (folder / harm).write_bytes(b"{}")
    assert compile_cuda(one, "sm_90", cache=tmp_path).ptx == first.ptx


@pytest.mark.parametrize("name", ["a b;$(touch x).cu", "-o x.cu", "ünï\n.cu"])
def test_that_a_files_name_reaches_no_command_line(tmp_path: Path, name: str) -> None:
    one = replace(source(f"{KERNEL} {{ C[n] = wrong; }}"), path=tmp_path / name)
    with pytest.raises(CompileError) as caught:
        compile_cuda(one, "sm_90")
    assert str(caught.value).startswith(f"{tmp_path / name}:1: ")


@pytest.mark.parametrize("part", ["cuda_fp16.h", "crt", "cccl"])
def test_that_a_missing_wheel_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    real = find_nvrtc()
    folder = tmp_path / "cu13"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "libnvrtc.so.13").touch()
    for name in ("crt", "cccl"):
        (folder / "include" / name).mkdir(parents=True)
    (folder / "include" / "cuda_fp16.h").touch()
    monkeypatch.setattr(wheels, "wheel_folders", lambda: iter([folder]))
    assert find_nvrtc().version == real.version
    lost = folder / "include" / part
    lost.unlink() if lost.is_file() else shutil.rmtree(lost)
    with pytest.raises(CompilerMissingError, match=rf"`pip install {wheels._PACKAGES[part]}`$"):
        find_nvrtc()
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(CompilerMissingError, match="exists for Linux and Windows only"):
        find_nvrtc()


def test_that_a_file_that_is_too_long_is_refused_in_words_though_it_uses_no_macro(tmp_path: Path) -> None:
    text = "#define UNUSED 1\n" + "x += y;\n" * (MOST_TOKENS // 4 + 1)
    source = Source(tmp_path / "long.cu", text, "k", Language.CUDA)
    with pytest.raises(CompileError, match=f"the file has more than {MOST_TOKENS} words: use fewer"):
        check_macros(source)


def test_that_what_nvcc_has_in_std_is_known_in_a_persons_own_file() -> None:
    text = (
        "#include <cstddef>\n#include <string>\n#include <type_traits>\n#include <limits>\n"
        'extern "C" __global__ void k(const float *A, float *C, std::size_t n, std::uint32_t m) {\n'
        "    static_assert(std::is_same<float, float>::value && std::numeric_limits<int>::max() > 0);\n"
        "    C[n] = std::max(std::sqrt(A[m]), A[n]);\n}\n"
    )
    assert compile_cuda(replace(source(text), is_foreign=True), "sm_90a").parameters[2:] == (
        PtxParameter(8, 8),
        PtxParameter(4, 4),
    )
