"""nvcc: where it is looked for, what it is told, what it says. The last tests ask a real one, where there is one."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.backends.base import CompileError, CompileTimeoutError, Source
from gemmviz.backends.cuda import build as cuda_build
from gemmviz.backends.cuda.build import build, key_of
from gemmviz.backends.cuda.nvcc import Nvcc, find_nvcc, options_for
from gemmviz.compiler import code_cache
from gemmviz.compiler.nvidia import tools
from gemmviz.compiler.nvidia.nvidia_log import error_in, resources_in, source_line
from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.compiler.ptx.kernels import PtxParameter, entries, symbol_of
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.kernels.mangled_names import plain_name
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.terms import Language

PARAMETERS = "const float *A, const float *B, float *C, int M, int N, int K"
PTX = """
.version 9.0
.file	1 "/tmp/gemmviz-nvcc-x/kernel.cu"
.file	2 "/usr/include/mma.h"
.visible .entry k(
	.param .u64 .ptr .global .align 4 k_param_0,
	.param .u64 k_param_1,
	.param .u32 k_param_2
)
{
	.loc	1 12 5
	mov.u32 %r1, 1;
	.loc	2 900 5
	bogus.x;
}
.entry _Z5otherPf(
	.param .align 128 .b8 _Z5otherPf_param_0[128],
	.param .f32 _Z5otherPf_param_1,
	.param .u8 _Z5otherPf_param_2
)
.entry nothing()
"""
LOG = """
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5otherPf' for 'sm_90a'
ptxas info    : Function properties for _Z5otherPf
    352 bytes stack frame, 96 bytes spill stores, 128 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers, 352 bytes cumulative stack size, 49152 bytes smem
