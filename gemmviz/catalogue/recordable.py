"""Whether the memory accesses of a kernel can be recorded, where, and why not, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import NO_GPU_FACTS, Device
from gemmviz.domain.kernels.capability import lack_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm

MOST_KEPT_BLOCKS = 16
"""Blocks of a grid that is small: all of them are kept, so that each can be played."""
MOST_KEPT_PRODUCTS = 1 << 18
"""Products M·N·K of a recording that takes a moment: 64 x 64 x 64."""


def why_not_recorded(kernel: Kernel) -> str:
    """Why the kernel cannot be recorded, whatever the device; "" if it can."""
    if kernel.runs_on_host:
        return "Only GPU kernels can be recorded, and this one runs on the CPU. Choose another kernel."
    if not kernel.has_accesses:
        return f"{kernel.library} does the work, and its accesses cannot be recorded. Choose another kernel."
    return ""


@cache
def limits_of_recording(kernel_id: str) -> str:
    """Why a shipped kernel is not recorded by whoever has no GPU, to follow its name in brackets; "" if it can be, or
    for an id that no shipped kernel has.
    """
    kernel = next((kernel for kernel in load_catalogue().kernels if kernel.id == kernel_id), None)
    if kernel is None:
        return ""
    if kernel.runs_on_host:
        return "cannot be recorded: it runs on the CPU"
    if not kernel.has_accesses:
        return f"cannot be recorded: {kernel.library} does the work"
    return "not recorded: that needs an NVIDIA GPU" if kernel.needs_cuda and kernel.not_emulated else ""


def records(device: Device, kernel: Kernel, form: CodeForm | None = None) -> bool:
    """Whether a device records a kernel, in a form or in any; what size and parameters forbid its plan says.

    Kernels are recorded by the PTX machine and, all but those in OpenCL C, on NVIDIA GPUs. As written a GPU records
    what the PTX machine executes too; what was compiled by somebody else has no such form.
    """
    if lack_of(kernel.requires, device) or not kernel.has_accesses:
        return False
    if form is CodeForm.AS_WRITTEN and not kernel.language.has_written_form:
        return False
    if device.is_emulated:
        return not kernel.not_emulated
    is_recorded_so = form is not CodeForm.AS_WRITTEN or not kernel.not_emulated
    return device.is_native_gpu and kernel.language.runs_on_cuda and is_recorded_so


FIRST_BLOCK = (0, 0, 0)
"""The block that is recorded where nobody chooses, in the window and by commands; no edge of C cuts it short unless C
has no larger one.
"""


def kept_blocks(grid: tuple[int, int, int], shape: Shape) -> tuple[tuple[int, int, int], ...]:
    """Every block of a small grid, x the fastest, each of which a recording of all then keeps; none of a larger one."""
    x, y, z = grid
    if x * y * z > MOST_KEPT_BLOCKS or shape.m * shape.n * shape.k > MOST_KEPT_PRODUCTS:
        return ()
    return tuple((i, j, k) for k, j, i in product(range(z), range(y), range(x)))


def usual_form(kernel: Kernel) -> CodeForm:
    """The form that is recorded where nobody chooses: as written, but of what only CUDA runs as compiled."""
    return CodeForm.AS_COMPILED if kernel.needs_cuda else CodeForm.AS_WRITTEN


def recorded_forms(kernel: Kernel, devices: Sequence[Device]) -> tuple[CodeForm, ...]:
    """The forms that one of the devices records the kernel in."""
    return tuple(form for form in CodeForm if any(records(device, kernel, form) for device in devices))


def device_of_both_forms(kernel: Kernel, devices: Sequence[Device]) -> Device | None:
    """The PTX machine among the devices, if it records the kernel: it records both forms alike; else None."""
    return next((device for device in devices if device.is_emulated and records(device, kernel)), None)


def recording_device(
    kernel: Kernel, devices: Sequence[Device], wanted: str = "", form: CodeForm | None = None
) -> Device | None:
    """The device of `devices`, the preferred first, that a kernel is recorded on: the `wanted` one if it records it,
    else a GPU, else the PTX machine.

    Where none records it, the one whose plan says best why not; None where there is no such device.
    """
    able = sorted((each for each in devices if records(each, kernel, form)), key=lambda each: each.is_emulated)
    chosen = [device for device in able if wanted in (device.id, device.choice)]
    gpus = [device for device in devices if device.gpu_facts != NO_GPU_FACTS and kernel.language.runs_on_cuda]
    return next(iter([*chosen, *able, *gpus]), None)
