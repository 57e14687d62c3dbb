"""The fake GPU of `fake_cuda`, opened, and what is compiled and laid out for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_cuda import LAUNCH, UUID, FakeDriver, FakeLibrary

from gemmviz.backends.base import Source, TrialRun
from gemmviz.backends.cuda import device as cuda_module
from gemmviz.backends.cuda.build import Built
from gemmviz.backends.cuda.device import CudaDevice
from gemmviz.backends.cuda.devices import Cuda, describe
from gemmviz.backends.cuda.driver import CudaLibrary
from gemmviz.backends.cuda.gauges import GaugeReader
from gemmviz.backends.cuda.launch import CudaCompiled
from gemmviz.backends.cuda.nvcc import Nvcc
from gemmviz.compiler.ptx.kernels import PtxParameter
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language

POINTER, NUMBER, MAP = PtxParameter(8, 8), PtxParameter(4, 4), PtxParameter(128, 128)


@pytest.fixture
def driver() -> FakeDriver:
    return FakeDriver()


@pytest.fixture
def library() -> FakeLibrary:
    return FakeLibrary()


@pytest.fixture
def cuda(driver: FakeDriver, library: FakeLibrary) -> Cuda:
    return Cuda(driver, CudaLibrary(library))


@pytest.fixture
def opened(cuda: Cuda, monkeypatch: pytest.MonkeyPatch) -> CudaDevice:
    """The fake GPU. What nvcc would make has the parameters of a product's, or those in the source's text."""
    monkeypatch.setattr(cuda_module, "find_nvcc", lambda: Nvcc(Path("nvcc"), "13.0", "13.0.88"))

    def build(source: Source, target: str, *_: object) -> Built:
        parameters = tuple(MAP if one == "m" else POINTER for one in source.text[:3]) + (NUMBER,) * 3
        resources = Resources(100, static_shared_bytes=1024)
        parameters = (POINTER, NUMBER, NUMBER) if source.entry == "hold" else parameters
        return Built(target, "13.0", source.entry, parameters, resources, b"\x7fELF", "ptx")

    monkeypatch.setattr(cuda_module, "build", build)
    monkeypatch.setattr(cuda_module, "_ABANDONED", [])
    context = cuda.driver.Device(0).retain_primary_context()
    return CudaDevice(describe(cuda, 0, UUID), cuda, context, GaugeReader(None, UUID))


@pytest.fixture
def compiled(opened: CudaDevice) -> Callable[..., CudaCompiled]:
    def make(entry: str = "k", launch: Launch = LAUNCH, text: str = "ppp", requires: tuple[str, ...] = ()) -> Any:
        source = Source(Path("mine.cu"), text, entry, Language.CUDA, (), requires)
        return opened.compile(source, launch, TrialRun(Shape(2, 4, 3), launch, 8), lambda _: None)

    return make


@pytest.fixture
def arguments(opened: CudaDevice) -> list[Any]:
    arrays = [np.arange(6, dtype=np.float32), np.ones(12, np.float32), np.zeros(8, np.float32)]
    buffers = [opened.allocate(array.nbytes) for array in arrays]
    for array, buffer in zip(arrays, buffers, strict=True):
        opened.upload(array, buffer)
    return [*buffers, 2, 4, 3]
