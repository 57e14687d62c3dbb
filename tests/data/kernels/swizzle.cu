/*---
title  = "Tiles whose columns are exchanged by XOR, filled by a strided walk"
entry  = "swizzle"
[params.BM]
choices = [8, 16]
[launch]
block = ["32"]
grid  = ["ceil_div(M, BM) * ceil_div(N, 16)"]
static_shared_bytes = "4 * (BM * 16 + 16 * 16)"
---*/

__global__ void __launch_bounds__(32) swizzle(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[BM * 16];
    __shared__ float Bs[16 * 16];
    const int across = (N + 15) / 16;
    const int row0 = blockIdx.x / across * BM;
    const int col0 = blockIdx.x % across * 16;
    const int lane = threadIdx.x;
    float acc[BM * 16 / 32] = {};

    for (int k0 = 0; k0 < K; k0 += 16) {
        for (int i = lane; i < BM * 16; i += 32) {
            int m = i >> 4, k = i & 15;
            As[(m << 4) | (k ^ m)] = row0 + m < M && k0 + k < K ? A[(row0 + m) * K + k0 + k] : 0.0f;
        }
        for (int i = lane; i < 16 * 16; i += 32) {
            int k = i >> 4, n = i & 15;
            Bs[(k << 4) | (n ^ k)] = k0 + k < K && col0 + n < N ? B[(k0 + k) * N + col0 + n] : 0.0f;
        }
        __syncthreads();
        for (int j = 0; j < BM * 16 / 32; ++j) {
            int m = (lane + 32 * j) >> 4, n = lane & 15;
            for (int k = 0; k < 16; ++k)
                acc[j] += As[(m << 4) | (k ^ m)] * Bs[(k << 4) | (n ^ k)];
        }
        __syncthreads();
    }
    for (int j = 0; j < BM * 16 / 32; ++j) {
        int row = row0 + ((lane + 32 * j) >> 4), col = col0 + (lane & 15);
        if (row < M && col < N)
            C[row * N + col] = acc[j];
    }
}