ptxas info    : Compile time = 7.175 ms
ptxas info    : Compiling entry function 'k' for 'sm_90a'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 30 registers, used 1 barriers
ptxas info    : Function properties for _Z1ff
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
"""
HERE = Path("/home/somebody/mine.cu")
SOME = Nvcc(Path("/cuda/bin/nvcc"), "13.0", "13.0.88")


def source(text: str = "text", path: Path = HERE, **defines: int) -> Source:
    return Source(path, text, "k", Language.CUDA, tuple(defines.items()))


def test_that_parameters_reach_the_source_as_definitions_and_nothing_else_does() -> None:
    options = options_for(source(BM=128, BK=8), "sm_103a")
    assert "-gencode=arch=compute_103a,code=sm_103a" in options
    assert [option for option in options if option.startswith("-D")] == ["-DBM=128", "-DBK=8"]
    assert not any("include" in option for option in options)


def test_that_macros_that_grow_without_end_are_refused_before_nvcc_is_started(tmp_path: Path) -> None:
    text = "#define E0 1\n" + "".join(f"#define E{i} (E{i - 1} + E{i - 1})\n" for i in range(1, 23))
    growing = Source(tmp_path / "k.cu", f"{text}__global__ void k() {{ int x = E22; }}\n", "k", Language.CUDA)
    with pytest.raises(CompileError, match=r"k.cu:24: with its macros the file has more than 300000 words"):
        cuda_build.build(growing, "sm_90", Nvcc(tmp_path / "none", "13.0", "13.0.88"), tmp_path / "cache")


def test_that_included_files_are_ordinary_files_and_each_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('#include "a.h"\n#include "b.h"\n' * 50, encoding="utf-8")
    (tmp_path / "b.h").write_text('#include "a.h"\n#include "b.h"\n' * 50, encoding="utf-8")
    text = '#include "a.h"\n'
    first = cuda_build.key_of(Source(tmp_path / "k.cu", text, "k", Language.CUDA), "sm_90", SOME)
    (tmp_path / "b.h").write_text("int changed;\n", encoding="utf-8")
    assert cuda_build.key_of(Source(tmp_path / "k.cu", text, "k", Language.CUDA), "sm_90", SOME) != first
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.h")
        with pytest.raises(CompileError, match=r"k\.cu:1: #include \"pipe\.h\""):
            cuda_build.key_of(Source(tmp_path / "k.cu", '#include "pipe.h"\n', "k", Language.CUDA), "sm_90", SOME)


def test_that_a_key_follows_from_all_that_the_machine_code_depends_on() -> None:
    other = Nvcc(SOME.path, "13.0", "13.0.89")
    keys = {
        key_of(source(BM=128), "sm_90", SOME),
        key_of(source(BM=64), "sm_90", SOME),
        key_of(source("text ", BM=128), "sm_90", SOME),
        key_of(source(BM=128), "sm_90a", SOME),
        key_of(source(BM=128), "sm_90", other),
    }
    assert len(keys) == 5
    elsewhere = Nvcc(Path("/opt/nvcc"), "13.0", "13.0.88")
    assert key_of(source(path=Path("/other/mine.cu"), BM=128), "sm_90", elsewhere) in keys


def test_that_a_key_follows_from_what_a_source_includes(tmp_path: Path) -> None:
    text = '#include "tile.cuh"\n#include <mma.h>\n'
    inner, outer = tmp_path / "inner.cuh", tmp_path / "tile.cuh"
    outer.write_text('  # include "inner.cuh"\n', encoding="utf-8")
    keys = []
    for words in ("one", "two", "one"):
        inner.write_text(words, encoding="utf-8")
        keys.append(key_of(source(text, tmp_path / "mine.cu"), "sm_90", SOME))
    assert keys[0] != keys[1]
    assert keys[0] == keys[2]


def test_that_a_file_that_includes_itself_has_a_key_too(tmp_path: Path) -> None:
    (tmp_path / "self.cuh").write_text('#include "self.cuh"\n', encoding="utf-8")
    assert key_of(source('#include "self.cuh"\n', tmp_path / "mine.cu"), "sm_90", SOME)


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (
            'kernel.cu(4): error: identifier "nothing" is undefined\n    x = nothing;\n        ^\n\n'
            'kernel.cu(5): error: identifier "y" is undefined\n2 errors detected in the compilation of "kernel.cu".\n',
            '/home/somebody/mine.cu:4: identifier "nothing" is undefined (and 1 more)',
        ),
        ('kernel.cu(7): error #20: expected a ";"', '/home/somebody/mine.cu:7: expected a ";"'),
        (
            "kernel.cu:1:10: fatal error: nothere.h: No such file or directory\ncompilation terminated.",
            "/home/somebody/mine.cu:1:10: nothere.h: No such file or directory",
        ),
        (
            'kernel.cu(3): warning #177-D: variable "x" was declared but never referenced\n'
            'tile.cuh(9): error: expected a ";"',
            'tile.cuh:9: expected a ";"',
        ),
        (
            "ptxas error   : Entry function 'k' uses too much shared data (0x13880 bytes, 0xc000 max)\n",
            "/home/somebody/mine.cu: Entry function 'k' uses too much shared data (80000 bytes, 49152 max)",
        ),
        (
            "ptxas /tmp/tmpxft_0-6_kernel.ptx, line 13; error   : Instruction 'wgmma.fence' not supported on 'sm_90'\n"
            "ptxas fatal   : Ptx assembly aborted due to errors",
            "/home/somebody/mine.cu:12: Instruction 'wgmma.fence' not supported on 'sm_90'",
        ),
        (
            "nvcc fatal   : Unsupported gpu architecture 'compute_50'",
            "/home/somebody/mine.cu: Unsupported gpu architecture 'compute_50'",
        ),
        ("Killed\n", "/home/somebody/mine.cu: does not compile: Killed"),
        ("", "/home/somebody/mine.cu: does not compile: the compiler gives no reason"),
    ],
)
def test_that_an_error_stands_at_its_line_of_the_original_file(log: str, message: str) -> None:
    assert error_in(log, HERE, "kernel.cu", PTX) == message


def test_that_a_line_of_ptx_leads_to_the_line_it_comes_from() -> None:
    number = PTX.splitlines().index("\tbogus.x;") + 1
    assert source_line(PTX, number, "kernel.cu") == 12  # what lies between came from a header
    assert source_line(PTX, 3, "kernel.cu") is None
    assert source_line("", 3, "kernel.cu") is None


def test_that_each_kernel_has_its_own_figures() -> None:
    assert resources_in(LOG) == {
        "_Z5otherPf": Resources(255, 352, 96, 128, 49152),
        "k": Resources(30, 0, 0, 0, 0),
    }
    assert resources_in("nothing of the kind") == {}


def test_that_parameters_are_read_from_the_ptx() -> None:
    assert entries(PTX) == {
        "k": (PtxParameter(8, 8), PtxParameter(8, 8), PtxParameter(4, 4)),
        "_Z5otherPf": (PtxParameter(128, 128), PtxParameter(4, 4), PtxParameter(1, 1)),
        "nothing": (),
    }


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("k", "k"),
        ("_Z5otherPf", "other"),
        ("_ZN4mine5otherEPKfPfi", "other"),
        ("_Z4tileILi16EEvPf", "tile"),
        ("_ZL6hiddenPf", "hidden"),
        ("_Z1k14CUtensorMap_stPKfPfiii", "k"),
        ("_ZN4mine1kE14CUtensorMap_st", "k"),
    ],
)
def test_that_a_kernel_is_found_by_its_name_whatever_the_language_made_of_it(symbol: str, name: str) -> None:
    assert plain_name(symbol) == name
    assert symbol_of(name, ("first", symbol)) == symbol
    assert symbol_of("absent", (symbol,)) is None


def test_that_an_instance_of_a_template_is_found_by_its_name() -> None:
    one, other = "_ZN4mine7productILi16EfEEviPT0_", "_ZN4mine7productILi32EfEEviPT0_"
    assert symbol_of("mine::product<16, float>", ("_Z5otherPf", one)) == one
    assert symbol_of("mine::product<16, float>", (one, other)) is None
    assert symbol_of("mine::none<16>", (one,)) is None


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without a CUDA toolkit; the folder of one that does not exist yet."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setattr(tools, "_folders", lambda: iter([tmp_path / "bin"]))
    return tmp_path / "bin"


def program(path: Path, *lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(("#!/bin/sh", *lines)), encoding="utf-8")
    path.chmod(0o755)


def test_that_without_nvcc_a_person_is_told_how_to_get_it(bare: Path) -> None:
    assert not bare.exists()
    with pytest.raises(CompilerMissingError, match=r"nvcc, CUDA's compiler, is not found\. Install the CUDA toolkit"):
        find_nvcc()


@pytest.mark.skipif(sys.platform == "win32", reason="programs of the shell")
def test_that_nvcc_says_which_it_is(bare: Path) -> None:
    program(bare / "nvcc", "echo 'Cuda compilation tools, release 13.0, V13.0.88'")
    assert find_nvcc() == Nvcc(bare / "nvcc", "13.0", "13.0.88")
    program(bare / "nvcc", "exit 3")
    with pytest.raises(CompilerMissingError, match="does not report its version"):
        find_nvcc()


def test_that_the_toolkits_folder_may_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    name = "nvdisasm.exe" if sys.platform == "win32" else "nvdisasm"
    program(tmp_path / "bin" / name)
    assert find_tool("nvdisasm") == tmp_path / "bin" / name


@pytest.mark.skipif(sys.platform == "win32", reason="a shell as POSIX has it")
def test_that_nvcc_past_its_limit_is_ended_with_what_it_started_and_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    mark = tmp_path / "mark"
    program(tmp_path / "nvcc", f"(sleep 1; touch {mark}) & sleep 4716")
    slow = Nvcc(tmp_path / "nvcc", "13.0", "13.0.88")
    with pytest.raises(CompileTimeoutError, match=r"^compiling did not end within 0\.2 s: "):
        build(replace(source("a"), limit_s=0.2), "sm_90", slow, tmp_path / "cache")
    assert list((tmp_path / "tmp").iterdir()) == []
    time.sleep(1.0)
    assert not mark.exists()


def test_that_nothing_is_compiled_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def compile_it(one: Source, *_: object) -> tuple[bytes, str, str]:
        made.append(one.text)
        return b"cubin", PTX, LOG

    monkeypatch.setattr(cuda_build, "_compile", compile_it)
    first = build(source("a"), "sm_90", SOME, tmp_path)
    assert build(source("a"), "sm_90", SOME, tmp_path) == first
    assert made == ["a"]
    assert first.resources == Resources(30)
    assert first.words == "nvcc 13.0 for sm_90, 30 registers, no spills"
    build(source("b"), "sm_90", SOME, tmp_path)
    assert made == ["a", "b"]


@pytest.mark.parametrize("harm", ["kernel.cubin", "kernel.ptx", "facts.json"])
def test_that_what_was_remembered_badly_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    monkeypatch.setattr(cuda_build, "_compile", lambda *_: (b"cubin", PTX, LOG))
    build(source("a"), "sm_90", SOME, tmp_path)
    folder = tmp_path / key_of(source("a"), "sm_90", SOME)
    (folder / harm).write_text("{}", encoding="utf-8")
    assert build(source("a"), "sm_90", SOME, tmp_path).cubin == b"cubin"
    assert (folder / "kernel.cubin").read_bytes() == b"cubin"
    assert [path.name for path in tmp_path.iterdir()] == [folder.name], "something half made was left"


def test_that_a_folder_that_cannot_be_written_only_costs_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_build, "_compile", lambda *_: (b"cubin", PTX, LOG))
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert build(source("a"), "sm_90", SOME, tmp_path / "file" / "cuda").cubin == b"cubin"


def test_that_the_oldest_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_build, "_compile", lambda *_: (b"cubin", PTX, LOG))
    monkeypatch.setattr(code_cache, "_MOST_REMEMBERED", 4)
    for number in range(6):
        build(source(str(number)), "sm_90", SOME, tmp_path)
    assert 3 <= len(list(tmp_path.iterdir())) <= 4


def test_that_a_header_that_lies_about_its_entry_is_answered_with_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_build, "_compile", lambda *_: (b"cubin", PTX.replace("entry k(", "entry kk("), LOG))
    with pytest.raises(CompileError, match=r"entry 'k' is not in the file; it defines kk, other, nothing"):
        build(source("a"), "sm_90", SOME, tmp_path)


@pytest.fixture(scope="module")
def real() -> Nvcc:
    try:
        return find_nvcc()
    except CompilerMissingError:
        pytest.skip("there is no nvcc")


@pytest.fixture
def compiled(real: Nvcc, tmp_path: Path) -> Callable[..., cuda_build.Built]:
    def make(text: str, target: str = "sm_90a") -> cuda_build.Built:
        return build(source(text, tmp_path / "mine.cu", TILE=4), target, real, tmp_path / "cache")

    return make


def test_that_a_kernel_in_cpp_is_compiled_and_described(compiled: Callable[..., cuda_build.Built]) -> None:
    made = compiled(
        f"__global__ void k({PARAMETERS}) {{ __shared__ float s[TILE]; s[threadIdx.x] = A[M];\n"
        "__syncthreads(); C[N] = s[3 - threadIdx.x]; }"
    )
    assert made.cubin.startswith(b"\x7fELF")
    assert plain_name(made.symbol) == "k"
    assert [one.nbytes for one in made.parameters] == [8, 8, 8, 4, 4, 4]
    assert made.resources.static_shared_bytes == 16
    assert 0 < made.resources.registers < 64


def test_that_types_that_a_file_leaves_to_others_are_declared(real: Nvcc, tmp_path: Path) -> None:
    product = "__bfloat162float(A[0]) * __half2float(B[0])"
    text = f"__global__ void k(const bf16 *A, const half *B, float *C) {{ C[0] = {product}; }}"
    mine = replace(source(text, tmp_path / "mine.cu"), is_foreign=True)
    assert [one.nbytes for one in build(mine, "sm_90a", real, tmp_path / "cache").parameters] == [8, 8, 8]
    with pytest.raises(CompileError, match="bf16"):
        build(replace(mine, is_foreign=False), "sm_90a", real, tmp_path / "cache")


@pytest.mark.parametrize(("body", "line"), [("\n\n    C[0] = nothing;\n", 4), ('\n    asm volatile("bogus.x;");\n', 3)])
def test_that_compiler_and_assembler_name_the_line(
    compiled: Callable[..., cuda_build.Built], tmp_path: Path, body: str, line: int
) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(f"// one\n__global__ void k({PARAMETERS}) {{{body}}}\n")
    assert str(caught.value).startswith(f"{tmp_path / 'mine.cu'}:{line}: ")


def test_that_a_missing_host_compiler_is_told_apart_from_a_wrong_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "gcc: No such file or directory\nnvcc fatal   : Failed to preprocess host compiler properties.\n"
    monkeypatch.setattr(cuda_build, "run_nvcc", lambda *_: (False, said))
    with pytest.raises(CompilerMissingError, match=r"nvcc finds no C\+\+ compiler .* Install g\+\+"):
        build(source("a"), "sm_90", SOME, tmp_path)


@pytest.mark.parametrize(
    ("release", "requires", "target"),
    [("13.0", (), "sm_90a"), ("11.8", (), "sm_90"), ("11.8", ("cuda", "sm_90a"), "sm_90a")],
)
def test_that_an_old_nvcc_gets_a_target_that_it_knows(release: str, requires: tuple[str, ...], target: str) -> None:
    assert Nvcc(Path("nvcc"), release, release).known_target("sm_90a", requires) == target
