"""Which own kernels need the compilers of a GPU in their sandbox."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.catalogue.gpus import emulated, find_gpu
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.engine.own_kernels import may_use_gpu

GPU = replace(find_gpu("A100"), id="cuda:1")
POCL = replace(GPU, id="pocl", backend="opencl", kind=DeviceKind.CPU)
HOST = replace(POCL, id="host", backend="host")
MACHINE = emulated()


@pytest.mark.parametrize(("wanted", "devices", "expected"), [
    ("machine", (POCL, HOST, MACHINE), True), ("machine:A100", (), True), ("pocl", (POCL, HOST, MACHINE), False),
    ("", (POCL, HOST, MACHINE), False), ("", (HOST, MACHINE), True), ("", (GPU, POCL, HOST), True),
    ("pocl", (GPU, POCL, HOST), False),
])  # fmt: skip
def test_that_the_machine_needs_its_compilers(wanted: str, devices: tuple[Device, ...], expected: bool) -> None:
    assert may_use_gpu(wanted, devices) is expected
