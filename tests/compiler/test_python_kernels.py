"""Kernels of Python files: what of a file is run, what comes of it, and what is said where nothing does."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from stored_ptx import answer_from_data

from gemmviz.backends.kernel_source import kernel_source
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.compiler.languages import compile_source, compiling_words, target_on_machine, without_words
from gemmviz.compiler.nvidia.nvrtc import CompiledCode
from gemmviz.compiler.python import run
from gemmviz.compiler.python.needed import needed_of
from gemmviz.compiler.source import CompileError, CompilerMissingError, CompileTimeoutError, Source
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.machine.ptx.parse import parse

DATA = Path(__file__).parents[1] / "data" / "languages"
NAMES = ("triton_matmul", "numba_tiled")
PACKAGES = {"triton_matmul": "triton", "numba_tiled": "numba-cuda"}
FILE = """
import os, torch
from helper import scale as factor
import numba.cuda as cuda
SIZE: int = 4
TWICE = 2 * SIZE
SIDE = open("there", "w")
table = {}
table["a"] = TWICE
print("launching")

def device(x):
    return x * TWICE * table["a"]

@autotune(configs=[SIDE])
@cuda.jit
def kernel(A, B):
    A[0] = device(B[0])

class Other:
    def run(self):
        kernel[1, 1](torch.ones(1))

kernel[1, 1]()
"""


def is_installed(name: str) -> bool:
    try:
        metadata.version(PACKAGES[name])
    except metadata.PackageNotFoundError:
        return False
    return True


def source_of(name: str, **params: int) -> Source:
    kernel = load_user_kernel(DATA / f"{name}.py")
    return kernel_source(kernel, kernel.plan(Shape(40, 24, 36), kernel.params(params), emulated("", 0)))


def compiled(source: Source) -> CompiledCode:
    return compile_source(source, "sm_80", CodeForm.AS_COMPILED)


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the processes of Triton 3.9.0 and numba-cuda 0.30.4 have answered, in the place of them."""
    return answer_from_data(monkeypatch)


def test_that_only_what_a_kernel_needs_of_its_file_is_run() -> None:
    made = needed_of(FILE, "kernel", {"SIZE": 8})
    kept = {4: "import numba.cuda as cuda", 5: "SIZE: int = 8", 6: "TWICE = 2 * SIZE", 8: "table = {}"}
    kept |= {9: 'table["a"] = TWICE', 12: "def device(x):", 13: '    return x * TWICE * table["a"]', 16: "@cuda.jit"}
    kept |= {17: "def kernel(A, B):", 18: "    A[0] = device(B[0])"}
    assert {number: line.rstrip() for number, line in enumerate(made.split("\n"), 1) if line.strip()} == kept


def test_that_several_statements_of_a_line_are_told_apart() -> None:
    text = "ä = 'é'; import os; T = 2; print(T)\n@triton.autotune(\n  [os]\n)\n@jit\ndef k(): return T\n"
    words = [line.split() for line in needed_of(text, "k", {"T": 16}).split("\n")]
    assert words == [[";", ";", "T", "=", "16;"], [], [], [], ["@jit"], ["def", "k():", "return", "T"], []]


@pytest.mark.parametrize("name", NAMES)
def test_that_the_request_is_the_one_that_the_stored_ptx_was_made_by(stored: dict[str, Any], name: str) -> None:
    compiled(source_of(name))
    assert stored == json.loads((DATA / f"{name}.made.json").read_text())["request"]


@pytest.mark.usefixtures("stored")
def test_that_triton_becomes_a_plain_kernel() -> None:
    made = compiled(source_of("triton_matmul"))
    assert made.words == "Triton 3.9.0 for sm_80"
    assert made.signature is not None
    assert [one.words for one in made.signature] == ["void *"] * 3 + ["int"] * 6
    assert [one.nbytes for one in made.parameters] == [8] * 3 + [4] * 6
    module = parse(made.ptx, "kernel.cu")
    assert [(one.name, one.nbytes) for one in module.shared] == [("global_smem", 8192)]
    lines = source_of("triton_matmul").text.splitlines()
    (function,) = module.functions
    stores = {lines[one.place.line - 1].strip() for one in function.statements if one.words[:2] == ("st", "global")}
    assert len(stores) == 1
    assert stores.pop().startswith("tl.store(c_ptr")


@pytest.mark.usefixtures("stored")
def test_that_a_triton_kernel_that_uses_scratch_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run._run

    def with_scratch(source: Source, needed: str, request: dict[str, Any]) -> tuple[str, str]:
        ptx, facts = answer(source, needed, request)
        return ptx.replace("ld.param.b64 	%rd7, [matmul_param_2]", "ld.param.b64 %rd7, [matmul_param_9]"), facts

    monkeypatch.setattr(run, "_run", with_scratch)
    with pytest.raises(CompileError, match=r"matmul uses memory that Triton's launcher gives it \(matmul_param_9\)"):
        compiled(source_of("triton_matmul"))


