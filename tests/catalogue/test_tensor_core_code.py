"""Tensor cores are needed where the code uses them, and not because of the arithmetic that selects an error bound."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.catalogue.loader import load_catalogue, load_kernel
from gemmviz.catalogue.tensor_core_code import has_tensor_core_code

PLAIN = "\n__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) { %s }\n"


@pytest.mark.parametrize(
    ("code", "has"),
    [
        ("wmma::mma_sync(c, a, b, c);", True),
        ("nvcuda::wmma::fill_fragment(c, 0.0f);", True),
        ('asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 …");', True),
        ('asm volatile("wgmma.fence.sync.aligned;");', True),
        ("c = __hfma(a, b, c); // mma would be faster", False),
        ("/* unlike\n wmma */ c = fma(a, b, c);", False),
        ("float comma = gamma_mma2;", False),
    ],
)
def test_that_instructions_are_found_in_code_alone(code: str, has: bool) -> None:
    assert has_tensor_core_code(PLAIN % code, "k") is has


OTHERS = """
#define MULTIPLY(c, a, b) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { %0 }, …;" \\
                                       : "+f"(c) : "r"(a), "r"(b))
struct Fragment {
    __device__ void load(const half *A) { wmma::load_matrix_sync(a, A, 16); }
};
template <int T>
__device__ float helper(float a) { return wmma::something(a); }

template <int T>
__global__ void __launch_bounds__(256, 2) fast(const half *A, float *C)
{
    for (int k = 0; k < T; ++k) { C[k] = helper<T>(A[k]); }
}
__global__ void by_macro(float *C) { MULTIPLY(C[0], 1, 2); }
__global__ void by_method(Fragment f, const half *A) { f.load(A); }
namespace mine {
__global__ void plain(const half *A, float *C) { if (C != nullptr) { printf("{"); C[0] = A[0]; } }
}
"""


@pytest.mark.parametrize(
    ("entry", "has"),
    [("fast<8>", True), ("by_macro", True), ("by_method", True), ("mine::plain", False), ("not_in_it", True)],
)
def test_that_only_what_the_kernel_uses_counts(entry: str, has: bool) -> None:
    assert has_tensor_core_code(OTHERS, entry) is has


@pytest.mark.parametrize(("entry", "has"), [("fast", True), ("plain", False)])
def test_that_only_the_entry_of_ptx_counts(entry: str, has: bool) -> None:
    text = """
.visible .entry fast(.param .u64 fast_param_0)
.maxntid 256, 1, 1
{
  mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f1};
  ret;
}
.visible .entry plain(.param .u64 plain_param_0)
{
  fma.rn.f32 %f1, %f2, %f3, %f1;
  ret;
}
"""
    assert has_tensor_core_code(text, entry) is has


@pytest.mark.parametrize("arithmetic", ["fp16", "bf16", "tf32"])
@pytest.mark.parametrize(("code", "needed"), [("", ""), ("wmma::mma_sync(c, a, b, c);", "tensor cores")])
def test_that_an_arithmetic_alone_needs_no_tensor_cores(
    write_kernel: Callable[..., Path], arithmetic: str, code: str, needed: str
) -> None:
    kernel = load_kernel(write_kernel("entry", f'arithmetic = "{arithmetic}"\nentry', body=PLAIN % code))
    assert (kernel.not_emulated, kernel.names_tensor_core_arithmetic) == (needed, True)


def test_that_every_rung_of_tensor_cores_uses_them() -> None:
    rungs = [one for one in load_catalogue().kernels if one.has_accesses and one.arithmetic.is_of_tensor_cores]
    assert len(rungs) == 6
    assert all(one.uses_tensor_cores for one in rungs)
