"""`gemmviz compile`: what is asked for, checked before anything starts, and the compilation."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from gemmviz.catalogue.gpus import UnknownGpuError, default_gpu, find_gpu, gpu_of_target
from gemmviz.catalogue.kernel import Refusal
from gemmviz.cli.export.overwriting import checked_out
from gemmviz.cli.faults import BadInputError
from gemmviz.cli.guarded.guard import compile_guarded
from gemmviz.cli.one_job import do_job
from gemmviz.cli.options.option_numbers import shown
from gemmviz.cli.run.request import CheckedRun, CompileRequest, read_form, read_request
from gemmviz.compiler.nvidia.nvrtc import CompiledCode
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import capability_of, compute_capability
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Language, Mode
from gemmviz.engine.machine_code import CompileTask, code_of, compile_kernel, compile_task, has_machine_code
from gemmviz.engine.messages import Job

STDOUT = Path("-")
_SIZES = (Shape(4096, 4096, 4096), Shape(1, 1, 4096))
"""What a kernel is compiled for where nobody gave a size: the first that it takes. Few kernels' code depends on it."""


def read_compile_request(**given: Any) -> CompileRequest:
    """Check every option.

    Raises:
        BadInputError: naming the option, its value and what would be right.
    """
    if (given["kernel"] is None) == (not given["kernel_file"]):
        raise BadInputError("name one kernel (`gemmviz kernels` lists them), or give one file with --kernel-file")
    outputs = [given["ptx"], given["sass"]]
    if sum(path == STDOUT for path in outputs) + given["as_json"] > 1:
        raise BadInputError("--ptx -, --sass - and --json: only one of them can go to standard output")
    if outputs[0] is not None and outputs[0] == outputs[1]:
        raise BadInputError(f"--ptx and --sass {outputs[0]}: give each a file of its own")
    run = read_request(
        preset=None,
        device=None,
        fill=None,
        seed=0,
        mode=Mode.COLD,
        budget=1.0,
        out=None,
        run_python=given["run_python"],
        kernel=given["kernel"],
        size=given["size"] or str(_SIZES[0]),
        param=given["param"],
        kernel_file=given["kernel_file"],
        description=given["description"],
        time_limit=given["time_limit"],
        force=given["force"],
    )
    if len(run.jobs) != 1:
        raise BadInputError("one kernel with one set of parameters is compiled at a time; give one of each")
    kernel = run.jobs[0][0]
    if not has_machine_code(kernel.language):
        raise BadInputError(
            f"{kernel.id}: is in no language for NVIDIA GPUs, so it has no machine code for one: give a kernel in CUDA "
            "C++, PTX, Triton, Numba or CuPy"
        )
    form = read_form(given["form"])
    if form is CodeForm.AS_WRITTEN and kernel.language is not Language.CUDA:
        raise BadInputError(f"--as written: only CUDA C++ is compiled as written, and {kernel.id} is not; leave it out")
    gpu = _gpu(given["gpu"], given["target"]) or default_gpu(kernel)
    if given["size"] is None:
        run = replace(run, shape=_size_for(run, gpu))
    return CompileRequest(
        run,
        gpu,
        given["target"] or "",
        form,
        *(
            path if path == STDOUT else checked_out(path, given["force"], option)
            for option, path in (("--ptx", given["ptx"]), ("--sass", given["sass"]))
        ),
    )


def compile_asked(request: CompileRequest, *, is_guarded: bool = False) -> tuple[CompileTask, CompiledCode]:
    """Compile; a person's own kernel in a process of its own, unless this is that process.

    Raises:
        BadInputError: the kernel cannot run on that GPU.
        FailedError: it does not compile.
    """
    job, shape = Job(*request.run.jobs[0]), request.run.shape

    def task() -> CompileTask:
        return compile_task(job, shape, request.gpu, request.run.time_limit_s, request.target)

    def apart() -> tuple[CompileTask, CompiledCode]:
        asked = task()
        return asked, code_of(asked, request.form, compile_guarded(request, job.kernel, job.params))

    return do_job(
        job,
        shape,
        "compiling",
        lambda _: (asked := task(), compile_kernel(asked, request.form)),
        None if is_guarded else apart,
    )


def _gpu(name: str | None, target: str | None) -> Device | None:
    """The GPU that was asked for by name, or that the target needs; None where nobody asked."""
    try:
        of_target = gpu_of_target(target) if target is not None else None
    except UnknownGpuError as error:
        raise BadInputError(f"--target {shown(target or '')}: {error}") from error
    try:
        of_name = find_gpu(name) if name is not None else None
    except UnknownGpuError as error:
        raise BadInputError(f"--gpu {shown(name or '')}: {error}") from error
    asked = capability_of(target or "")
    if of_name is not None and asked is not None and asked[0] != compute_capability(of_name.gpu_facts):
        there = ".".join(map(str, compute_capability(of_name.gpu_facts)))
        raise BadInputError(
            f"--target {target}: {of_name.name} has compute capability {there}; leave out one of the two"
        )
    return of_name or of_target


def _size_for(run: CheckedRun, gpu: Device) -> Shape:
    kernel, params = run.jobs[0]
    for shape in _SIZES:
        with suppress(Refusal):
            kernel.plan(shape, params, gpu)
            return shape
    return _SIZES[0]
