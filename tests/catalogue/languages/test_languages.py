"""Kernel files in PTX and in Python: which kernels they have, and how a call becomes theirs. No Python is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel, Plan, Refusal
from gemmviz.catalogue.languages.ptx import block_of, kernels_of, needs_block, source_file
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.catalogue.recordable import recorded_forms
from gemmviz.domain.kernels.call import MatrixArgument, NullArgument, NumberArgument
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Language

DATA = Path(__file__).parents[2] / "data" / "languages"
MACHINE = emulated("", 0)
SHAPE = Shape(48, 1, 20)
LAUNCH = '[launch]\nblock = [128]\ngrid = ["M"]\n'


def own(folder: Path, name: str, text: str, toml: str = LAUNCH) -> Kernel:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.with_name(f"{name}.toml").write_text(toml, encoding="utf-8")
    return load_user_kernel(path)


def planned(kernel: Kernel, shape: Shape = SHAPE, **params: int) -> Plan:
    return kernel.plan(shape, kernel.params(params), MACHINE)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("tiled.ptx", Language.PTX),
        ("triton_matmul.py", Language.TRITON),
        ("numba_tiled.py", Language.NUMBA_CUDA),
        ("cupy_tiled.py", Language.CUDA),
    ],
)
def test_that_a_file_tells_its_language_and_its_kernel(name: str, language: Language) -> None:
    kernel = load_user_kernel(DATA / name)
    assert (kernel.language, kernel.entry) == (language, "matmul")
    assert kernel.needs_cuda == (language is not Language.CUDA)
    forms = (CodeForm.AS_WRITTEN, CodeForm.AS_COMPILED) if language is Language.CUDA else (CodeForm.AS_COMPILED,)
    assert set(recorded_forms(kernel, [MACHINE])) == set(forms)


def test_that_a_block_is_taken_from_the_ptx_and_no_other_where_it_is_required(tmp_path: Path) -> None:
    head = ".version 8.0\n.target sm_80\n.address_size 64\n"
    text = f"{head}.entry k(.param .u64 a)\n.reqntid 32, 4\n{{\nret;\n}}\n.entry l()\n.maxntid 64\n{{\nret;\n}}\n"
    text += "// .entry none()\n{\n"
    assert kernels_of(text) == ("k", "l")
    assert (block_of(text, "k"), needs_block(text, "k")) == (("32", "4"), True)
    assert (block_of(text, "l"), needs_block(text, "l")) == (("64",), False)
    grid = '[launch]\ngrid = ["M"]\n'
    assert planned(own(tmp_path, "k.ptx", text, f'entry = "k"\n{grid}')).launch.block == (32, 4, 1)
    assert planned(own(tmp_path, "l.ptx", text, f'entry = "l"\n{grid}')).launch.block == (64, 1, 1)
    with pytest.raises(Refusal, match=r"compiled for blocks of 32 x 4 threads \(.reqntid\), and a launch of 128 fails"):
        planned(own(tmp_path, "other.ptx", text, f'entry = "k"\n{LAUNCH}'))


def test_that_ptx_is_shown_by_its_source_where_that_lies_beside_it(tmp_path: Path) -> None:
    text, source = (DATA / "tiled.ptx").read_text(), (DATA / "tiled.cu").read_text()
    assert source_file(text, "matmul") == "tiled.cu"
    assert load_user_kernel(DATA / "tiled.ptx").shown.text == source
    alone = own(tmp_path, "tiled.ptx", text, (DATA / "tiled.ptx.toml").read_text())
    assert (alone.listing, alone.shown.name, alone.shown.text) == (None, "tiled.ptx", text)


def test_that_the_source_of_a_raw_kernel_keeps_its_lines() -> None:
    kernel = load_user_kernel(DATA / "cupy_tiled.py")
    python = (DATA / "cupy_tiled.py").read_text().splitlines()
    assert kernel.shown.name == "cupy_tiled.py"
    assert kernel.shown.text.splitlines() == python
    for number, line in enumerate(kernel.text.splitlines()):
        assert not line.strip() or line == python[number]
    assert dict(kernel.defines) == {"TILE": "16"}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("RawKernel(open('k.cu').read(), 'k')", ":2: it reads its source from 'k.cu': there is no such file"),
        (
            "RawKernel(open('../k.cu').read(), 'k')",
            ":2: it reads its source from '../k.cu', which is not in",
        ),
        ("RawModule(path='k.cubin')", ":2: a compiled module is loaded"),
        ("RawKernel('''{}''', 'k', ('--use_fast_math',))", "the option '--use_fast_math' is not known"),
    ],
)
def test_that_a_raw_kernel_which_cannot_be_read_is_refused(tmp_path: Path, call: str, words: str) -> None:
    call = call.replace("'''{}'''", "'''extern \"C\" __global__ void k(int a) {}'''")
    with pytest.raises(HeaderError, match=r"mine\.py") as caught:
        own(tmp_path, "mine.py", f"import cupy\nk = cupy.{call}\n")
    assert words in str(caught.value)


def test_that_the_kernel_of_a_raw_module_is_found_by_its_entry(tmp_path: Path) -> None:
    text = (
        "from cupy import RawModule as Module\n"
        "CODE = r'''\n__global__ void other(int *a) {}\n__global__ void k(float *a) {}\n'''\n"
        "module = Module(code=CODE, options=('-DT=4', '-DEMPTY'))\n"
    )
    kernel = own(tmp_path, "mine.py", text, f'entry = "k"\n{LAUNCH}')
    assert dict(kernel.defines) == {"T": "4", "EMPTY": "1"}
    with pytest.raises(HeaderError, match="defines other, k: name one as 'entry'"):
        own(tmp_path, "two.py", text)


def test_that_triton_gets_types_and_constants_and_numbers_that_are_one_are_constants() -> None:
    plan = planned(load_user_kernel(DATA / "triton_matmul.py"), BLOCK_M=16)
    # M = 48 and lda = 20, N = 1 and ldb = ldc = 1, K = 20
    numbers = ("i32:16", "=1", "i32", "i32", "=1", "=1")
    assert plan.types == ("*fp32:16", "*fp32:16", "*fp32:16", *numbers, "=16", "=32", "=16")
    given = [one.value for one in plan.call.arguments if isinstance(one, NumberArgument)]
    assert given == [48, 20, 20]
    assert plan.launch.block == (128, 1, 1)


def test_that_a_triton_kernel_without_a_value_for_a_constant_is_refused(tmp_path: Path) -> None:
    text = "from triton import jit, language as tl\n@jit\ndef k(a, b, c, T: tl.constexpr, U: tl.constexpr = 3): pass\n"
    kernel = own(tmp_path, "mine.py", text, f'args = ["A", "B", "C"]\n{LAUNCH}')
    with pytest.raises(Refusal, match=r"k has a constant T, of which nothing is said: give it as a parameter"):
        planned(kernel)
    more = own(tmp_path, "more.py", text, LAUNCH)
    with pytest.raises(Refusal, match=r"k takes 3 arguments besides its constants \(a, b, c\), but 'args' gives it 6"):
        planned(more)


def test_that_numba_gets_an_array_as_its_parts(tmp_path: Path) -> None:
    kernel = own(
        tmp_path,
        "mine.py",
        (DATA / "numba_tiled.py").read_text(),
        f'entry = "matmul"\nargs = ["A", "B", "C"]\n[operands.B]\nlayout = "column"\n{LAUNCH}',
    )
    plan = planned(kernel, Shape(3, 5, 7))
    assert plan.types == ("array(float32, C)", "array(float32, F)", "array(float32, C)")
    parts = plan.call.arguments[9:18]
    assert parts[:2] == (NullArgument(), NullArgument())
    assert parts[4] == MatrixArgument("B")
    assert [one.value for one in parts if isinstance(one, NumberArgument)] == [35, 4, 7, 5, 4, 28]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def k(:\n", ":1: it is not Python"),
        ("import numpy\ndef k(a): pass\n", "there is no GPU kernel in it: gemmviz looks for a function decorated with"),
        ("from numba import cuda\n@cuda.jit(device=True)\ndef k(a): pass\n", "there is no GPU kernel in it"),
    ],
)
def test_that_python_without_a_kernel_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(HeaderError) as caught:
        own(tmp_path, "mine.py", text)
    assert words in str(caught.value)


def test_that_a_numba_signature_is_refused(tmp_path: Path) -> None:
    text = "from numba import cuda\n@cuda.jit('void(float32[:,:], float32[:,:], float32[:,:])')\ndef k(a, b, c): pass\n"
    kernel = own(tmp_path, "mine.py", text, f'args = ["A", "B", "C"]\n{LAUNCH}')
    with pytest.raises(Refusal, match="line 2: the decorator of k is given a signature"):
        planned(kernel)
