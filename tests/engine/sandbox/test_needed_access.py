"""Which own kernels need a GPU in their sandbox, and which the compilers of one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.catalogue.gpus import emulated, find_gpu
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.engine.sandbox.confinement import may_start_compilers, may_use_gpu

GPU = replace(find_gpu("A100"), id="cuda:1")
POCL = replace(GPU, id="pocl", backend="opencl", kind=DeviceKind.CPU)
HOST = replace(POCL, id="host", backend="host")
MACHINE = emulated()


@pytest.mark.parametrize("there", [(POCL, HOST, MACHINE), (GPU, POCL, HOST, MACHINE)])
@pytest.mark.parametrize("wanted", ["", "pocl", "machine", "machine:A100"])
def test_that_compilers_are_started_for_a_gpu_and_the_machine_alone(wanted: str, there: tuple[Device, ...]) -> None:
    needs_gpu = wanted == "" and GPU in there
    assert may_use_gpu(wanted, there) is needs_gpu
    assert may_start_compilers(wanted, there) is (needs_gpu or wanted.startswith("machine"))
