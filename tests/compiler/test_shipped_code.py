"""Recordings where NVIDIA's compiler does not exist: PTX of the catalogue comes along."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from make_ptx import sources, write_shipped_code

from gemmviz.backends.machine import backend
from gemmviz.backends.machine.backend import MachineBackend
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler import shipped_code
from gemmviz.compiler.nvidia import nvrtc
from gemmviz.compiler.nvidia.nvrtc import compile_cuda, key_of
from gemmviz.compiler.nvidia.wheels import NO_WHEEL
from gemmviz.compiler.shipped_code import TARGET, archive_path
from gemmviz.compiler.source import CompilerMissingError, Source
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise CompilerMissingError(NO_WHEEL)

    monkeypatch.setattr(nvrtc, "find_nvrtc", missing)
    monkeypatch.setattr(backend, "find_nvrtc", missing)


def test_that_what_comes_along_is_the_catalogue_as_it_is() -> None:
    """Else: python docs/make_ptx.py."""
    with zipfile.ZipFile(archive_path()) as archive:
        shipped = {name.removesuffix(".ptx") for name in archive.namelist() if name.endswith(".ptx")}
    assert shipped == {key_of(source, TARGET, form) for source in sources() for form in CodeForm}


def test_that_included_files_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kernel that is compiled, or taken from the folder of compiled ones, waits for that."""
    looked: list[Source] = []
    monkeypatch.setattr(nvrtc, "included_files", lambda source: looked.append(source) or {})
    source = next(iter(sources()))
    key_of(source, TARGET, CodeForm.AS_COMPILED)
    assert looked == [source]


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("form", CodeForm)
def test_that_a_kernel_is_recorded_without_the_compiler(form: CodeForm) -> None:
    assert MachineBackend().missing() == ""
    machine, kernel, shape = MachineDevice(emulated("H200"), TARGET), load_catalogue().get("tiled"), Shape(20, 24, 33)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    operands = make_operands(shape, Fill.INTEGERS, 3)
    recorder = machine_recorder_for(machine, kernel, plan, shape, operands, 60.0, form)
    assert sum(1 for _ in recorder.blocks(np.arange(plan.launch.blocks, dtype=np.int32))) == plan.launch.blocks
    np.testing.assert_array_equal(recorder.c[0], operands.a.astype(np.float64) @ operands.b)


@pytest.mark.usefixtures("no_compiler")
def test_that_what_does_not_come_along_is_refused_with_what_does() -> None:
    (source, *_) = sources()
    words = f"this system cannot compile .* with its default parameters, which comes compiled for {TARGET}, or a"
    with pytest.raises(CompilerMissingError, match=words):
        compile_cuda(source, "sm_80", or_shipped=True)
    with pytest.raises(CompilerMissingError, match=r"cannot compile for a GPU$"):
        compile_cuda(source, TARGET)  # machine code is asked for, and none comes along


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("content", [None, b"", b"PK no archive"])
def test_that_a_damaged_archive_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "ptx.zip"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setattr(shipped_code, "archive_path", lambda: path)
    (source, *_) = sources()
    with pytest.raises(CompilerMissingError, match="cannot compile for a GPU"):
        compile_cuda(source, TARGET, or_shipped=True)
    assert MachineBackend().missing() == ("" if content is not None else NO_WHEEL)


def test_that_the_same_code_makes_the_same_archive(tmp_path: Path) -> None:
    made = {"b": (b"", "ptx of b", "log"), "a": (b"", "ptx of a", "")}
    paths = [tmp_path / "one.zip", tmp_path / "two.zip"]
    for path, order in zip(paths, (made, dict(reversed(made.items()))), strict=True):
        write_shipped_code(path, "13.5", order)
    assert paths[0].read_bytes() == paths[1].read_bytes()
