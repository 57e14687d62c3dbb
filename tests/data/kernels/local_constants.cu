/*---
title  = "Sizes as constants inside the kernel, a chosen pointer, a float4 taken from a cast"
entry  = "local_constants"
[launch]
block = ["8", "8"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "512"
---*/

__device__ float at(const float *p, int i) { return p[i]; }

__global__ void local_constants(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int EDGE = 8;
    const int x = threadIdx.x, y = threadIdx.y;
    __shared__ float As[EDGE * EDGE];
    __shared__ float Bs[EDGE * EDGE];
    const int row = blockIdx.y * EDGE + y, col = blockIdx.x * EDGE + x;
    const float4 two = *reinterpret_cast<const float4 *>(A), other = two;
    float acc[1] = {two.x > other.x ? 1.0f : 0.0f};
    for (int k0 = 0; k0 < K; k0 += EDGE) {
        const int k = k0 + x;
        As[y * EDGE + x] = row < M && k < K ? at(k < K ? A : B, row * K + k) : 0.0f;
        __syncthreads();
        Bs[y * EDGE + x] = k0 + y < K && col < N ? at(B, (k0 + y) * N + col) + (two.y > other.y ? 1.0f : 0.0f) : 0.0f;
        __syncthreads();
        for (int i = 0; i < EDGE; ++i)
            acc[0] += at(As, y * EDGE + i) * at(&Bs[i * EDGE], x);
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = acc[0];
}
