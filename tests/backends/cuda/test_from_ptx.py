"""Machine code of PTX that somebody else made. With ptxas it is assembled; without it the driver is given the text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from stored_ptx import DATA, answer_from_data

from gemmviz.backends.cuda import from_ptx as cuda_from_ptx
from gemmviz.backends.cuda.from_ptx import build_from_ptx
from gemmviz.backends.cuda.ptx import AssemblyError, assemble
from gemmviz.backends.kernel_source import kernel_source
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.compiler.code_cache import Made
from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.compiler.source import CompileError, CompilerMissingError, Source
from gemmviz.domain.shape import Shape
from gemmviz.trace.ptx.probing.instrument import instrument_ptx

NAMES = ("tiled.ptx", "triton_matmul.py", "numba_tiled.py")


def source(name: str) -> Source:
    kernel = load_user_kernel(DATA / name)
    return kernel_source(kernel, kernel.plan(Shape(40, 24, 36), kernel.params({}), emulated("", 0)))


def refuses(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refuse(ptx: str, target: str, limit_s: float) -> Made:
        del ptx, target, limit_s
        raise error

    monkeypatch.setattr(cuda_from_ptx, "assemble", refuse)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "error", [CompilerMissingError("none"), AssemblyError("Unsupported .version 9.5; current version is '8.0'")]
)
def test_that_the_driver_gets_what_no_ptxas_takes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, error: Exception
) -> None:
    answer_from_data(monkeypatch)
    refuses(monkeypatch, error)
    built = build_from_ptx(source(name), "sm_90", tmp_path)
    assert built.cubin == built.ptx.encode() + b"\0"
    assert f".entry {built.symbol}" in built.ptx
    assert built.signature is not None
    assert len(built.signature) == len(built.parameters)
    assert "registers" not in built.words


def test_that_what_ptxas_finds_wrong_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refuses(monkeypatch, AssemblyError("ptxas does not take the PTX: line 7; syntax error"))
    with pytest.raises(CompileError, match=r"tiled\.ptx: ptxas does not take the PTX: line 7; syntax error"):
        build_from_ptx(source("tiled.ptx"), "sm_90", tmp_path)


def test_that_ptx_for_an_architecture_with_a_suffix_is_assembled_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []

    def made(ptx: str, target: str, limit_s: float) -> Made:
        del limit_s
        asked.append(target)
        return b"code", ptx, ""

    monkeypatch.setattr(cuda_from_ptx, "assemble", made)
    for text_target, target in (("sm_90a", "sm_90"), ("sm_90a", "sm_100"), ("sm_75", "sm_90")):
        one = source("tiled.ptx")
        text = one.text.replace(".target sm_75", f".target {text_target}")
        build_from_ptx(replace(one, text=text), target, tmp_path / f"{text_target} {target}")
    assert asked == ["sm_90a", "sm_100", "sm_90"]


@pytest.mark.parametrize("name", NAMES)
def test_that_ptxas_takes_the_text_and_its_instrumented_form(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    if find_tool("ptxas") is None:
        pytest.skip("there is no ptxas")
    answer_from_data(monkeypatch)
    built = build_from_ptx(source(name), "sm_90", tmp_path)
    if built.cubin.startswith(b"\x7fELF"):
        assert built.resources.registers > 0
        assert assemble(instrument_ptx(built.ptx, built.symbol, "kernel.cu").text, "sm_90")[0]
    else:
        assert built.ptx.encode() in built.cubin  # this ptxas is older than the PTX
