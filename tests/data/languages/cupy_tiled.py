"""A product of matrices in CUDA C, compiled by CuPy."""

import cupy as cp

SOURCE = r"""
extern "C" __global__
void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        int k = k0 + threadIdx.x;
        As[threadIdx.y][threadIdx.x] = row < M && k < K ? A[row * K + k] : 0.0f;
        k = k0 + threadIdx.y;
        Bs[threadIdx.y][threadIdx.x] = column < N && k < K ? B[k * N + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) {
            acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < M && column < N) {
        C[row * N + column] = acc;
    }
}
"""

matmul = cp.RawKernel(SOURCE, "matmul", options=("-DTILE=16", "-std=c++17"))


if __name__ == "__main__":
    a = cp.ones((64, 64), cp.float32)
    c = cp.zeros((64, 64), cp.float32)
    matmul((4, 4), (16, 16), (a, a, c, 64, 64, 64))
