"""The machine code of a kernel without a GPU: for the architecture that a saved run's device had."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpu_runs import GPU, gpu_run

from gemmviz.backends.base import BackendError
from gemmviz.backends.nvcc import find_nvcc
from gemmviz.backends.registry import devices_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gemmviz.engine import machine_code as module
from gemmviz.engine.machine_code import machine_code
from gemmviz.engine.messages import Job

SHAPE = Shape(64, 64, 64)


def job(name: str) -> Job:
    kernel = load_catalogue().get(name)
    return Job(kernel, kernel.params({}))


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "user_cache_path", lambda *_, **__: tmp_path)


def test_that_ptx_is_that_of_the_devices_architecture(tmp_path: Path) -> None:
    try:
        find_nvcc()
    except CompilerMissingError as error:
        pytest.skip(str(error))
    code = machine_code(job("tiled"), SHAPE, gpu_run().device)
    assert code.kernel == "tiled TILE=16"
    assert code.target == "sm_90"
    assert ".target sm_90" in code.ptx
    assert "fma.rn.f32" in code.ptx
    assert "registers" in code.build
    assert code.sass == "" or "FFMA" in code.sass
    (kept,) = (tmp_path / "cuda").iterdir()
    before = (kept / "kernel.cubin").stat().st_mtime_ns
    assert machine_code(job("tiled"), SHAPE, GPU).ptx == code.ptx
    assert (kept / "kernel.cubin").stat().st_mtime_ns == before, "the second time it comes from the cache"


def test_that_what_has_no_machine_code_is_refused_with_the_reason() -> None:
    with pytest.raises(BackendError, match="not CUDA C"):
        machine_code(job("cpu_ijk"), SHAPE, GPU)
    with pytest.raises(BackendError, match="runs on NVIDIA GPUs"):
        machine_code(job("tiled"), SHAPE, devices_for(Language.OPENCL)[-1])
