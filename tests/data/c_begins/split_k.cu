/*---
title    = "Blocks share the sum of each element and add their parts atomically"
entry    = "split_k"
c_begins = "zero"
requires = ["cuda"]
[launch]
block = ["32", "4"]
grid  = ["ceil_div(N, 32)", "ceil_div(M, 4)", "2"]
---*/

extern "C" __global__ void split_k(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 4 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row >= M || col >= N)
        return;
    float sum = 0.0f;
    for (int k = blockIdx.z; k < K; k += gridDim.z)
        sum += A[row * K + k] * B[k * N + col];
    atomicAdd(&C[row * N + col], sum);
}
