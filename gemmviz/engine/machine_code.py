"""The machine code of a kernel, from nvcc's cache or made anew. No GPU is needed, only the compiler."""

from __future__ import annotations

from platformdirs import user_cache_path

from gemmviz.backends.base import BackendError
from gemmviz.backends.cuda_build import build
from gemmviz.backends.nvcc import find_nvcc, target_of
from gemmviz.compiler.tools import disassemble
from gemmviz.domain.device import Device
from gemmviz.domain.machine_code import MachineCode, without_encodings
from gemmviz.domain.shape import Shape
from gemmviz.domain.tables import format_params
from gemmviz.domain.terms import Language
from gemmviz.engine.messages import Job
from gemmviz.measure.bench import source_of


def machine_code(job: Job, shape: Shape, device: Device) -> MachineCode:
    """What nvcc makes of a kernel at a size for the architecture of a device, which may be that of a saved run.

    Raises:
        Refusal: the kernel cannot run there at that size.
        CompileError, CompilerMissingError, BackendError: there is no machine code to show, and why.
    """
    kernel = job.kernel
    if kernel.language is not Language.CUDA:
        raise BackendError("it is not CUDA C, so it has no machine code to show")
    if not any(device.cuda.capability):
        raise BackendError(f"machine code is shown for runs on NVIDIA GPUs only, and {device.name} is not one")
    plan = kernel.plan(shape, job.params, device)
    target = target_of(device.cuda.capability, kernel.requires)
    cache = user_cache_path("gemmviz", appauthor=False) / "cuda"
    built = build(source_of(kernel, plan, device), target, find_nvcc(), cache)
    name = f"{kernel.id} {format_params(job.params)}".rstrip()
    return MachineCode(name, target, built.words, built.ptx, without_encodings(disassemble(built.cubin) or ""))
