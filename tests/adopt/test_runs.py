"""How the PTX machine runs a kernel that is proven: its blocks in one order, without printing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.prove.launcher import BlockGeometry, Index, NotCompiledError, TryError
from gemmviz.adopt.prove.machine import KernelBuild, compiled
from gemmviz.adopt.prove.memory.shared_memory import with_least_shared
from gemmviz.adopt.prove.printing import printing_words, without_printing
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gemmviz.machine.memory import Array

BLOCKS = 256
TICKETS = """__global__ void tickets(int *counter, int *order) {
    order[blockIdx.x] = atomicAdd(counter, 1);
}"""
PRINTS = """#include <cstdio>
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= M || j >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = sum;
    printf("C[%d,%d] = %f\\n", i, j, sum);
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_blocks_run_in_ascending_order_so_that_a_race_always_ends_the_same() -> None:
    kernel = compiled(Path("t.cu"), TICKETS, Language.CUDA, KernelBuild("tickets"), (), 60.0)
    for _ in range(3):
        counter, order = Array(16, "counter"), Array(4 * BLOCKS, "order")
        kernel.run([counter, order], BlockGeometry((1, 1, 1)), (BLOCKS, 1, 1), 30.0)
        assert order.view(np.int32).tolist() == [*range(BLOCKS)]


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_is_proven_without_its_printing_and_that_is_told() -> None:
    (found,) = look_at(Path("prints.cu"), PRINTS, "", 90.0, print).found
    assert found.is_verified
    words = "it prints (line 8): printf was left out of the runs that prove it, in which every thread would print"
    assert words in found.notes


def test_that_a_call_of_printf_is_taken_out_and_returns_zero() -> None:
    ptx = "call.uni (retval0), \nvprintf, \n(\nparam0, \nparam1\n);\nld.param.b32 %r1, [retval0+0];\nret;"
    assert without_printing(ptx) == "st.param.b32 [retval0+0], 0;\nld.param.b32 %r1, [retval0+0];\nret;"
    assert without_printing("call.uni vprintf, (param0, param1);ret;") == "ret;"
    assert printing_words("ret;") == ""
    assert printing_words(ptx).startswith("it prints: printf was left out")


