"""Each backend brings the recorder of its devices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gemmviz.backends import registry
from gemmviz.backends.cuda.device import CudaBackend
from gemmviz.backends.cuda.recorder import cuda_recorder_for
from gemmviz.backends.host import HostBackend
from gemmviz.backends.machine.backend import MachineBackend
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.backends.opencl.device import OpenClBackend
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.gpus import find_gpu
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.recordable import records
from gemmviz.domain.device import Device, GpuFacts
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.refusal import RecordingRefusal

KERNEL, SHAPE = load_catalogue().get("tiled"), Shape(16, 16, 16)
H100 = find_gpu("H100")
MI300 = replace(
    H100,
    id="hip:0",
    backend="hip",
    name="A GPU of another vendor",
    gpu_facts=GpuFacts(architecture="gfx942", warp_width=64),
)


class Opened:
    """A device of which nothing is asked but what it is."""

    def __init__(self, device: Device) -> None:
        self.device = device


class HipBackend:
    """A backend that is in the table and nowhere else; its recorders are what they were asked for."""

    name = "hip"

    def recording(self) -> Any:
        return lambda *given: given


def recorder_on(device: Device) -> Any:
    plan = KERNEL.plan(SHAPE, KERNEL.params({}), H100)
    return recorder_for(Opened(device), KERNEL, plan, SHAPE, make_operands(SHAPE, Fill.ONES, 0), 1.0)  # type: ignore[arg-type]


def test_that_cuda_and_the_machine_bring_a_recorder_and_the_others_none() -> None:
    assert CudaBackend().recording() is cuda_recorder_for
    assert MachineBackend().recording() is machine_recorder_for
    assert OpenClBackend().recording() is HostBackend().recording() is None


def test_that_a_row_in_the_table_is_all_that_a_new_recorder_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BACKENDS", (HipBackend(), *registry.BACKENDS))
    device, kernel, _, shape, _, limit_s, form = recorder_on(MI300)
    assert (device.device, kernel, shape, limit_s, form) == (MI300, KERNEL, SHAPE, 1.0, CodeForm.AS_WRITTEN)
    assert records(MI300, KERNEL)


@pytest.mark.parametrize("backend", ["opencl", "host"])
def test_that_a_device_without_a_recorder_is_refused_by_its_name(backend: str) -> None:
    with pytest.raises(RecordingRefusal, match="tiled: H100 by another interface records no kernels"):
        recorder_on(replace(H100, backend=backend, name="H100 by another interface"))
