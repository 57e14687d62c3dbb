"""Every CUDA kernel of the catalogue compiles without a GPU, and takes what nvcc's takes on an H200."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gemmviz.catalogue.gpus import find_gpu
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.nvidia.nvrtc import CompiledCode, compile_cuda
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.engine.machine_code import compile_task
from gemmviz.engine.messages import Job

pytestmark = pytest.mark.usefixtures("nvrtc")

EXAMPLES = Path(__file__).parents[2] / "assets" / "examples"
SHAPE = Shape(4096, 4096, 4096)
KERNELS = [kernel.id for kernel in load_catalogue().kernels if kernel.language is Language.CUDA]
AS_WRITTEN = ("tiled", "sgemm_best", "wmma_tf32", "wgmma_bf16_late")
SAME_REGISTERS = ("naive", "tiled", "tiled_transposed", "row_shared", "register_1d", "register_2d", "vectorized")
"""Kernels of which nvcc 13.0 and NVRTC 13.5 make code with as many registers."""


@cache
def compiled(name: str, form: CodeForm, params: Params | None = None) -> CompiledCode:
    kernel = load_catalogue().get(name)
    shape = Shape(1, 1, 4096) if name.startswith("dot") else SHAPE
    task = compile_task(Job(kernel, params or kernel.params({})), shape, find_gpu("H200"), 60.0)
    return compile_cuda(task.source, task.target, form)


@pytest.mark.parametrize("name", KERNELS)
def test_that_every_kernel_compiles_for_an_h200(name: str) -> None:
    code = compiled(name, CodeForm.AS_COMPILED)
    assert code.target == "sm_90a"
    assert code.resources.are_known
    assert code.resources.registers <= 255


@pytest.mark.parametrize("name", AS_WRITTEN)
def test_that_kernels_compile_as_written(name: str) -> None:
    code = compiled(name, CodeForm.AS_WRITTEN)
    assert ".debug_info" in code.ptx
    assert code.cubin != compiled(name, CodeForm.AS_COMPILED).cubin


@pytest.mark.parametrize("name", SAME_REGISTERS)
def test_that_a_kernel_takes_what_it_took_on_the_gpu(name: str) -> None:
    runs = load_session(EXAMPLES / "gpu-ladder.gemmviz").runs
    run = next(run for run in runs if run.spec.kernel == name)
    expected: Resources = run.resources
    assert compiled(name, CodeForm.AS_COMPILED, run.spec.params).resources == expected
