/*---
title  = "A block reads what the block below it writes"
entry  = "faulty"
[launch]
block = ["8", "8"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "0"
---*/

extern "C" __global__ void faulty(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x, t = threadIdx.y * 8 + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
        C[row * N + col] = acc; // first
        if (row + 8 < M) acc = C[(row + 8) * N + col];
        C[row * N + col] = acc; // again
    }
}
