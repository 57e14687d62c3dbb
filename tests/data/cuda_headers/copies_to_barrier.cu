/*---
title = "memcpy_async_barrier"
entry = "k"
constraints = ["M % 16 == 0", "N % 16 == 0", "K % 16 == 0"]
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
#include <cuda/barrier>
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, t = threadIdx.y * 16 + threadIdx.x;
    float sum = 0.0f;
    __shared__ alignas(16) float As[16][16], Bs[16][16];
    __shared__ cuda::barrier<cuda::thread_scope_block> full;
    if (t == 0) init(&full, 256);
    __syncthreads();
    for (int k = 0; k < K; k += 16) {
        cuda::memcpy_async(&As[threadIdx.y][threadIdx.x], &A[row * K + k + threadIdx.x], sizeof(float), full);
        cuda::memcpy_async(&Bs[threadIdx.y][threadIdx.x], &B[(k + threadIdx.y) * N + col], sizeof(float), full);
        full.arrive_and_wait();
        for (int i = 0; i < 16; ++i) sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
