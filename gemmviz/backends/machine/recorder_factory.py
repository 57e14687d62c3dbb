"""Makes recorders on the PTX machine."""

from __future__ import annotations

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.backends.ptx_recorder import PtxRecorder, checked, source_of
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.domain.operands import Operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm


def machine_recorder_for(
    device: OpenDevice,
    kernel: Kernel,
    plan: Plan,
    shape: Shape,
    operands: Operands,
    limit_s: float,
    form: CodeForm = CodeForm.AS_COMPILED,
) -> PtxRecorder:
    """A recorder for what NVIDIA's compiler makes of a kernel of the catalogue, or of a person's own.

    Raises:
        RecordingRefusal: there is nothing to record.
        CompileError: the kernel is at fault.
        BackendError: it uses what the machine does not implement.
    """
    assert isinstance(device, MachineDevice)
    recorder = MachineRecorder(device, source_of(kernel, plan, limit_s), plan, shape, operands, limit_s, form)
    return checked(recorder, kernel)
