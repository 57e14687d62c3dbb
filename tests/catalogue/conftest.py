"""Kernel files written for one test, and a device whose limits are small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_kernel
from gemmviz.domain.device import Device, DeviceKind

HEADER = """\
/*---
title   = "A kernel of this test"
entry   = "sgemm"
[params.TILE]
label   = "Tile edge"
choices = [2, 4, 3]
default = 4
[launch]
block = ["TILE"]
grid  = ["ceil_div(N, TILE)", "M"]
---*/
"""

BODY = """\
extern "C" __global__ void sgemm(const float *A, const float *B, float *C, int M, int N, int K)
{
}
"""

SMALL = Device(
    id="small",
    backend="fake",
    name="Small device",
    kind=DeviceKind.GPU,
    vendor="nobody",
    driver="1",
    compute_units=1,
    max_threads_per_block=64,
    max_block=(64, 32, 4),
    max_grid=(1000, 500, 10),
    shared_bytes_per_block=1024,
    global_bytes=2**20,
    max_allocation_bytes=2**18,
    cache_bytes=0,
    clock_mhz=1,
    capabilities=("opencl",),
)

WriteKernel = Callable[..., Path]


@pytest.fixture
def header() -> str:
    """A right header: TILE is the parameter, `choices` stands in line 6, `grid` in line 10."""
    return HEADER


@pytest.fixture
def write_kernel(tmp_path: Path) -> WriteKernel:
    """Writes HEADER with `old` replaced by `new`, and a body, to a file; returns its path."""

    def write(old: str = "", new: str = "", name: str = "mine.cu", body: str = BODY) -> Path:
        assert old in HEADER
        path = tmp_path / name
        path.write_text(HEADER.replace(old, new, 1) + body, encoding="utf-8")
        return path

    return write


@pytest.fixture
def make_kernel(write_kernel: WriteKernel) -> Callable[[str, str], Kernel]:
    """Like write_kernel, read back."""

    def make(old: str = "", new: str = "") -> Kernel:
        return load_kernel(write_kernel(old, new))

    return make


@pytest.fixture
def make_device() -> Callable[..., Device]:
    """A device with 64 threads and 1024 bytes of shared memory per block, or with other facts as given."""
    return lambda **facts: replace(SMALL, **facts)
