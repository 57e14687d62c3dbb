"""The embedded device, opened once for a test file, and launches on it with a guarded C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.backends.base import Compiled, Source
from gemmviz.backends.opencl.build import Build
from gemmviz.backends.opencl.device import OpenClBackend, OpenClDevice
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch

GUARD = 64
"""Elements behind A, B and C that a kernel must leave alone."""

Array = NDArray[np.float32]
RunBuild = Callable[[Build, Source, Launch, Shape, Array, Array], Array]


@pytest.fixture(scope="module")
def pocl() -> Iterator[OpenClDevice]:
    backend = OpenClBackend()
    found = [device for device in backend.devices() if device.id == "pocl"]
    if not found:
        pytest.skip("PoCL is not installed")
    opened = backend.open(found[0])
    assert isinstance(opened, OpenClDevice)
    yield opened
    opened.release()


@pytest.fixture(scope="module")
def run_build(pocl: OpenClDevice) -> RunBuild:
    """C, flat, of one build of a source; A, B and what lies behind the matrices must come back unchanged."""
    built: dict[tuple[str, str, str], Compiled] = {}

    def run(build: Build, source: Source, launch: Launch, shape: Shape, a: Array, b: Array) -> Array:
        key = (build.words, build.text, repr(source.defines))
        if key not in built:
            built[key] = pocl._compiled(pocl.build(build, source), build, source)
        c = np.full(shape.m * shape.n + GUARD, np.nan, np.float32)
        hosts = [np.concatenate([x.ravel(), np.full(GUARD, np.nan, np.float32)]) for x in (a, b)] + [c]
        buffers = [pocl.allocate(x.nbytes) for x in hosts]
        try:
            for host, buffer in zip(hosts, buffers, strict=True):
                pocl.upload(host, buffer)
            pocl.launch(built[key], launch, [*buffers, shape.m, shape.n, shape.k]).wait(60.0)
            for host, buffer in zip(hosts[:2], buffers[:2], strict=True):
                after = np.empty_like(host)
                pocl.download(buffer, after)
                assert after.tobytes() == host.tobytes(), "the kernel wrote to its inputs"
            pocl.download(buffers[2], c)
        finally:
            for buffer in buffers:
                buffer.release()
        assert np.isnan(c[shape.m * shape.n :]).all(), "the kernel wrote behind C"
        return c[: shape.m * shape.n]

    return run


@pytest.fixture
def cuda_file(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a text to mine.cu."""

    def write(text: str) -> Path:
        path = tmp_path / "mine.cu"
        path.write_text(text, encoding="utf-8")
        return path

    return write
