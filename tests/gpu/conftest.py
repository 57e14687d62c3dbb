"""The NVIDIA GPU, opened once for a test file; without one every test here is skipped. One command: pytest -m gpu."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled_for_tests import compile_for_all_tests

from gemmviz.backends.base import OpenDevice, Source, TrialRun
from gemmviz.backends.cuda.device import CudaBackend, CudaDevice
from gemmviz.backends.cuda.launch import CudaCompiled
from gemmviz.domain.device import Device
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language

MANY = 100
"""Tests for which it pays to compile on all cores first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/gpu/test_" in item.nodeid:  # their paths take ten times as long to compare
            item.add_marker(pytest.mark.gpu)


@pytest.fixture(scope="session")
def backend() -> CudaBackend:
    backend = CudaBackend()
    missing = backend.missing() or ("" if backend.devices() else "CUDA is for other systems")
    if missing:
        pytest.skip(missing)
    return backend


@pytest.fixture(scope="session")
def device(backend: CudaBackend) -> Device:
    return backend.devices()[0]


@pytest.fixture(scope="session", autouse=True)
def compiled_ahead(request: pytest.FixtureRequest, device: Device) -> None:
    """Everything that is compiled for many tests, on all cores at once: one after the other takes minutes."""
    if len(request.session.items) >= MANY:
        assert compile_for_all_tests(device) > 0


@pytest.fixture(scope="module")
def gpu(backend: CudaBackend, device: Device) -> Iterator[OpenDevice]:
    opened = backend.open(device)
    yield opened
    opened.release()


@pytest.fixture
def compiled(gpu: CudaDevice, tmp_path: Path) -> Callable[..., CudaCompiled]:
    """Compiles a text of mine.cu, whose kernel is called k."""

    def make(text: str, launch: Launch, requires: tuple[str, ...] = (), **defines: int) -> Any:
        source = Source(tmp_path / "mine.cu", text, "k", Language.CUDA, tuple(defines.items()), requires)
        return gpu.compile(source, launch, TrialRun(Shape(2, 4, 3), launch, 8), lambda _: None)

    return make


@pytest.fixture
def arguments(gpu: CudaDevice) -> Iterator[list[Any]]:
    """A of ones, B of ones, C of zeros, and M N K = 2 4 3."""
    arrays = [np.ones(6, np.float32), np.ones(12, np.float32), np.zeros(8, np.float32)]
    buffers = [gpu.allocate(array.nbytes) for array in arrays]
    for array, buffer in zip(arrays, buffers, strict=True):
        gpu.upload(array, buffer)
    yield [*buffers, 2, 4, 3]
    for buffer in buffers:
        buffer.release()
