/*---
title  = "A loop whose condition nothing changes"
entry  = "faulty"
[launch]
block = ["8", "8"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "0"
---*/

extern "C" __global__ void faulty(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
    float acc = 0.0f;

    if (row >= M || col >= N)
        return;
    while (K > 0)
        acc += A[row * K] * B[col];
    C[row * N + col] = acc;
}
