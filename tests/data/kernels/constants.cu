/*---
title  = "Constants at file scope, auto, and what CUDA writes in front of a function"
entry  = "constants"
[launch]
block = ["16"]
grid  = ["ceil_div(N, 4)", "ceil_div(M, 4)"]
static_shared_bytes = "128"
[defines]
EDGE = "4"
---*/
#include <cuda_runtime.h>

constexpr int WIDE = EDGE, AREA = WIDE * WIDE;
static const unsigned int LAST = 3u;
const float NOTHING = 0.0f;

__device__ float nothing();

__device__ float nothing() { return NOTHING; }

__global__ void unused(float *x) { x[threadIdx.x] = 0.0f; }

extern "C" __global__ void __launch_bounds__(16)
constants(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    __shared__ float As[AREA], Bs[WIDE][WIDE];
    auto x = threadIdx.x & LAST;
    auto y = threadIdx.x / WIDE;
    const auto row = blockIdx.y * WIDE + y, col = blockIdx.x * WIDE + x;
    auto acc = nothing();
    for (auto k0 = 0; k0 < K; k0 += WIDE) {
        As[y * WIDE + x] = row < M && k0 + x < K ? A[row * K + k0 + x] : NOTHING;
        Bs[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : NOTHING;
        __syncthreads();
        for (unsigned k = 0; k <= LAST; ++k)
            acc += As[y * WIDE + k] * Bs[k][x];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = acc;
}
