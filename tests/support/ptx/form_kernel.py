"""A kernel whose accesses nvcc provably keeps, merges, drops and moves, recorded in both forms by the PTX machine."""

from __future__ import annotations

from pathlib import Path

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_kernel
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_both_forms, record_forms
from gemmviz.measure.bench import Watch

FORMS = """/*---
title = "Accesses that a compiler keeps, merges, drops and moves"
entry = "forms"
[launch]
block = ["32"]
grid  = ["2"]
---*/
extern "C" __global__ void forms(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                 int M, int N, int K)
{
    __shared__ __align__(16) float rows[32][4];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; ++k)
        rows[t][k] = A[t * 4 + k];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k)
        sum += rows[31 - t][k];
    for (int i = 0; i < 4; ++i)
        sum += B[t];
    const float unused = B[t + 32];
    const float first = A[t];
    if (N > 3)
        sum += first;
    C[blockIdx.x * 32 + t] = sum;
}
"""
FILL, SUM_LOOP, SUM, AGAIN, UNUSED, FIRST, STORE = 14, 17, 18, 20, 21, 22, 25
"""Lines: of A to `rows`, of the loop that adds its four floats up and what it adds, of the four equal loads of B, of a
load that nothing needs, of a load of A and the store of C.
"""
SIZE = "16x64x8"


def forms_kernel(folder: Path) -> Kernel:
    """The kernel, read from a file in a folder."""
    path = folder / "forms.cu"
    path.write_text(FORMS, encoding="utf-8")
    return load_kernel(path)


def in_both_forms(
    kernel: Kernel | str, size: str = SIZE, blocks: tuple[tuple[int, int, int], ...] = ((0, 0, 0),), **params: int
) -> tuple[TraceRun, TraceRun]:
    """Record a kernel, or one of the catalogue by its name, as written and as compiled."""
    found = load_catalogue().get(kernel) if isinstance(kernel, str) else kernel
    device = device_for_both_forms(found)
    conditions = Conditions(Shape.parse(size), device=device.id)
    job = Job(found, found.params(params))
    written, compiled = record_forms(job, conditions, tuple(CodeForm), device, blocks, Watch())
    return written, compiled
