"""Where a kernel is recorded: one answer for the window and the command line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.catalogue.gpus import emulated, find_gpu
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.recordable import recorded_forms, recording_device, usual_form
from gemmviz.domain.device import NO_GPU_FACTS, Device, DeviceKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm

CATALOGUE = load_catalogue()
GPU = replace(find_gpu("A100"), id="cuda:1")
POCL = replace(GPU, id="pocl", backend="opencl", kind=DeviceKind.CPU, capabilities=("opencl",), embedded=True)
POCL = replace(POCL, gpu_facts=NO_GPU_FACTS)
HOST = replace(POCL, id="host", backend="host", capabilities=("host",), embedded=False)
MACHINE = emulated("", 2**33)


@pytest.mark.parametrize(
    ("kernel_id", "devices", "wanted", "expected"),
    [
        ("tiled", (GPU, POCL, HOST, MACHINE), "", "cuda:1"),
        ("tiled", (GPU, POCL, HOST, MACHINE), "pocl", "cuda:1"),
        ("tiled", (POCL, HOST, MACHINE), "pocl", "machine:sm_90a"),
        ("tiled", (GPU, POCL, HOST, MACHINE), "cuda:1", "cuda:1"),
        ("tiled", (POCL, HOST, MACHINE), "machine", "machine:sm_90a"),
        ("tiled", (HOST, MACHINE), "", "machine:sm_90a"),
        ("sgemm_best", (POCL, HOST, MACHINE), "pocl", "machine:sm_90a"),
        ("sgemm_best", (MACHINE, GPU), "", "cuda:1"),
        ("sgemm_best", (POCL, HOST, emulated("T4")), "", "machine:sm_75"),
        ("tf32x3", (POCL, HOST, MACHINE), "", "machine:sm_90a"),
        ("cl_naive", (MACHINE, POCL), "machine", "machine:sm_90a"),
        ("cl_naive", (GPU, MACHINE, POCL), "", "machine:sm_90a"),
    ],
)
def test_that_a_gpu_records_and_else_the_machine(
    kernel_id: str, devices: tuple[Device, ...], wanted: str, expected: str
) -> None:
    found = recording_device(CATALOGUE.get(kernel_id), devices, wanted)
    assert found is not None
    assert found.id == expected


def test_that_without_a_device_there_is_none() -> None:
    assert recording_device(CATALOGUE.get("tiled"), ()) is None
    assert recording_device(CATALOGUE.get("tiled"), (POCL, HOST)) is None


def test_that_what_only_cuda_runs_is_recorded_as_compiled_unless_the_form_is_chosen() -> None:
    forms = {name: usual_form(CATALOGUE.get(name)) for name in ("tiled", "cl_naive", "sgemm_best", "tf32x3")}
    assert forms == {
        "tiled": CodeForm.AS_WRITTEN,
        "cl_naive": CodeForm.AS_WRITTEN,
        "sgemm_best": CodeForm.AS_COMPILED,
        "tf32x3": CodeForm.AS_COMPILED,
    }
    assert recorded_forms(CATALOGUE.get("sgemm_best"), (MACHINE,)) == tuple(CodeForm)
    assert recorded_forms(CATALOGUE.get("tf32x3"), (GPU, MACHINE)) == ()
    assert recorded_forms(CATALOGUE.get("tf32x3"), (find_gpu("H200"),)) == (CodeForm.AS_COMPILED,)


def refusal_of(kernel: Kernel, device: Device) -> str:
    with pytest.raises(Refusal) as told:
        kernel.plan(Shape(128, 128, 64), kernel.params({}), device)
    return str(told.value)


def test_that_the_machine_names_what_it_does_not_execute() -> None:
    assert refusal_of(CATALOGUE.get("tf32x3"), MACHINE).startswith(
        "tf32x3: needs tensor cores and the TMA, which the PTX machine does not execute"
    )
    assert "clusters of blocks" in refusal_of(CATALOGUE.get("wgmma_bf16"), MACHINE)
    assert "needs cuBLAS" in refusal_of(CATALOGUE.get("cublas_fp32"), MACHINE)
    assert "capability 8.0 or newer, but PTX machine, sm_75 on" in refusal_of(CATALOGUE.get("cp_async"), emulated("T4"))


def test_that_every_rung_up_to_sgemm_best_can_be_recorded_with_no_gpu() -> None:
    kernels = [each for each in CATALOGUE.kernels if each.has_accesses and not each.arithmetic.is_of_tensor_cores]
    for kernel in kernels:
        device = recording_device(kernel, (POCL, HOST, MACHINE))
        assert device is not None
        shape = Shape(1, 1, 64) if kernel.id.startswith(("dot", "cl_dot")) else Shape(128, 128, 128)
        assert kernel.plan(shape, kernel.params({}), device).launch.blocks