@pytest.mark.usefixtures("stored")
def test_that_numbas_arrays_keep_their_names() -> None:
    made = compiled(source_of("numba_tiled"))
    assert [(one.name, one.nbytes) for one in parse(made.ptx, "kernel.cu").shared] == [("As", 256), ("Bs", 256)]
    assert made.signature is not None
    words = [one.words for one in made.signature]
    assert len(words) == 27
    assert [words[place] for place in (4, 13, 22)] == ["void *"] * 3


@pytest.mark.parametrize("name", NAMES)
def test_that_what_is_not_installed_is_named_with_its_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(package: str) -> str:
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(metadata, "version", nothing)
    with pytest.raises(CompilerMissingError, match=rf"pip install 'gemmviz\[{PACKAGES[name]}\]'"):
        compiled(source_of(name))


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("1 / 0", r"mine.py:2: ZeroDivisionError: division by zero"),
        ("__import__('nowhere')", r"mine.py:2: the module 'nowhere' is not installed, which the kernel needs"),
        ("exit(3)", r"mine.py:2: it ends the process that runs it \(SystemExit\): take that out"),
        ("__import__('os')._exit(5)", r"mine.py: the process that ran the file ended with exit code 5"),
        ("__import__('os').kill(__import__('os').getpid(), 11)", "ended by signal 11|exit code -?11|exit code 139"),
    ],
)
def test_that_what_a_file_does_wrong_is_told_with_its_line(
    monkeypatch: pytest.MonkeyPatch, statement: str, words: str
) -> None:
    monkeypatch.setattr(run._Tool, "version", "1")
    text = f"'''A kernel.'''\nVALUE = {statement}\ndef k(A): A[0] = VALUE\n"
    source = Source(Path("mine.py"), text, "k", Language.NUMBA_CUDA, types=("int64",))
    with pytest.raises(CompileError, match=words):
        compiled(source)


def test_that_a_file_that_does_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run._Tool, "version", "1")
    text = "import time\nVALUE = time.sleep(1000)\ndef k(A): A[0] = VALUE\n"
    source = Source(Path("mine.py"), text, "k", Language.NUMBA_CUDA, types=("int64",), limit_s=1.0)
    with pytest.raises(
        CompileTimeoutError,
        match=r"mine.py: running the file and compiling its kernel did not end within 1 s: look for a loop",
    ):
        compiled(source)


@pytest.mark.parametrize("name", NAMES)
def test_that_the_installed_compiler_makes_such_ptx(name: str, tmp_path: Path) -> None:
    if not is_installed(name):
        pytest.skip(f"{PACKAGES[name]} is not installed")
    source = source_of(name)
    made = compile_source(source, "sm_80", CodeForm.AS_COMPILED, tmp_path)
    assert made.release == metadata.version(PACKAGES[name])
    assert made.signature is not None
    (function,) = parse(made.ptx, "kernel.cu").functions
    assert {one.place.line for one in function.statements} <= set(range(len(source.text.splitlines()) + 1))
    assert compile_source(source, "sm_80", CodeForm.AS_COMPILED, tmp_path) == made


def test_that_triton_takes_whole_warps_only() -> None:
    if not is_installed("triton_matmul"):
        pytest.skip("triton is not installed")
    for threads in (100, 96):
        with pytest.raises(CompileError, match=rf"a block of {threads} threads: Triton takes 1, 2, 4, … warps"):
            compiled(replace(source_of("triton_matmul"), threads=threads))


def test_that_errors_of_the_installed_compilers_are_told_with_their_lines() -> None:
    for name, wrong, words in (
        ("triton_matmul", ("tl.dot(a, b,", "tl.dot(a, rows,"), "triton_matmul.py:"),
        ("numba_tiled", ("acc += As[ty, k]", "acc += As.nothing"), "numba_tiled.py:"),
    ):
        if not is_installed(name):
            continue
        source = source_of(name)
        text = source.text.replace(*wrong)
        line = text[: text.index(wrong[1])].count("\n") + 1
        with pytest.raises(CompileError, match=f"{words}{line}: "):
            compiled(replace(source, text=text))


def test_that_a_triton_kernel_is_told_how_to_do_without_tensor_cores() -> None:
    refused = "line 29: the machine does not implement ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r65}, [%r88]"
    assert without_words(Language.TRITON, refused) == 'tl.dot(…, input_precision="ieee") does without tensor cores'
    assert without_words(Language.PTX, refused) == without_words(Language.TRITON, "does not implement clz.b32") == ""
    assert [target_on_machine(Language.TRITON, one) for one in ("sm_90a", "sm_80", "sm_75")] == [
        "sm_80",
        "sm_80",
        "sm_75",
    ]
    assert target_on_machine(Language.NUMBA_CUDA, "sm_90a") == "sm_90a"
    assert [compiling_words(one, "sm_80") for one in (Language.PTX, Language.TRITON, Language.CUDA)] == [
        "reading the PTX",
        "compiling for sm_80 by Triton",
        "compiling for sm_80 by NVRTC",
    ]
