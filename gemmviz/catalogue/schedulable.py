"""Whether the block schedule of a kernel can be recorded on a device, and why not, in one sentence."""

from __future__ import annotations

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.device import CUDA, Device
from gemmviz.domain.kernels.capability import has
from gemmviz.domain.terms import Language

NEEDS_A_GPU = "only an NVIDIA GPU with CUDA tells which multiprocessor runs which block, and when"


def why_not_by_kernel(kernel: Kernel) -> str:
    """Why the kernel cannot tell where its blocks run, whatever the device; "" if it can."""
    if kernel.runs_on_host:
        return f"{kernel.id}: runs on the CPU as Python and has no blocks. Choose a GPU kernel"
    if kernel.language is Language.LIBRARY:
        return f"{kernel.id}: {kernel.library} does the work, and its kernels cannot be edited to tell where they run"
    if kernel.language in (Language.PTX, Language.TRITON, Language.NUMBA_CUDA, Language.CUPY):
        return f"{kernel.id}: is not CUDA C, into which the stamps of a schedule are written. Choose a CUDA kernel"
    if kernel.language is not Language.CUDA:
        return f"{kernel.id}: is OpenCL C, which cannot ask for the number of a multiprocessor. Choose a CUDA kernel"
    return ""


def why_not_on(device: Device | None) -> str:
    """Why no schedule can be recorded on a device; "" if one can."""
    if device is None:
        return NEEDS_A_GPU
    return "" if has(device, CUDA) and not device.is_emulated else f"{device.name} is not one: {NEEDS_A_GPU}"
