/*---
title  = "The second barrier is skipped after the first tile"
entry  = "faulty"
[launch]
block = ["8", "8"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "512"
---*/

extern "C" __global__ void faulty(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[8][8];
    __shared__ float Bs[8][8];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 8 + ty, col = blockIdx.x * 8 + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < K; k0 += 8) {
        As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 8; ++k)
            acc += As[ty][k] * Bs[k][tx];
        if (k0 == 0) continue;
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = acc;
}
