"""The machine code of a kernel without a GPU: nvcc's for a run, NVRTC's for any GPU of the list."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpu_runs import GPU, gpu_run

from gemmviz.backends.base import BackendError
from gemmviz.backends.cuda.nvcc import HOW_TO_GET_NVCC, find_nvcc
from gemmviz.backends.registry import devices_for
from gemmviz.catalogue.gpus import find_gpu
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.kernels.machine_code import MachineCode
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gemmviz.engine import machine_code as module
from gemmviz.engine.machine_code import machine_code
from gemmviz.engine.messages import Job

SHAPE = Shape(64, 64, 64)
INNER_LINE = "acc += As[ty][k] * Bs[k][tx];"


def job(name: str) -> Job:
    kernel = load_catalogue().get(name)
    return Job(kernel, kernel.params({}))


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "cache_folder", tmp_path.joinpath)


def lines_with(code: MachineCode, text: str, lines: tuple[int, ...], opcode: str) -> set[str]:
    """The lines of the source that instructions with an opcode came from."""
    source = code.source.split("\n")
    pairs = zip(text.splitlines(), lines, strict=True)
    return {source[line - 1].strip() for words, line in pairs if line and opcode in words}


@pytest.mark.usefixtures("nvrtc")
def test_that_code_for_a_gpu_that_is_not_there_is_linked_with_its_source(tmp_path: Path) -> None:
    code = machine_code(job("tiled"), SHAPE, find_gpu("RTX 4090"), 60.0)
    assert (code.kernel, code.target, code.gpu) == ("tiled TILE=16", "sm_89", "NVIDIA GeForce RTX 4090")
    assert code.build.startswith("Compiled by NVRTC 13.")
    assert "2 KiB of shared memory per block; occupancy on NVIDIA GeForce RTX 4090 100 % (warps" in code.build
    assert lines_with(code, code.ptx, code.ptx_lines, "fma.rn.f32") == {INNER_LINE}
    assert lines_with(code, code.sass, code.sass_lines, "FFMA") == {INNER_LINE}
    assert str(tmp_path) not in code.sass
    assert len(code.gpus) == 10
    (kept,) = (tmp_path / "nvrtc").iterdir()
    before = (kept / "kernel.cubin").stat().st_mtime_ns
    assert machine_code(job("tiled"), SHAPE, find_gpu("RTX 4090"), 60.0) == code
    assert (kept / "kernel.cubin").stat().st_mtime_ns == before, "the second time it comes from the cache"


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_for_one_architecture_is_offered_its_gpus_alone() -> None:
    assert machine_code(job("wgmma_tf32"), Shape(4096, 4096, 4096), find_gpu("H200"), 60.0).gpus == ("H100", "H200")


def test_that_the_code_of_a_run_is_nvccs_where_there_is_nvcc() -> None:
    try:
        find_nvcc()
    except CompilerMissingError as error:
        pytest.skip(str(error))
    code = machine_code(job("tiled"), SHAPE, gpu_run().device, 60.0, is_of_run=True)
    assert code.target == "sm_90a"
    assert ".target sm_90" in code.ptx
    assert code.build.startswith("Compiled by nvcc ")
    assert code.sass == "" or "FFMA" in code.sass


@pytest.mark.usefixtures("nvrtc")
def test_that_the_code_of_a_run_is_nvrtcs_where_there_is_no_nvcc(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise CompilerMissingError(HOW_TO_GET_NVCC)

    monkeypatch.setattr(module, "find_nvcc", missing)
    code = machine_code(job("tiled"), SHAPE, GPU, 60.0, is_of_run=True)
    assert code.build.startswith("Compiled by NVRTC ")


def test_that_what_has_no_machine_code_is_refused_with_the_reason() -> None:
    with pytest.raises(BackendError, match="not CUDA C"):
        machine_code(job("cpu_ijk"), SHAPE, GPU, 60.0)
    with pytest.raises(BackendError, match="for NVIDIA GPUs only"):
        machine_code(job("tiled"), SHAPE, devices_for(Language.OPENCL)[-1], 60.0)
