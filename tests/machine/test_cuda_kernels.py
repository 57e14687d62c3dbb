"""Kernels of the catalogue, compiled by NVIDIA's compiler and run on the machine, against their float64 products."""

from __future__ import annotations

import numpy as np
import pytest

from gemmviz.catalogue.gpus import find_gpu
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import Source
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx

pytestmark = pytest.mark.usefixtures("nvrtc")

WRITTEN, COMPILED = CodeForm.AS_WRITTEN, CodeForm.AS_COMPILED


@pytest.mark.parametrize(
    ("kernel_id", "form", "size"),
    [
        ("tiled", WRITTEN, "37x33x35"),
        ("tiled", COMPILED, "37x33x35"),
        ("register_2d", COMPILED, "70x66x35"),
        ("cp_async", COMPILED, "130x129x35"),
        ("dot", WRITTEN, "1x1x200"),
        ("global_accumulate", COMPILED, "20x33x17"),
    ],
)
def test_that_a_kernel_computes_the_product_within_the_error_of_float32(
    kernel_id: str, form: CodeForm, size: str
) -> None:
    kernel, shape, gpu = load_catalogue().get(kernel_id), Shape.parse(size), find_gpu("H200")
    plan = kernel.plan(shape, kernel.params({}), gpu)
    source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines, kernel.requires)
    code = compile_cuda(source, "sm_90a", form)
    program = compile_ptx(code.ptx, code.symbol, "kernel.cu")
    rng = np.random.default_rng(5)
    a, b = rng.random((shape.m, shape.k), np.float32), rng.random((shape.k, shape.n), np.float32)
    arrays = [Array(a.nbytes, "A"), Array(b.nbytes, "B"), Array(4 * shape.m * shape.n, "C")]
    for array, values in zip(arrays, (a, b), strict=False):
        array.view(np.float32)[:] = values.ravel()
    arrays[2].view(np.float32)[:] = np.nan
    launch = MachineLaunch(
        program,
        plan.launch.grid,
        plan.launch.block,
        [*arrays, shape.m, shape.n, shape.k],
        dynamic_shared_bytes=plan.launch.dynamic_shared_bytes,
    )
    outcome = launch.run(60)
    exact = a.astype(np.float64) @ b
    bound = shape.k * 2.0**-24 * (np.abs(a).astype(np.float64) @ np.abs(b))
    assert (np.abs(arrays[2].view(np.float32).reshape(exact.shape) - exact) <= bound).all()
    assert outcome.instructions > 0
