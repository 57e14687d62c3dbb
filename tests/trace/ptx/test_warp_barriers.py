"""A warp's own barrier puts what its lanes do in order; it does not for other warps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gpu_runs import GPU
from ptx_compiler import compiled_to_ptx
from quick_machine import QuickMachine

from gemmviz.backends.base import Source
from gemmviz.backends.cuda.nvcc import find_nvcc
from gemmviz.backends.cuda.recorder import cuda_recorder_for
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.trace.hazards.hazards import HazardKind, find_hazards

SHAPE = Shape(1, 64, 64)
TEXT = """/*---
title = "Lanes turned round"
entry = "turned"
[launch]
block = ["64"]
grid = ["1"]
static_shared_bytes = "256"
---*/
extern "C" __global__ void turned(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ volatile float s[64];
    const int me = threadIdx.x;
    s[me] = A[me];
    BARRIER;
    C[me] = s[OTHER];
}
"""


@pytest.mark.parametrize(
    ("barrier", "other", "found"),
    [
        ("__syncwarp()", "me ^ 1", set()),
        ("(void)0", "me ^ 1", {HazardKind.RACE}),
        ("__syncwarp()", "me ^ 32", {HazardKind.RACE}),
        ("__syncthreads()", "me ^ 32", set()),
        ("__syncwarp(); s[me] = 1.0f", "me ^ 1", {HazardKind.RACE}),
    ],
)
def test_that_a_barrier_of_the_warp_orders_its_lanes_and_nobody_else(
    tmp_path: Path, barrier: str, other: str, found: set[HazardKind]
) -> None:
    try:
        nvcc = find_nvcc()
    except CompilerMissingError as error:
        pytest.skip(str(error))
    path = tmp_path / "turned.cu"
    path.write_text(TEXT.replace("BARRIER", barrier).replace("OTHER", other), encoding="utf-8")
    kernel = load_user_kernel(path)
    plan = kernel.plan(SHAPE, kernel.params({}), GPU)
    ptx = compiled_to_ptx(nvcc, Source(path, kernel.text, kernel.entry, kernel.language, ()), "sm_80")
    recorder = cuda_recorder_for(QuickMachine(ptx), kernel, plan, SHAPE, make_operands(SHAPE, Fill.UNIFORM, 1), 10.0)
    (trace,) = recorder.blocks(np.zeros(1, np.int32))
    assert {hazard.kind for hazard in find_hazards(trace)} == found
