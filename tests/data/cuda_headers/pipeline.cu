/*---
title = "pipeline_thread"
entry = "k"
constraints = ["M % 16 == 0", "N % 16 == 0", "K % 16 == 0"]
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
#include <cuda/pipeline>
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, t = threadIdx.y * 16 + threadIdx.x;
    float sum = 0.0f;
    __shared__ float As[2][16][16], Bs[2][16][16];
    auto pipe = cuda::make_pipeline();
    auto load = [&](int k, int s) {
        pipe.producer_acquire();
        cuda::memcpy_async(&As[s][threadIdx.y][threadIdx.x], &A[row * K + k + threadIdx.x], sizeof(float), pipe);
        cuda::memcpy_async(&Bs[s][threadIdx.y][threadIdx.x], &B[(k + threadIdx.y) * N + col], sizeof(float), pipe);
        pipe.producer_commit();
    };
    load(0, 0);
    for (int k = 0, s = 0; k < K; k += 16, s ^= 1) {
        if (k + 16 < K) load(k + 16, s ^ 1); else { pipe.producer_acquire(); pipe.producer_commit(); }
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += As[s][threadIdx.y][i] * Bs[s][i][threadIdx.x];
        pipe.consumer_release();
        __syncthreads();
    }
    C[row * N + col] = sum;
}
