/*---
title    = "Adds each product to C, which begins as zero"
entry    = "adds_to_c"
c_begins = "zero"
[launch]
block = ["16", "4"]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 4)"]
---*/

extern "C" __global__ void adds_to_c(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 4 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N)
        return;
    for (int k = 0; k < K; ++k)
        C[row * N + col] += A[row * K + k] * B[k * N + col];
}
