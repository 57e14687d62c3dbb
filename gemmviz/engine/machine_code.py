"""The machine code of a kernel, from a compiler's cache or made anew. No GPU is needed, only a compiler."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace

from gemmviz.backends.base import BackendError
from gemmviz.backends.compile_limit import compile_limit_s
from gemmviz.backends.cuda.build import Built, build
from gemmviz.backends.cuda.from_ptx import assembled
from gemmviz.backends.cuda.nvcc import find_nvcc
from gemmviz.backends.launch_arguments import fitted_to
from gemmviz.catalogue.gpus import load_gpus, target_of_machine
from gemmviz.catalogue.kernel import Refusal
from gemmviz.compiler.code_cache import Made
from gemmviz.compiler.languages import is_compiled_by_others
from gemmviz.compiler.nvidia.code_lines import lines_of_ptx, lines_of_sass, with_short_paths
from gemmviz.compiler.nvidia.nvidia_log import resources_in
from gemmviz.compiler.nvidia.nvrtc import CompiledCode, compile_cuda
from gemmviz.compiler.nvidia.tools import disassemble
from gemmviz.compiler.ptx.kernels import entries
from gemmviz.compiler.signature import signature_of
from gemmviz.compiler.source import CompileError, CompilerMissingError, Source
from gemmviz.domain import figures
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import Call
from gemmviz.domain.kernels.capability import compute_capability, lack_of, target_of
from gemmviz.domain.kernels.machine_code import MachineCode, without_encodings
from gemmviz.domain.kernels.occupancy_words import occupancy_words
from gemmviz.domain.kernels.resources import NO_RESOURCES, Resources, occupancy, shared_bytes_of
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.engine.messages import Job
from gemmviz.measure.bench import source_of
from gemmviz.resources import cache_folder


@dataclass(frozen=True, slots=True)
class CompileTask:
    """What is to be compiled: source, architecture, the launch that its occupancy is computed for, and what the
    kernel is given.
    """

    source: Source
    target: str
    launch: Launch
    call: Call


def compile_task(job: Job, shape: Shape, gpu: Device, limit_s: float, target: str = "") -> CompileTask:
    """What is compiled for a kernel at a size on a GPU, which need not be there.

    Without `target` it is compiled for the GPU's own architecture (`target_of`).

    Raises:
        Refusal: the kernel cannot run there at that size.
        BackendError: it is in no language that NVIDIA GPUs run.
    """
    kernel = job.kernel
    if not has_machine_code(kernel.language):
        raise BackendError("it is not in a language for NVIDIA GPUs, so it has no machine code to show")
    plan = kernel.plan(shape, job.params, gpu)
    source = replace(source_of(kernel, plan, gpu), limit_s=compile_limit_s(limit_s))
    target = target or target_of(compute_capability(gpu.gpu_facts), kernel.requires)
    return CompileTask(source, target, plan.launch, plan.call)


def has_machine_code(language: Language) -> bool:
    """Whether kernels of a language are compiled for NVIDIA GPUs."""
    return language is Language.CUDA or is_compiled_by_others(language)


def made_of(code: CompiledCode) -> Made:
    """What a compiler made, so that `code_of` makes the same of it in another process."""
    facts = {"maker": code.maker, "release": code.release, "target": code.target, "symbol": code.symbol}
    return code.cubin, code.ptx, f"{json.dumps(facts)}\n{code.log}"


def code_of(task: CompileTask, form: CodeForm, made: Made) -> CompiledCode:
    """The code that another process made for a task.

    Raises:
        CompileError: it is not whole.
    """
    cubin, ptx, words = made
    first, _, log = words.partition("\n")
    try:
        facts = {name: str(value) for name, value in json.loads(first).items()}
        maker, release, target, symbol = (facts[name] for name in ("maker", "release", "target", "symbol"))
        parameters = entries(ptx)[symbol]
    except (ValueError, AttributeError, KeyError) as error:
        raise CompileError(f"{task.source.path}: its process handed over no whole code") from error
    resources = resources_in(log).get(symbol, Resources())
    return CompiledCode(target, form, release, symbol, parameters, resources, cubin, ptx, log, maker)


def compile_kernel(task: CompileTask, form: CodeForm = CodeForm.AS_COMPILED) -> CompiledCode:
    """Compile CUDA C++ by NVRTC, which needs no toolkit; what other compilers make PTX of, by them and ptxas. What a
    kernel is given is compared with its parameters first, or as soon as its PTX tells them.

    Raises:
        Refusal: the kernel is given something else than its parameters take.
        CompileError, CompilerMissingError, CompileTimeoutError: there is no code, and why.
    """
    if is_compiled_by_others(task.source.language):
        code = assembled(task.source, task.target, cache_folder("cuda"))
        fitted_to(task.call, code.signature, task.source)
        return code
    if task.source.is_foreign:
        fitted_to(task.call, signature_of(task.source, task.target, cache_folder("nvrtc")), task.source)
    return compile_cuda(task.source, task.target, form, cache_folder("nvrtc"))


def resources_of(job: Job, shape: Shape, device: Device, limit_s: float) -> tuple[Resources, str]:
    """What a kernel takes as optimised for a run on the GPU that a device is or emulates, and who says so: "NVRTC 13.5
    for sm_90a"; NO_RESOURCES and "" where no compiler tells.
    """
    target = target_of_machine(device) if device.is_emulated else ""
    with suppress(BackendError, Refusal):
        code = compile_kernel(compile_task(job, shape, device, limit_s, target))
        if code.resources.are_known:
            return code.resources, f"{code.maker} {code.release} for {code.target}"
    return NO_RESOURCES, ""


def machine_code(job: Job, shape: Shape, device: Device, limit_s: float, *, is_of_run: bool = False) -> MachineCode:
    """What a compiler makes of a kernel at a size for the architecture of a device, which need not be there.

    The code of a run is nvcc's, as the run's was, where there is nvcc; any other NVRTC's.

    Raises:
        Refusal: the kernel cannot run there at that size.
        CompileError, CompilerMissingError, BackendError: there is no machine code to show, and why.
    """
    if not any(compute_capability(device.gpu_facts)):
        raise BackendError(f"machine code is shown for NVIDIA GPUs only, and {device.name} is not one")
    if job.kernel.language is not Language.CUDA:
        raise BackendError("it is not CUDA C, whose machine code is shown here: `gemmviz compile` has it")
    task = compile_task(job, shape, device, limit_s)
    built: Built | CompiledCode | None = None
    if is_of_run:
        with suppress(CompilerMissingError):
            built = build(task.source, task.target, find_nvcc(), cache_folder("cuda"))
    built = built or compile_kernel(task)
    name = f"{job.kernel.id} {format_params(job.params)}".rstrip()
    ptx, sass = built.ptx, without_encodings(disassemble(built.cubin) or "")
    return MachineCode(
        name,
        task.target,
        build_words(built, task.launch, device),
        ptx,
        with_short_paths(sass, task.source.path.name),
        device.name,
        tuple(gpu.id for gpu in load_gpus() if not lack_of(job.kernel.requires, gpu)),
        task.source.text,
        lines_of_ptx(ptx),
        lines_of_sass(sass, ptx),
    )


def build_words(built: Built | CompiledCode, launch: Launch, gpu: Device) -> str:
    """Who compiled it and what it takes: "NVRTC 13.5 for sm_90, 32 registers, no spills; 2 KiB of shared memory …"."""
    resources = built.resources
    parts = [f"Compiled by {built.words}"]
    shared = shared_bytes_of(resources, launch)
    if shared:
        parts.append(f"{figures.size(shared)} of shared memory per block")
    fits = occupancy_words(occupancy(resources, launch, gpu.gpu_facts))
    if fits:
        parts.append(f"occupancy on {gpu.name} {fits}")
    return "; ".join(parts)
