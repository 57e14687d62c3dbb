"""The kernels of tests/data/kernels: both translations give the same bits, and the right ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.backends.base import Source
from gemmviz.backends.dialect.opencl_c import to_work_items
from gemmviz.backends.dialect.regions import NotLoopableError
from gemmviz.backends.dialect.thread_loops import to_thread_loops
from gemmviz.backends.dialect.tree import parse
from gemmviz.backends.opencl.build import Build
from gemmviz.backends.opencl.device import OpenClDevice
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.shape import Shape

FOLDER = Path(__file__).parents[2] / "data" / "kernels"
KERNELS = sorted(path.stem for path in FOLDER.glob("*.cu"))
NOT_LOOPABLE = {"constants": "'acc' is kept between barriers and its type is auto"}
SIZES = [Shape(1, 1, 1), Shape(17, 33, 5), Shape(9, 20, 24), Shape(13, 7, 31)]

Array = NDArray[np.float32]


def inputs(shape: Shape) -> tuple[Array, Array]:
    rng = np.random.default_rng(shape.m)
    return (
        rng.standard_normal((shape.m, shape.k), np.float32),
        rng.standard_normal((shape.k, shape.n), np.float32),
    )


def test_that_there_are_enough_kernels_of_varied_styles() -> None:
    assert len(KERNELS) >= 18


@pytest.mark.parametrize("name", KERNELS)
def test_that_both_translations_give_the_same_and_right_bits(
    pocl: OpenClDevice, run_build: Callable[..., Array], name: str
) -> None:
    kernel = load_user_kernel(FOLDER / f"{name}.cu")
    tree = parse(kernel.path, kernel.text)
    as_items = Build(to_work_items(tree, kernel.entry), "work-items", pocl_method="workitemloops")
    choices = [{p.name: c} for p in kernel.parameters for c in p.choices] or [{}]
    for shape, given in [(shape, choice) for choice in choices for shape in SIZES]:
        plan = kernel.plan(shape, kernel.params(given), pocl.device)
        source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines)
        a, b = inputs(shape)
        c = run_build(as_items, source, plan.launch, shape, a, b)
        product = a.astype(np.float64) @ b
        bound = shape.k * 2.0**-24 * (np.abs(a).astype(np.float64) @ np.abs(b))
        assert (np.abs(c.reshape(product.shape) - product) <= 2 * bound).all(), f"{shape} {given}"
        if name in NOT_LOOPABLE:
            with pytest.raises(NotLoopableError, match=NOT_LOOPABLE[name]):
                to_thread_loops(tree, kernel.entry, plan.launch)
            continue
        loops = Build(to_thread_loops(tree, kernel.entry, plan.launch), "thread loops", True, pocl_method="loopvec")
        again = run_build(loops, source, plan.launch, shape, a, b)
        assert again.tobytes() == c.tobytes(), f"{shape} {given}"


FILE_SHARED = """/*---
title = "Shared memory of the file"
entry = "k"
[launch]
block = [4, 4]
grid = ["ceil_div(N, 4)", "ceil_div(M, 4)"]
shared_bytes = 64
---*/
#include <stdio.h>
#include <assert.h>
extern __shared__ float As[];
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 4 + y, col = blockIdx.x * 4 + x;
    float acc = logf(1.0f) + __logf(1.0f) + powf(0.0f, 2.0f) + rsqrtf(1.0f) - __expf(0.0f) * __fdividef(2.0f, 2.0f);
    assert(K > 0);
    for (int k0 = 0; k0 < K; k0 += 4) {
        As[y * 4 + x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 4 && k0 + k < K; ++k)
            acc += col < N ? As[y * 4 + k] * B[(k0 + k) * N + col] : 0.0f;
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = acc;
}
"""


def test_that_shared_memory_of_the_file_and_functions_of_cuda_compute(
    pocl: OpenClDevice, run_build: Callable[..., Array], tmp_path: Path
) -> None:
    path = tmp_path / "k.cu"
    path.write_text(FILE_SHARED)
    kernel, shape = load_user_kernel(path), Shape(9, 6, 7)
    plan = kernel.plan(shape, kernel.params({}), pocl.device)
    source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines)
    a, b = inputs(shape)
    tree = parse(kernel.path, kernel.text)
    items = Build(to_work_items(tree, "k"), "work-items", pocl_method="workitemloops")
    loops = Build(to_thread_loops(tree, "k", plan.launch), "thread loops", True, pocl_method="loopvec")
    for build in (items, loops):
        c = run_build(build, source, plan.launch, shape, a, b)
        np.testing.assert_allclose(c.reshape(9, 6), a @ b, rtol=1e-4, atol=1e-4)
