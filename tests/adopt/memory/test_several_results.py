"""A kernel that writes a workspace beside its result is refused with the lines of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove.machine import KernelBuild, compiled
from gemmviz.adopt.prove.memory.several_results import several_results
from gemmviz.domain.terms import Language

COUNTER = "unsigned int *arrived"
KERNEL = """GLOBAL
__global__ void splitk(const float *A, const float *B, float *C, float *work,PARAMETER int M, int N, int K, int parts) {
    __shared__ bool is_last;
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    int length = (K + parts - 1) / parts, first = blockIdx.z * length, last = min(K, first + length);
    float sum = 0.0f;
    if (row < M && column < N) {
        for (int k = first; k < last; ++k) sum += A[row * K + k] * B[k * N + column];
        work[((size_t)blockIdx.z * M + row) * N + column] = sum;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0)
        is_last = atomicInc(&arrived[blockIdx.y * gridDim.x + blockIdx.x], parts - 1) == parts - 1;
    __syncthreads();
    if (!is_last || row >= M || column >= N) return;
    float total = 0.0f;
    for (int part = 0; part < parts; ++part) total += work[((size_t)part * M + row) * N + column];
    C[row * N + column] = total;
}
void run(const float *A, const float *B, float *C, float *work, COUNTER, int M, int N, int K) {
    dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16, 4);
    splitk<<<grid, block>>>(A, B, C, work,GIVEN M, N, K, 4);
}
"""


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("is_given", [False, True])
def test_that_a_workspace_beside_the_result_is_the_reason(is_given: bool) -> None:
    own = "" if is_given else "__device__ unsigned int arrived[64];"
    parameter, given = (f" {COUNTER},", " arrived,") if is_given else ("", "")
    text = KERNEL.replace("COUNTER", COUNTER).replace("GLOBAL", own)
    text = text.replace("PARAMETER", parameter).replace("GIVEN", given)
    (found,) = look_at(Path("mine.cu"), text, "", 60.0, lambda _: None).found
    counter = ", and to arrived in line 14" if is_given else ""
    assert found.reasons == (
        f"mine.cu:2: it writes to C in line 19, and to work in line 9{counter}, and a product has one result: where "
        "blocks leave parts of sums in a workspace, let a second kernel add them up: which of its blocks wait for "
        "others by atomic operations is not examined",
    )


ROW = """kernel void rows(global const float *a, global float *c, int k, local float *row) {
    int i = get_local_id(0);
    row[i] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    c[i] = row[k - i];
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_local_memory_that_a_kernel_is_given_is_no_result() -> None:
    made = compiled(Path("rows.cl"), ROW, Language.OPENCL, KernelBuild("rows", local=((4, 0),)), (), 60.0)
    names = ("a", "c", "k", "row")
    assert several_results(made, names, local=(3,)) == ""
    assert several_results(made, names).startswith("it writes to c in line 5, and to row in line 3")