BOUNDED = """__global__ void __launch_bounds__(64) copy(const float *A, float *C) {
    C[threadIdx.y * blockDim.x + threadIdx.x] = A[threadIdx.y * blockDim.x + threadIdx.x];
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_launch_bounds_are_kept() -> None:
    kernel = compiled(Path("t.cu"), BOUNDED, Language.CUDA, KernelBuild("copy"), (), 60.0)
    arrays = [Array(4 * 128, "A"), Array(4 * 128, "C")]
    kernel.run(arrays, BlockGeometry((8, 8, 1)), (1, 1, 1), 30.0)
    with pytest.raises(TryError, match="its launch bounds allow 64 threads per block, not 128"):
        kernel.run(arrays, BlockGeometry((16, 8, 1)), (1, 1, 1), 30.0)


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("block", "grid", "words"),
    [
        ((64, 64, 1), (1, 1, 1), "a block has 64 × 64 = 4096 threads, and a GPU allows 1024"),
        ((1, 1, 128), (1, 1, 1), "a block has 128 threads along z, and a GPU allows 64"),
        ((8, 1, 1), (1, 65536, 1), "the grid has 65536 blocks along y, and a GPU allows 65535"),
    ],
)
def test_that_no_launch_goes_beyond_what_a_gpu_launches(block: Index, grid: Index, words: str) -> None:
    kernel = compiled(Path("t.cu"), BOUNDED, Language.CUDA, KernelBuild("copy"), (), 60.0)
    with pytest.raises(TryError, match=words):
        kernel.run([Array(4 * 128, "A"), Array(4 * 128, "C")], BlockGeometry(block), grid, 30.0)


@pytest.mark.usefixtures("nvrtc")
def test_that_a_block_has_as_many_threads_and_registers_as_a_gpu() -> None:
    kernel = compiled(Path("t.cu"), TICKETS, Language.CUDA, KernelBuild("tickets"), (), 60.0)
    assert kernel.resources.registers
    assert kernel.block_fault([1024]) == ""
    assert kernel.block_fault([32, 33]) == "needs 1056 threads per block, and 1024 are the most"
    greedy = replace(kernel, resources=replace(kernel.resources, registers=96))
    words = "a block of 1024 threads with 96 registers each needs more than the 65536 of a GPU"
    assert (greedy.block_fault([32, 20]), greedy.block_fault([32, 32])) == ("", words)


FIXED = """template <int TILE>
__global__ void copy(const float *A, float *C) {
    __shared__ float tile[TILE][96];
    for (int i = 0; i < TILE; ++i) tile[i][threadIdx.x] = A[i];
    __syncthreads();
    C[threadIdx.x] = tile[TILE - 1][95 - threadIdx.x];
}
"""


LOCAL = """__kernel void copy(__global const float *A, __global float *C) {
    __local float tile[129][96];
    for (int i = 0; i < 129; ++i) tile[i][get_local_id(0)] = A[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    C[get_local_id(0)] = tile[128][95 - get_local_id(0)];
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_arrays_of_a_fixed_size_take_as_much_shared_memory_as_the_compiler_allows() -> None:
    """An H200 launches them with more than 48 KiB: `ptxas` of CUDA 13 refuses more than 227 KiB for it."""
    large = compiled(Path("t.cu"), FIXED, Language.CUDA, KernelBuild("copy", ("129",)), (), 60.0)
    assert large.static_shared_bytes > 48 * 1024
    with pytest.raises(NotCompiledError, match="uses too much shared data"):
        compiled(Path("t.cu"), FIXED, Language.CUDA, KernelBuild("copy", ("606",)), (), 60.0)
    words = "its shared arrays take 49536 bytes per block, and NVIDIA's OpenCL has 49152"
    with pytest.raises(NotCompiledError, match=words):
        compiled(Path("t.cl"), LOCAL, Language.OPENCL, KernelBuild("copy"), (), 60.0)


SHARED = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    extern __shared__ float tiles[];
    float *As = tiles, *Bs = tiles + 256;
    int tx = threadIdx.x, ty = threadIdx.y, j = blockIdx.x * 16 + tx, i = blockIdx.y * 16 + ty;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[ty * 16 + tx] = i < M && k0 + tx < K ? A[i * K + k0 + tx] : 0.0f;
        Bs[ty * 16 + tx] = j < N && k0 + ty < K ? B[(k0 + ty) * N + j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += As[ty * 16 + k] * Bs[k * 16 + tx];
        __syncthreads();
    }
    if (i < M && j < N) C[i * N + j] = sum;
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_is_given_the_dynamic_shared_memory_that_it_touches_and_no_more() -> None:
    kernel = compiled(Path("t.cu"), SHARED, Language.CUDA, KernelBuild("mm"), (), 60.0)
    row, none = Storage(), SearchLog(lambda _: None, 90.0)
    described = Description(
        *("mm", (), (), ("A", "B", "C", "M", "N", "K"), (row, row, row, row), ("16", "16")),
        grid=("ceil_div(N, 16)", "ceil_div(M, 16)"),
        shared_bytes="49152",
    )
    found = KernelFinding("mm", 1, described, right_sizes=(Shape(33, 17, 40), Shape(16, 48, 5)))
    guessed = BlockGuess((16, 16, 1), "49152", "its source", {})
    least = with_least_shared(kernel, found, guessed, none)
    assert least.description == replace(described, shared_bytes="2048")
    words = "the shared memory: at the sizes that were right its blocks touch no more than 2048 bytes of it"
    assert least.because == (words,)
    assert with_least_shared(kernel, found, replace(guessed, is_launched=True), none) == found
