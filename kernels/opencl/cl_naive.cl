/*---
title   = "OpenCL: one work-item per element"
order   = 220
entry   = "sgemm_cl_naive"
teaches = "OpenCL has its own names for the same things: a work-item is a thread, a work-group is a block, and get_global_id numbers all work-items."
origin  = "tutorial 003, basic kernel"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "GROUP_X * GROUP_Y <= max_threads_per_block", because = "a work-group has GROUP_X x GROUP_Y work-items"},
]
[params.GROUP_X]
label   = "Work-group columns"
choices = [1, 2, 4, 8, 16, 32, 64]
default = 16
[params.GROUP_Y]
label   = "Work-group rows"
choices = [1, 2, 4, 8, 16, 32, 64]
default = 16
[launch]
block = ["GROUP_X", "GROUP_Y"]
grid  = ["ceil_div(N, GROUP_X)", "ceil_div(M, GROUP_Y)"]
shared_bytes = "0"
static_shared_bytes = "0"
---*/

__kernel void sgemm_cl_naive(__global const float *A, __global const float *B, __global float *C,
                             int M, int N, int K)
{
    const int col = get_global_id(0);
    const int row = get_global_id(1);

    // The range is rounded up to whole work-groups; the work-items beyond C have nothing to do.
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}
