/*---
title   = "OpenCL: private row of A"
order   = 230
entry   = "sgemm_cl_row_private"
teaches = "A work-item that computes a whole row of C reads its row of A from global memory once instead of N times, but only M work-items are left to fill the device."
origin  = "tutorial 003, first optimisation"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "K <= 4096", because = "every work-item keeps K floats of A in private memory, at most 16384 bytes"},
]
[defines]
ROW_FLOATS = "K"
[launch]
block = ["64"]
grid  = ["ceil_div(M, 64)"]
shared_bytes = "0"
static_shared_bytes = "0"
---*/

__kernel void sgemm_cl_row_private(__global const float *A, __global const float *B, __global float *C,
                                   int M, int N, int K)
{
    // An array needs its length when the kernel is compiled, so the program is built anew for every K.
    float a_row[ROW_FLOATS];
    const int row = get_global_id(0);

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
