/*---
title  = "Two tiles in one dynamic stretch of shared memory"
entry  = "dynamic_shared"
[params.TILE]
choices = [4, 7]
[launch]
block = ["TILE", "TILE"]
grid  = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
shared_bytes = "8 * TILE * TILE"
---*/

extern "C" __global__ void dynamic_shared(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tiles[];
    float *As = tiles;
    float *Bs = tiles + TILE * TILE;
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[y * TILE + x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
        Bs[y * TILE + x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += As[y * TILE + k] * Bs[k * TILE + x];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = acc;
}
