/*---
title  = "Four numbers at once that do not begin at a multiple of 16 bytes"
entry  = "faulty"
[launch]
block = ["8", "8"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "272"
---*/

extern "C" __global__ void faulty(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x, t = threadIdx.y * 8 + threadIdx.x;
    __shared__ float s[68];
    const float4 first = *(const float4 *)(A + 1);
    *(float4 *)(s + t) = first;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
        C[row * N + col] = acc;
    }
}
