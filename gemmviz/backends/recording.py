"""The recorder of a kernel on the device that records it."""

from __future__ import annotations

from contextlib import suppress

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.numba_cache import look_through_once
from gemmviz.backends.registry import backend_of
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.catalogue.recordable import usual_form
from gemmviz.compiler.source import WrittenFormError
from gemmviz.domain.operands import Operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.trace.recorder import Recorder
from gemmviz.trace.refusal import RecordingRefusal


def recorder_for(
    device: OpenDevice,
    kernel: Kernel,
    plan: Plan,
    shape: Shape,
    operands: Operands,
    limit_s: float,
    form: CodeForm | None = None,
) -> Recorder:
    """A recorder for a kernel of the catalogue, or a person's own, in the usual form (`usual_form`), as compiled where
    it cannot be compiled as written, or in the `form` that somebody chose.

    Raises:
        RecordingRefusal: the device or the kernel's language cannot be recorded, or there is nothing to record.
        CompileError: the kernel is at fault.
        BackendError: it uses what the PTX machine does not implement.
    """
    if not kernel.has_accesses:
        raise RecordingRefusal(f"{kernel.id} has no accesses to record: choose a kernel in CUDA C or OpenCL C")
    make = backend_of(device.device).recording()
    if make is None:
        raise RecordingRefusal(
            f"{kernel.id}: {device.device.name} records no kernels. Choose the PTX machine or an NVIDIA GPU with CUDA"
        )
    look_through_once()
    if form is not None:
        return make(device, kernel, plan, shape, operands, limit_s, form)
    with suppress(WrittenFormError):
        return make(device, kernel, plan, shape, operands, limit_s, usual_form(kernel))
    return make(device, kernel, plan, shape, operands, limit_s, CodeForm.AS_COMPILED)
