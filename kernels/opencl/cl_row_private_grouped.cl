/*---
title   = "OpenCL: private row, grouped"
order   = 240
entry   = "sgemm_cl_row_private_grouped"
teaches = "The program chooses the work-group size: 1000 rows in four groups of 250 leave no work-item idle; groups of 256 leave 24 idle."
origin  = "tutorial 003, second optimisation (1000 rows in work-groups of 250)"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "GROUP <= max_threads_per_block", because = "the device limits the size of a work-group"},
    {rule = "K <= 4096", because = "every work-item keeps K floats of A in private memory, at most 16384 bytes"},
]
[params.GROUP]
label   = "Work-group size"
choices = [1, 10, 32, 50, 64, 100, 125, 128, 200, 250, 256, 500, 512, 1000, 1024]
default = 250
[defines]
ROW_FLOATS = "K"
[launch]
block = ["GROUP"]
grid  = ["ceil_div(M, GROUP)"]
shared_bytes = "0"
static_shared_bytes = "0"
---*/

// The attribute is a promise: the compiler may rely on this size, and any other launch is refused.
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void sgemm_cl_row_private_grouped(__global const float *A, __global const float *B,
                                           __global float *C, int M, int N, int K)
{
    float a_row[ROW_FLOATS];
    const int row = get_global_id(0);

    // GROUP need not divide M: the range is rounded up to whole work-groups, and the rest is kept out here.
    if (row < M) {
        for (int k = 0; k < K; ++k) {
            a_row[k] = A[row * K + k];
        }
        for (int col = 0; col < N; ++col) {
            float acc = 0.0f;
            for (int k = 0; k < K; ++k) {
                acc += a_row[k] * B[k * N + col];
            }
            C[row * N + col] = acc;
        }
    }
}
