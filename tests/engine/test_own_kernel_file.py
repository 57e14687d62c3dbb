"""Which of a person's own kernels need CUDA by what their source uses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from some_devices import CPU

from gemmviz.catalogue.gpus import emulated, find_gpu
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.recordable import recording_device
from gemmviz.domain.shape import Shape
from gemmviz.engine.own_kernel_file import load_own_kernel

GPU = replace(find_gpu("A100"), id="cuda:0")
POCL = replace(CPU, name="PoCL")
MACHINE = emulated("", 2**33)


def own(folder: Path, statement: str, head: str = "", requires: str = "[]", name: str = "own.cu") -> Kernel:
    path = folder / name
    path.write_text(
        f"""/*---
title = "Own"
entry = "own"
requires = {requires}
[launch]
block = ["32"]
grid = ["N", "M"]
---*/
{head}
extern "C" __global__ void own(const float *A, const float *B, float *C, int M, int N, int K)
{{
    float s = A[0];
    {statement}
    C[0] = s;
}}
""",
        encoding="utf-8",
    )
    return load_own_kernel(path)


@pytest.mark.parametrize(
    ("statement", "head", "use"),
    [
        ("s += __shfl_down_sync(0xffffffffu, s, 1);", "", "line 13 uses __shfl_down_sync"),
        ("s = twice(s);", "template <class T> __device__ T twice(T x) { return 2 * x; }", "line 9 uses templates"),
        ("s = __any_sync(~0u, s > 0);", "", "line 13 uses __any_sync"),
        ("s += 1;", "namespace cg = cooperative_groups;", "line 9 uses namespaces"),
        ('asm volatile("membar.gl;");', "", "line 13 uses pieces of inline assembly"),
        ("__syncthreads_or(1);", "", "line 13 uses __syncthreads_or (use __syncthreads() and a number in shared mem"),
    ],
)
def test_that_what_is_not_translated_needs_cuda_and_is_recorded_on_the_machine(
    tmp_path: Path, statement: str, head: str, use: str
) -> None:
    kernel = own(tmp_path, statement, head)
    assert (kernel.requires, kernel.needs_cuda) == (("cuda",), True)
    assert kernel.cuda_use.startswith(use)
    assert recording_device(kernel, (POCL, MACHINE), "pocl") is MACHINE
    assert recording_device(kernel, (POCL, GPU, MACHINE)) is GPU
    with pytest.raises(Refusal) as told:
        kernel.plan(Shape(8, 8, 8), (), POCL)
    assert str(told.value).startswith(f"own: cannot run on PoCL: {use}")
    assert str(told.value).endswith("choose the PTX machine (`--device machine`) or an NVIDIA GPU")
    kernel.plan(Shape(8, 8, 8), (), MACHINE)


@pytest.mark.parametrize(
    ("statement", "head", "requires"),
    [
        ("s += B[0];", "", "[]"),
        ("s += B[0] +;", "", "[]"),
        ("s += twice(s);", "__device__ float twice(float x) { return twice(x); }", "[]"),
        ("s += " + "(" * 2000 + "s" + ")" * 2000 + ";", "", "[]"),
        ("s += __shfl_down_sync(0xffffffffu, s, 1);", "", '["sm_90a"]'),
        ("s += B[0];" * 12_000 + "__syncwarp();", "", "[]"),
    ],
)
def test_that_a_plain_kernel_and_a_wrong_one_are_left_to_the_compilers(
    tmp_path: Path, statement: str, head: str, requires: str
) -> None:
    kernel = own(tmp_path, statement, head, requires)
    if requires == "[]":
        assert (kernel.requires, kernel.cuda_use) == ((), "")
    else:
        assert kernel.requires == ("cuda", "sm_90a")


def test_that_a_kernel_whose_header_asks_for_cuda_keeps_it(tmp_path: Path) -> None:
    kernel = own(tmp_path, "s += __shfl_down_sync(0xffffffffu, s, 1);", requires='["cuda"]')
    assert (kernel.requires, kernel.cuda_use) == (("cuda",), "")
