/*---
title  = "Parameters moved by the block, one-dimensional tiles, a 1-D block read as 2-D"
entry  = "moved_pointers"
[launch]
block = ["64"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "512"
---*/

__global__ void moved_pointers(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[8 * 8], Bs[8 * 8];
    const int row0 = blockIdx.y * 8, col0 = blockIdx.x * 8;
    const int r = threadIdx.x / 8, c = threadIdx.x % 8;
    float acc = 0.0f;

    A += row0 * K;
    B += col0;
    C += row0 * N + col0;
    for (int k0 = 0; k0 < K; k0 += 8) {
        As[r * 8 + c] = row0 + r < M && k0 + c < K ? A[r * K + c] : 0.0f;
        Bs[r * 8 + c] = k0 + r < K && col0 + c < N ? B[r * N + c] : 0.0f;
        __syncthreads();
        A += 8;
        B += 8 * N;
        for (int k = 0; k < 8; ++k)
            acc += As[r * 8 + k] * Bs[k * 8 + c];
        __syncthreads();
    }
    if (row0 + r < M && col0 + c < N)
        C[r * N + c] = acc;
}
